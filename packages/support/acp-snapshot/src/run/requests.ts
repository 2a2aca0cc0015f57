import { methods, type PromptResponse, RequestError } from '@agentclientprotocol/sdk'
import { type ScriptContext, StepError } from './script.ts'

/**
 * The answer to a request, unless the run is stopped first. `holding` says what may keep it back.
 * @throws StepError where the agent answers with an error
 */
export async function answered<T>(
  context: ScriptContext,
  method: string,
  answer: Promise<T>,
  holding = '',
): Promise<T> {
  const outcome = await outcomeOf(context, answer, `the answer to ${method}${holding}`)
  if ('error' in outcome) throw new StepError(failure(method, outcome.error))
  return outcome.value
}

/** @throws StepError where the agent answers otherwise than with an error */
export async function refused(
  context: ScriptContext,
  method: string,
  answer: Promise<unknown>,
): Promise<RequestError> {
  const outcome = await outcomeOf(context, answer, `the error to ${method}`)
  if ('error' in outcome) return outcome.error
  throw new StepError(`${method} was to fail, but answered ${JSON.stringify(outcome.value)}`)
}

/** What a request failed with, in one line. */
function failure(method: string, error: RequestError): string {
  const data = error.data === undefined ? '' : `, data ${JSON.stringify(error.data)}`
  return `${method} failed: ${error.message} (code ${error.code}${data})`
}

export function sendPrompt(
  context: ScriptContext,
  sessionId: string,
  text: string,
): Promise<PromptResponse> {
  return context.host.client.agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [{ type: 'text', text }],
  })
}

type Outcome<T> = { readonly value: T } | { readonly error: RequestError }

async function outcomeOf<T>(
  context: ScriptContext,
  answer: Promise<T>,
  what: string,
): Promise<Outcome<T>> {
  try {
    return { value: await context.stop.until(answer, what) }
  } catch (error) {
    if (error instanceof RequestError) return { error }
    throw error
  }
}
