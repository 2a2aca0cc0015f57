import type { GenerateOptions } from 'dsh-llm'
import type { RequestConfig, RequestHeader } from 'dsh-session'

/** What of a request is the same from call to call: what the log's header event holds. */
export function headerOf(request: GenerateOptions): RequestHeader {
  return {
    config: configOf(request),
    system: request.system ?? '',
    tools: request.tools ?? [],
  }
}

type MaybeSet<T> = { readonly [K in keyof T]: T[K] | undefined } & { readonly model: string }

/** Only what is set, so that a plain request logs its model alone. */
export function configOf(request: MaybeSet<RequestConfig>): RequestConfig {
  return {
    model: request.model,
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.maxTokens !== undefined && { maxTokens: request.maxTokens }),
    ...(request.stop !== undefined && { stop: request.stop }),
  }
}
