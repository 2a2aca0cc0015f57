/** A text that must not be committed, by its value or by its shape. */
export interface SecretShape {
  /** What people read: the variable, or the kind of key. */
  readonly name: string
  readonly pattern: RegExp
}

/** Keys by the look of them. Each begins where no word goes on. */
const COMMON: readonly (readonly [name: string, source: string])[] = [
  ['an API key (sk-…)', 'sk-[A-Za-z0-9_-]{20,}'],
  ['a GitHub token', 'gh[opsur]_[A-Za-z0-9]{36,}'],
  ['a GitHub token', 'github_pat_[A-Za-z0-9_]{22,}'],
  ['a GitLab token', 'glpat-[A-Za-z0-9_-]{20,}'],
  ['an npm token', 'npm_[A-Za-z0-9]{36}'],
  ['an AWS key id', '(?:AKIA|ASIA)[A-Z0-9]{16}'],
  ['a Google API key', 'AIza[A-Za-z0-9_-]{35}'],
  ['a Slack token', 'xox[abeoprs]-[A-Za-z0-9-]{10,}'],
  ['a signed web token', 'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}'],
  ['a bearer token', '[Bb]earer [A-Za-z0-9._~+/-]{20,}'],
  ['a private key', '-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----'],
]

/** Variables whose value is a secret by their name. `SSH_KEY_PATH` holds a path, so only ends count. */
const SECRET_NAME = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT|CREDENTIALS?)$/i

/** Shorter values are words of prose too. */
const SHORTEST_VALUE = 8

/** What to look for: the secrets of this environment, and everything that looks like one. */
export function secretShapes(env: Readonly<Record<string, string | undefined>>): SecretShape[] {
  const own = Object.entries(env).flatMap(([name, value]): SecretShape[] => {
    const secret = value?.trim() ?? ''
    if (!SECRET_NAME.test(name) || secret.length < SHORTEST_VALUE) return []
    return [{ name: `the value of $${name}`, pattern: new RegExp(inAnyForm(secret), 'g') }]
  })
  const common = COMMON.map(([name, source]): SecretShape => {
    return { name, pattern: new RegExp(`(?<![A-Za-z0-9])${source}`, 'g') }
  })
  return [...own, ...common]
}

/** As it is, and as it stands in JSON that is a string itself. */
function inAnyForm(secret: string): string {
  const once = JSON.stringify(secret).slice(1, -1)
  const twice = JSON.stringify(once).slice(1, -1)
  return [...new Set([secret, once, twice])].map(literal).join('|')
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
