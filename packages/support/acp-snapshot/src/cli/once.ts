import type { OneResult } from './one-scenario.ts'

/** One cause, such as a wrong key, may fail every scenario: it is told in full once. */
export function once(said: Map<string, string>, result: OneResult): readonly string[] {
  const { name, lines, cause, runDir } = result
  if (cause === undefined) return lines
  const first = said.get(cause)
  if (first === undefined) {
    said.set(cause, name)
    return lines
  }
  return [
    `✗ ${name}: the same fault as ${first}`,
    ...(runDir === undefined ? [] : [`  run       ${runDir}`]),
  ]
}
