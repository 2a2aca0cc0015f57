import { z } from 'zod'
import { answer, scriptSchema, status, stream } from './schema.ts'

/** What editors check a `wire.json` against: all but what takes more than one place to see. */
export function wireJsonSchema(): Record<string, unknown> {
  return { title: 'wire.json of a scenario', ...toJson(scriptSchema) }
}

function toJson(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) === answer) Object.assign(jsonSchema, answerJson())
    },
  })
}

/** As the check itself has it: who says `status` is told what is wrong with that, and nothing else. */
function answerJson(): Record<string, unknown> {
  const { $schema: _ofWholeFiles, ...withStatus } = toJson(status)
  const { $schema: _ofThese, ...withoutStatus } = toJson(stream)
  const { status: field } = withStatus['properties'] as Record<string, unknown>
  return {
    type: 'object',
    description: 'A stream, or with `status` an HTTP answer that is none.',
    properties: { status: field },
    if: { required: ['status'] },
    // oxlint-disable-next-line unicorn/no-thenable -- JSON Schema's own word
    then: withStatus,
    else: withoutStatus,
  }
}
