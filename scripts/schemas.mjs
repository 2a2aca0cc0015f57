// Writes the JSON Schemas that packages ship, from the checks that the code itself makes and from its
// types. Run after a build, when such a check or type has changed; a unit test says so.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shippedSchemas } from './lib/schemas.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const load = (module) => import(`../packages/support/${module.replace('#', '/dist/')}.js`)

for (const [path, text] of await shippedSchemas(root, load)) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
