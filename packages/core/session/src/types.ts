import type { Branded, JsonObject } from 'dsh-brand'
import type { ContentBlock, Message, StreamChunk, TokenUsage, ToolSchema } from 'dsh-llm'

/** The id of a session: a UUID, new in every run. */
export type SessionId = Branded<'SessionId'>

/** The only format version that is read and written. */
export const SESSION_FORMAT_VERSION = 0

/**
 * Where a child session was started: the place in its parent's log. Compared numerically, it is
 * the child's identity across runs.
 */
export interface SpawnedBy {
  /** The parent's turn and step. */
  readonly turn: number
  readonly step: number
  /** Zero-based position of the executed tool-call block in its assistant message. */
  readonly call?: number
  /** The plugin that started the child outside a tool call; excludes `call`. */
  readonly plugin?: string
  /** Ordinal among the children of that call (or of that plugin in that step), from 0. */
  readonly index: number
  /** A cross-check only: providers repeat and vary call ids. */
  readonly callId?: string
}

/**
 * Line 0 of a log. Key order on disk is the order here, then unknown keys in the order in which
 * they were read. What is absent is omitted, never null.
 */
export interface SessionHeader {
  readonly type: 'session'
  readonly version: number
  readonly id: SessionId
  /** Epoch milliseconds; strictly increasing within a process. */
  readonly createdAt: number
  /** Absolute. */
  readonly cwd?: string
  readonly parentSession?: SessionId
  /** How many leading events were inherited from the parent; a non-negative safe integer. */
  readonly seedLength?: number
  readonly spawnedBy?: SpawnedBy
  /** Ordinal of a root session by `session/new` order, from 0. */
  readonly root?: number
  readonly [unknown: string]: unknown
}

/**
 * What an event does to the conversation: it goes to its end, or in the place of the entries from
 * `start` to `end`.
 */
export type SurfaceOp =
  | 'append'
  | { readonly op: 'replace'; readonly start: number; readonly end: number }

/** Event types that make up the conversation; exactly these carry a `surfaceOp`. */
export const SURFACE_TYPES = [
  'user/message',
  'assistant/message',
  'tool/result',
  'context/message',
  'steering/message',
] as const
/** A type of event that makes up the conversation. */
export type SurfaceType = (typeof SURFACE_TYPES)[number]

/**
 * One line of a log. Key order on disk: type, seq, time, data, sourceEventSeqs, surfaceOp.
 * `seq` is contiguous from 0; `time` is epoch milliseconds. Events of unknown types, and known
 * types with unknown `data`, are kept verbatim: readers check envelopes, not `data`.
 */
export interface SessionEvent {
  readonly type: string
  readonly seq: number
  readonly time: number
  readonly data: unknown
  readonly sourceEventSeqs?: readonly number[]
  readonly surfaceOp?: SurfaceOp
}

/** What the rows of both kinds of text share with those of tool calls. */
export interface RowData {
  readonly turn: number
  readonly step: number
  /** Of the block. */
  readonly index: number
  /** Milliseconds from each member to the next, one fewer than members; may be negative. */
  readonly dt: readonly number[]
}

/**
 * A run of consecutive deltas of one block, as one line. Member k is the `assistant/chunk` event of
 * `seq` = seq0 + k and `time` = time0 + the first k gaps. Key order on disk is the order here.
 */
export interface TextChunksRow {
  readonly type: 'text-chunks' | 'reasoning-chunks'
  readonly seq0: number
  readonly time0: number
  readonly data: RowData & { readonly texts: readonly string[] }
}
/** A run of pieces of the arguments of one tool call. */
export interface ToolCallChunksRow {
  readonly type: 'tool-call-chunks'
  readonly seq0: number
  readonly time0: number
  readonly data: RowData & {
    readonly id: string
    readonly name?: string
    readonly args: readonly string[]
  }
}
/** A packed row: a run of like chunks, written as one line. */
export type StorageRow = TextChunksRow | ToolCallChunksRow

/** What a line of a log holds, the header aside. */
export type StorageRecord = SessionEvent | StorageRow

/** Who brought an input into a conversation. */
export type Source =
  | { readonly kind: 'user' }
  | { readonly kind: 'plugin'; readonly plugin: string }

/** Why a turn ended. `interrupted` is written by repair only. */
export type TurnEndReason =
  | { readonly kind: 'completed' }
  | { readonly kind: 'aborted'; readonly reason?: string }
  | {
      readonly kind: 'error'
      readonly step: number
      readonly message: string
      readonly code?: string
    }
  | { readonly kind: 'disposed' }
  | { readonly kind: 'max-tokens' }
  | { readonly kind: 'rejected'; readonly reason: string }
  | { readonly kind: 'interrupted' }

/** The settings of a request. An absent one is left to the provider. */
export interface RequestConfig {
  /** The name by which the adapters know it. */
  readonly model: string
  /** Sampling temperature. Absent: the provider's. */
  readonly temperature?: number
  /** The most tokens that an answer may have. Absent: the provider's. */
  readonly maxTokens?: number
  /** Texts at which the model stops. Absent: none. */
  readonly stop?: readonly string[]
}
/** What every request of an instance shares. Logged before its first request, then on change. */
export interface RequestHeader {
  readonly config: RequestConfig
  readonly system?: string
  readonly tools?: readonly ToolSchema[]
  readonly messagePrefix?: readonly Message[]
}
/** `system` is a line-wise common prefix and suffix trim; tools are keyed by name. */
export interface RequestHeaderDelta {
  readonly system?: {
    readonly keepStart: number
    readonly keepEnd: number
    readonly insert: readonly string[]
  }
  readonly tools?: {
    readonly added: readonly ToolSchema[]
    readonly removed: readonly string[]
    readonly changed: readonly ToolSchema[]
  }
  readonly config?: RequestConfig
  readonly messagePrefix?: readonly Message[]
}

/** One entry of the plan that `todo_write` keeps. */
export interface TodoItem {
  readonly content: string
  readonly status: 'pending' | 'in_progress' | 'completed'
}

/** The `data` of every core event, by type; key order on disk is the order here. */
export interface CoreEvents {
  'turn/start': {
    readonly turn: number
    readonly trigger: { readonly kind: 'message' | 'injection'; readonly source: Source }
  }
  'turn/end': { readonly turn: number; readonly reason: TurnEndReason }
  'step/start': { readonly turn: number; readonly step: number }
  'step/end': { readonly turn: number; readonly step: number }
  'user/message': { readonly content: readonly ContentBlock[]; readonly source: Source }
  'context/message': { readonly content: readonly ContentBlock[]; readonly source: Source }
  'steering/message': {
    readonly turn: number
    readonly content: readonly ContentBlock[]
    readonly source: Source
  }
  'assistant/chunk': { readonly turn: number; readonly step: number; readonly chunk: StreamChunk }
  'assistant/message': {
    readonly turn: number
    readonly step: number
    readonly content: readonly ContentBlock[]
    readonly usage?: TokenUsage
  }
  'tool/call': {
    readonly turn: number
    readonly step: number
    readonly callId: string
    readonly name: string
    /** The raw JSON text. */
    readonly arguments: string
  }
  'tool/result': {
    readonly turn: number
    readonly step: number
    readonly callId: string
    readonly content: readonly ContentBlock[]
    readonly isError: boolean
    readonly error?: { readonly name: string; readonly code: string }
    readonly meta?: JsonObject
  }
  /**
   * What ended a model call whose answer does not count, after its chunks: its stream threw
   * (`error`), or the turn was aborted before the stream was over (`aborted`, whatever the stream
   * made of that, and after a `finish` too). An error that is a `finish` chunk has none: the chunk
   * says it.
   */
  'llm/failure': {
    readonly turn: number
    readonly step: number
    readonly kind: 'error' | 'aborted'
    readonly message: string
    readonly code?: string
    /** The HTTP status, where there was one. */
    readonly status?: number
    /** How long the provider asked to wait, in milliseconds. */
    readonly retryAfterMs?: number
  }
  /** A failed call is about to be made again in its step. Stands between the two attempts. */
  'llm/retry': {
    readonly turn: number
    readonly step: number
    /** Which retry of the step this is, from 1. */
    readonly retry: number
    /** How many the step may have in all. */
    readonly maxRetries: number
    /** The wait before it, in milliseconds. A duration: 0 in a fixture. */
    readonly delayMs: number
  }
  'todo/write': { readonly todos: readonly TodoItem[] }
  'request/header': {
    readonly header: RequestHeader
    readonly reason: 'initial' | 'resume' | 'fallback'
  }
  'request/header-delta': RequestHeaderDelta
}
/** The types of events that the core itself writes. */
export type CoreEventType = keyof CoreEvents

/** The optional half of an envelope. */
export interface AppendExtras {
  readonly sourceEventSeqs?: readonly number[]
  readonly surfaceOp?: SurfaceOp
}

/** A session in memory: an append-only list of frozen events under a frozen header. */
export interface Session {
  readonly id: SessionId
  readonly header: SessionHeader
  /** Where its tools act; absolute. */
  readonly cwd: string
  /** All events so far, seed included. Grows in place; never assign into it. */
  readonly events: readonly SessionEvent[]
  /**
   * Commits one event and returns it, deeply frozen, with the next `seq` and the current time. Then
   * tells the observers (`session/event`); an observer that throws is logged and changes nothing.
   * @throws SessionError `INVALID_EVENT` when data is not lossless JSON (undefined, -0, NaN, BigInt,
   *   holes, class instances, cycles) or `surfaceOp` is missing on a surface type or present on
   *   another; `REENTRANT_APPEND` when called from an observer of this session; `SESSION_DISPOSED`
   *   after disposal. Nothing is committed then.
   */
  append<T extends CoreEventType>(type: T, data: CoreEvents[T], extras?: AppendExtras): SessionEvent
  append(type: string, data: unknown, extras?: AppendExtras): SessionEvent
  /** The conversation as the model sees it, derived from the surface events. */
  history(): readonly Message[]
}

/** What a new session begins with, and where it comes from. */
export interface CreateSessionOptions {
  /** Absolute. */
  readonly cwd: string
  /** The session that delegates to this one. Absent for a root. */
  readonly parentSession?: SessionId
  /** Events copied verbatim to the beginning; their number becomes `seedLength` when above 0. */
  readonly seed?: readonly SessionEvent[]
  /** Where in its parent a child was started, which makes its place in the tree. */
  readonly spawnedBy?: SpawnedBy
  /** The ordinal of a root, from 0, in the order in which they were opened. */
  readonly root?: number
}

/** A log as a backend gives it back: complete, repaired, `seq` contiguous. */
export interface StoredLog {
  readonly header: SessionHeader
  readonly events: readonly SessionEvent[]
}

/**
 * Where logs live. A backend observes `session/created`, `session/event`, `session/flush` and
 * `session/disposed` and owns what it has buffered; nothing is written before the first flush that
 * has an event. It reports a failed write by rejecting the flush, and keeps the old bytes.
 */
export interface SessionBackend {
  readonly name: string
  /**
   * Reads a log back for resuming, with its damaged tail repaired, and takes over its file: the
   * following flushes of that session append to it.
   * @returns undefined when there is no such log.
   * @throws SessionError `CORRUPT_LOG` for damage in the committed region, `UNSUPPORTED_VERSION`.
   */
  load(id: SessionId): Promise<StoredLog | undefined>
}

/**
 * `ctx.sessions`: makes sessions, keeps the live ones, and asks the backend for old ones. Comes with
 * `ctx.lineageOf`, which knows live sessions whose ancestors are live too.
 */
export interface SessionStore {
  /** Makes a session and announces it (`session/created`). */
  create(options: CreateSessionOptions): Session
  /**
   * Brings back a stored session, or returns the live one of that id. Concurrent loads of one id
   * share one result.
   * @throws SessionError `SESSION_NOT_FOUND`, `NO_BACKEND`, and what the backend throws.
   */
  load(id: SessionId): Promise<Session>
  get(id: SessionId): Session | undefined
  /** Live sessions in order of creation. */
  list(): readonly Session[]
  /** Awaits every `session/flush` listener. @throws what they threw, as one error. */
  flush(session: Session): Promise<void>
  /** Flushes, announces `session/disposed`, and refuses further appends. Idempotent. */
  dispose(session: Session): Promise<void>
  /** Sets the one backend until disposed. @throws SessionError `DUPLICATE_BACKEND`. */
  useBackend(backend: SessionBackend): () => void
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    sessions: SessionStore
  }
  interface Events {
    /** @mode emit */
    'session/created'(session: Session): void
    /** After the commit of one event. @mode emit */
    'session/event'(session: Session, event: SessionEvent): void
    /** Make everything committed so far durable; rejecting fails the flush. @mode parallel */
    'session/flush'(session: Session): Promise<void>
    /** @mode emit */
    'session/disposed'(session: Session): void
  }
}
