import { join } from 'node:path'
import { createGenerator } from 'ts-json-schema-generator'

const PACKAGES = 'packages/support'
/** The package through which people come by the others: what it holds, they find in their project. */
const FRONT = 'acp-snapshot'

/**
 * The JSON Schemas that packages ship, from the code that checks what people write and from the types
 * of what programs read.
 *
 * @param {string} root of the repository, absolute
 * @param {(module: string) => Promise<any>} load a module below `packages/support`, as
 *   `llm-wire#script/json-schema`
 * @returns {Promise<Map<string, string>>} the text of each by its path below the root
 */
export async function shippedSchemas(root, load) {
  const { jsonSchemas } = await load('acp-snapshot#project/json-schemas')
  const { wireJsonSchema } = await load('llm-wire#script/json-schema')
  const { overrideJsonSchema } = await load('llm-replay#override-json-schema')
  const all = [
    ...Object.entries(jsonSchemas()).map(([name, schema]) => ({ owner: FRONT, name, schema })),
    { owner: 'llm-wire', name: 'wire.schema.json', schema: wireJsonSchema() },
    { owner: 'llm-replay', name: 'override.schema.json', schema: overrideJsonSchema() },
    { owner: FRONT, name: 'result.schema.json', schema: resultSchema(root) },
  ]
  return new Map(
    all.flatMap(({ owner, name, schema }) =>
      [...new Set([owner, FRONT])].map((dir) => [
        `${PACKAGES}/${dir}/schemas/${name}`,
        `${JSON.stringify(schema, null, 2)}\n`,
      ]),
    ),
  )
}

/** From the types, doc comments and all: nothing checks what programs are given but the compiler. */
function resultSchema(root) {
  const type = 'JsonLine'
  const schema = createGenerator({
    path: join(root, PACKAGES, FRONT, 'src/cli/json-line.ts'),
    tsconfig: join(root, 'tsconfig.tests.json'),
    type,
    // The build has done that, with a compiler of its own.
    skipTypeCheck: true,
    // Keys are added as time goes by.
    additionalProperties: true,
  }).createSchema(type)
  return { title: 'what --json prints of a scenario, and verdict.json holds', ...schema }
}
