import { DshError } from 'dsh-brand'
import { z } from 'zod'

/** The public endpoint. */
export const DEFAULT_BASE_URL = 'https://api.deepseek.com'

// fetch itself gives up waiting for headers or data after five minutes.
const MAX_WAIT_MS = 300_000
const MAX_TOTAL_MS = 86_400_000

/**
 * What a row in `cordis.yml` may say. Empty texts count as absent. An absent value is taken from the
 * environment where one is named, else from the default.
 */
export interface Config {
  /** `$DEEPSEEK_API_KEY`. Only calls need it: without it, the plugin loads and every call fails. */
  apiKey?: string | undefined
  /** `$DEEPSEEK_BASE_URL`, else the public endpoint. What `/chat/completions` is appended to. */
  baseUrl?: string | undefined
  /** The models that this adapter answers; every model where absent. */
  models?: string[] | undefined
  /** Longest wait for the response headers. 60,000 ms; at most 300,000. */
  connectTimeoutMs?: number | undefined
  /** Longest silence within the response. 120,000 ms; at most 300,000. */
  idleTimeoutMs?: number | undefined
  /** Longest call in all, keep-alives included. 1,800,000 ms; at most a day. */
  totalTimeoutMs?: number | undefined
  /** Name of a request header that carries the lineage of the calling session; absent: none. */
  sessionHeader?: string | undefined
}

// Those that the adapter or fetch sets, and those that would break the exchange.
const RESERVED_HEADERS = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
])

export const Config: z.ZodType<Config> = z
  .strictObject({
    apiKey: z.string().optional(),
    baseUrl: z.string().optional(),
    models: z.array(z.string().min(1)).min(1).optional(),
    connectTimeoutMs: z.int().positive().max(MAX_WAIT_MS).optional(),
    idleTimeoutMs: z.int().positive().max(MAX_WAIT_MS).optional(),
    totalTimeoutMs: z.int().positive().max(MAX_TOTAL_MS).optional(),
    sessionHeader: z
      .string()
      .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]*$/, 'not a header name')
      .refine((name) => !RESERVED_HEADERS.has(name.toLowerCase()), 'a header with a use of its own')
      .optional(),
  } satisfies Record<keyof Config, z.ZodType>)
  .prefault({})

/** A configuration with everything decided. */
export interface Settings {
  readonly apiKey: string | undefined
  /** Where requests go. */
  readonly endpoint: URL
  readonly models: readonly string[] | undefined
  readonly connectTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly totalTimeoutMs: number
  readonly sessionHeader: string | undefined
}

/** The variables of a process; an absent one is not set. */
export type Environment = Readonly<Record<string, string | undefined>>

/** @throws DshError `INVALID_CONFIG` when the base URL cannot be used. */
export function resolveSettings(config: Config, env: Environment): Settings {
  const fromConfig = present(config.baseUrl)
  const fromEnv = present(env['DEEPSEEK_BASE_URL'])
  return {
    apiKey: present(config.apiKey) ?? present(env['DEEPSEEK_API_KEY']),
    endpoint: endpointOf(
      fromConfig ?? fromEnv ?? DEFAULT_BASE_URL,
      fromConfig === undefined ? '$DEEPSEEK_BASE_URL' : 'baseUrl',
    ),
    models: config.models,
    connectTimeoutMs: config.connectTimeoutMs ?? 60_000,
    idleTimeoutMs: config.idleTimeoutMs ?? 120_000,
    totalTimeoutMs: config.totalTimeoutMs ?? 1_800_000,
    sessionHeader: present(config.sessionHeader),
  }
}

/** The trimmed text; undefined where nothing is left. Keys read from files end in a newline. */
function present(value: string | undefined): string | undefined {
  const trimmed = value?.trim()
  return trimmed === '' ? undefined : trimmed
}

// The value stays out of the messages, since a URL may hold a password.
function endpointOf(base: string, source: string): URL {
  const fail = (why: string): DshError =>
    new DshError('INVALID_CONFIG', `${source} ${why}; expected something like ${DEFAULT_BASE_URL}`)
  if (!URL.canParse(base)) throw fail('is not an absolute URL')
  const url = new URL(base)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw fail(`has the protocol ${url.protocol}`)
  }
  if (url.username !== '' || url.password !== '') throw fail('holds a user name or a password')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`
  url.hash = ''
  return url
}
