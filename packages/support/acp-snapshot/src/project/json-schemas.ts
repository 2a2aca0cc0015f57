import { z } from 'zod'
import { inputSchema } from '../scenario/input.ts'
import { configSchema } from './schema.ts'

/** By file name: what editors check the files of a project against, as far as they are checked here. */
export function jsonSchemas(): Record<string, Record<string, unknown>> {
  return {
    'config.schema.json': toJson(configSchema, 'dsh-snapshot.config.json'),
    'input.schema.json': toJson(inputSchema, 'input.json of a scenario'),
  }
}

function toJson(schema: z.ZodType, title: string): Record<string, unknown> {
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
  return { title, ...json }
}
