import type { Effects, ModeInput } from './types.ts'

/** The one place where a mode becomes effects. Reads nothing, does nothing. */
export function resolveMode(input: ModeInput): Effects {
  switch (input.mode) {
    case 'replay':
      if (input.out !== 'none') {
        return refuse('replay writes nothing, so --out has no meaning; did you mean refresh?')
      }
      return {
        kind: 'run',
        model: 'recording',
        write: 'nowhere',
        writeOnlyIfReplayIsClean: false,
        compare: true,
      }
    case 'refresh':
      return refuseToWrite(input) ?? write(input, 'recording')
    case 'record':
      return record(input)
  }
}

function record(input: ModeInput): Effects {
  switch (input.source) {
    case 'authored':
      return skip('authored by hand, never recorded (its input.json names no other source)')
    case 'api':
      if (input.keyMissing !== undefined) return skip(input.keyMissing)
      return refuseToWrite(input) ?? write(input, 'endpoint')
    case 'wire':
      return refuseToWrite(input) ?? write(input, 'embedded')
  }
}

/** CI proves what is committed; were it to write, a red gate could make itself green. */
function refuseToWrite({ ci, mode, out }: ModeInput): Effects | undefined {
  if (!ci || out === 'outside') return undefined
  return out === 'none'
    ? refuse(
        `CI never writes into a checkout; run ${mode} elsewhere, or give --out a folder outside`,
      )
    : refuse(`CI never writes into a checkout, and the folder of --out is inside it`)
}

function write(input: ModeInput, model: 'recording' | 'endpoint' | 'embedded'): Effects {
  return {
    kind: 'run',
    model,
    write: input.out === 'none' ? 'scenario' : 'out',
    writeOnlyIfReplayIsClean: model === 'recording',
    compare: false,
  }
}

function refuse(reason: string): Effects {
  return { kind: 'refuse', reason }
}

function skip(reason: string): Effects {
  return { kind: 'skip', reason }
}
