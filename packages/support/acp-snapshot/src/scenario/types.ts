import type { RequestPolicy, ToolPolicy } from 'dsh-llm-replay'

/** One thing that the client does. An "ExpectError" step fails if the call succeeds. */
export type Step =
  | { readonly op: 'initialize'; readonly terminalOutput?: boolean }
  | { readonly op: 'newSession' }
  | { readonly op: 'newSessionExpectError'; readonly additionalDirectories?: readonly string[] }
  | { readonly op: 'prompt'; readonly text: string }
  | { readonly op: 'promptExpectError'; readonly text: string }
  | { readonly op: 'promptAndCancel'; readonly text: string; readonly after?: CancelAfter }
  | { readonly op: 'cancel' }
  | { readonly op: 'loadSession' }
  | { readonly op: 'restart' }

/**
 * When a cancel goes out: after the nth (from 1) session update of a kind, or once a file (relative
 * to the cwd) exists. Absent means the first `agent_message_chunk`.
 */
export type CancelAfter =
  | { readonly update: string; readonly nth?: number }
  | { readonly file: string }

/** Where a scenario's model answers came from. */
export type ScenarioSource = 'api' | 'wire' | 'authored'

/** `input.json`, validated. */
export interface ScenarioInput {
  readonly steps: readonly Step[]
  /** Answers to permission requests, first in, first out, by option kind. */
  readonly permissionAnswers?: readonly string[]
  /** `authored` where the file does not say. */
  readonly source: ScenarioSource
  /** Bound on the whole run, in milliseconds. */
  readonly timeoutMs?: number
  readonly tools?: Readonly<Record<string, ToolPolicy>>
  /** `strict`: what the model is asked is compared with what the recording implies. */
  readonly requests?: RequestPolicy
  /** Programs (`curl`) and paths (`/etc/hosts`) that recorded commands may use all the same. */
  readonly allowCommands?: readonly string[]
}

/** A scenario folder, found whole. All paths are absolute. */
export interface Scenario {
  readonly name: string
  readonly dir: string
  readonly input: ScenarioInput
  /** `session.jsonl`, `session.1.jsonl`, … in order. */
  readonly logFiles: readonly string[]
  /** `replay.override.json`: replaces the primary's script, or calls of it. */
  readonly overrideFile?: string
  /** `replay.override.<n>.json` by n: for the script of `session.<n>.jsonl`. */
  readonly childOverrideFiles?: Readonly<Record<number, string>>
  /** The folder whose contents are copied into the cwd. */
  readonly workspaceDir?: string
  /** `stdout.expected.jsonl`; absent before the first update. */
  readonly stdoutFile?: string
  /** `system.expected.txt` and `tools.expected.json`, where the scenario pins the request header. */
  readonly pinnedHeader?: { readonly systemFile: string; readonly toolsFile: string }
  /** `wire.json`: the embedded model's script; there exactly for `source: "wire"`. */
  readonly wireFile?: string
}
