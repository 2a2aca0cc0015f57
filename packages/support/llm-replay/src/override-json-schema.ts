import { z } from 'zod'
import { chunkJsonSchema } from './chunk-json-schema.ts'
import { chunk, patches, script } from './override.ts'

/**
 * What editors check a sidecar against: all but what follows a `finish`, two patches of one call, and
 * what takes the log to see.
 */
export function overrideJsonSchema(): Record<string, unknown> {
  const title = 'replay.override.json of a scenario, and replay.override.<n>.json for a child'
  const json = z.toJSONSchema(z.union([script, patches]), {
    io: 'input',
    unrepresentable: 'any',
    reused: 'ref',
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) === chunk) Object.assign(jsonSchema, chunkJsonSchema)
    },
  })
  return { title, ...json }
}
