/**
 * The instructions of every request. They depend on the configuration and the working directory
 * alone: a clock, git state or todo list in here would change the header from step to step.
 */
export function systemPrompt(instructions: string | undefined, cwd: string): string {
  return `${instructions ?? DEFAULT_INSTRUCTIONS}\n\nWorking directory: ${cwd}`
}

const DEFAULT_INSTRUCTIONS = [
  'You are a coding agent that works in the directory of a user.',
  '',
  '- Use the tools to look before you answer, and to act; do not guess at the contents of files.',
  '- Read a file before you change it. Prefer the edit tool for small changes.',
  '- Run commands with bash. Keep to the working directory unless you are asked to leave it.',
  '- Say briefly what you did. When something failed, say what and why.',
].join('\n')
