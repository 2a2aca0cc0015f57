import { z } from 'zod'
import { inputSchema } from '../scenario/input.ts'
import { configSchema } from './schema.ts'

/** By file name: what editors check the files of a project against. Each as its text is committed. */
export function jsonSchemas(): Record<string, string> {
  return {
    'config.schema.json': textOf(configSchema, 'dsh-snapshot.config.json'),
    'input.schema.json': textOf(inputSchema, 'input.json of a scenario'),
  }
}

function textOf(schema: z.ZodType, title: string): string {
  const json = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // A regular expression as such is for modules: JSON has texts only.
      const { anyOf } = jsonSchema
      if (anyOf?.some((option) => Object.keys(option).length === 0) === true) {
        delete jsonSchema.anyOf
        Object.assign(jsonSchema, anyOf[0])
      }
    },
  })
  return `${JSON.stringify({ title, ...json }, null, 2)}\n`
}
