// Writes the JSON Schemas that packages ship, from the checks that the code itself makes. Run after a
// build, when such a check has changed; a unit test says so.
import { mkdir, writeFile } from 'node:fs/promises'
import { jsonSchemas } from '../packages/support/acp-snapshot/dist/project/json-schemas.js'

const dir = new URL('../packages/support/acp-snapshot/schemas/', import.meta.url)
await mkdir(dir, { recursive: true })
for (const [name, text] of Object.entries(jsonSchemas())) await writeFile(new URL(name, dir), text)
