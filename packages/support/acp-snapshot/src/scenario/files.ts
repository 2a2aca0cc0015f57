/** The names in a scenario folder. Everything else in it is refused, hidden files apart. */
export const INPUT_FILE = 'input.json'
export const STDOUT_FILE = 'stdout.expected.jsonl'
/** The system prompt and the tool schemas, readable, where the scenario pins them. */
export const SYSTEM_FILE = 'system.expected.txt'
export const TOOLS_FILE = 'tools.expected.json'
/** The script of the embedded model, for `source: "wire"`. */
export const WIRE_FILE = 'wire.json'
export const WORKSPACE_DIR = 'workspace'

/** `session.jsonl` for the primary, `session.<n>.jsonl` for child n. */
export function logFileName(number: number): string {
  return number === 0 ? 'session.jsonl' : `session.${number}.jsonl`
}

/** `replay.override.json` for the primary, `replay.override.<n>.json` for child n. */
export function overrideFileName(number: number): string {
  return number === 0 ? 'replay.override.json' : `replay.override.${number}.json`
}

/** What a name is, or undefined for a stranger. Numbers have one spelling: no zeros in front. */
export function classify(
  name: string,
):
  | { readonly kind: 'log' | 'override'; readonly number: number }
  | { readonly kind: 'fixed' }
  | undefined {
  const match = /^(session|replay\.override)(?:\.([1-9]\d*))?\.(jsonl|json)$/.exec(name)
  if (match !== null) {
    const number = Number(match[2] ?? 0)
    if (name === logFileName(number)) return { kind: 'log', number }
    if (name === overrideFileName(number)) return { kind: 'override', number }
  }
  return FIXED.includes(name) ? { kind: 'fixed' } : undefined
}

export const FIXED: readonly string[] = [
  INPUT_FILE,
  STDOUT_FILE,
  SYSTEM_FILE,
  TOOLS_FILE,
  WIRE_FILE,
  WORKSPACE_DIR,
]
