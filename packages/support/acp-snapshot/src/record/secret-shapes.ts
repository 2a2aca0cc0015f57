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
  ['a Google access token', 'ya29\\.[A-Za-z0-9_-]{20,}'],
  ['a Slack token', '(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}'],
  ['a Stripe key', '[rs]k_live_[A-Za-z0-9]{20,}'],
  ['a Hugging Face token', 'hf_[A-Za-z0-9]{30,}'],
  ['a signed web token', 'eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}'],
  ['a bearer token', '(?:[Bb]earer|BEARER) [A-Za-z0-9._~+/-]{20,}'],
  ['a basic authorization', '[Aa]uthorization["\']?: ?["\']?[Bb]asic [A-Za-z0-9+/]{8,}'],
  ['a private key', '-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----'],
]

/**
 * Variables whose value is a secret by their name. `SSH_KEY_PATH` holds a path, so only ends count,
 * a number or the name of a stage aside. `PWD` alone is the working directory.
 */
const SECRET_NAME =
  /(?:(?:^|_)(?:(?:API|ACCESS|SECRET|PRIVATE|AUTH)?(?:KEY|TOKEN|SECRET)|PASSWORD|PASSWD|PASSPHRASE|PAT|CREDENTIALS?)|_PWD|_PASS)(?:_?\d+|_(?:PROD|PRODUCTION|STAGING|DEV|TEST|LIVE|OLD|NEW|BACKUP))?$/i

/** Shorter values are words of prose too. */
const SHORTEST_VALUE = 8

/**
 * What to look for: the secrets of this environment, and everything that looks like one.
 * @param keys the variables that hold a secret whatever they are called
 */
export function secretShapes(
  env: Readonly<Record<string, string | undefined>>,
  keys: readonly string[] = [],
): SecretShape[] {
  const own = Object.entries(env).flatMap(([name, value]): SecretShape[] => {
    const secret = value?.trim() ?? ''
    const named = keys.includes(name) || SECRET_NAME.test(name)
    if (!named || secret.length < SHORTEST_VALUE) return []
    return [{ name: `the value of $${name}`, pattern: new RegExp(inAnyForm(secret), 'g') }]
  })
  const common = COMMON.map(([name, source]): SecretShape => {
    return { name, pattern: new RegExp(`(?<![A-Za-z0-9])${source}`, 'g') }
  })
  return [...own, ...common]
}

/** As it is, as it stands in JSON that is a string itself, in a URL, and as a tool would encode it. */
function inAnyForm(secret: string): string {
  const once = JSON.stringify(secret).slice(1, -1)
  const twice = JSON.stringify(once).slice(1, -1)
  // A lone surrogate is in no URL.
  const url = encodeURIComponent(secret.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
  const base64 = Buffer.from(secret).toString('base64').replace(/=+$/, '')
  return [...new Set([secret, once, twice, url, base64])].map(literal).join('|')
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
