import { type Fields, isFields } from '../log/lines.ts'
import type { LogRecord } from '../log/records.ts'
import { normaliserForRecording, recordingFacts } from '../normalise/recording.ts'
import { SYSTEM_TOKEN, TOOLS_TOKEN } from '../normalise/scrub.ts'
import { compareLogs, type NamedLog } from './compare.ts'
import { normaliseRun } from './normal-run.ts'
import type { RunResult } from '../run/types.ts'
import type { Finding } from './types.ts'

/**
 * Compares a run with a recording that another program made. They agree when every event of every
 * session agrees in type, seq, data (as JSON text, key order included), sourceEventSeqs and
 * surfaceOp, once both are normal and the model's name and the request header's texts are taken out.
 * Headers do not count, and nothing else is excused.
 * @throws SnapshotError `BAD_FIXTURE` or `NOT_JSON` for a recording that cannot be read whole.
 */
export function compareRecording(
  recorded: readonly NamedLog[],
  result: Pick<RunResult, 'sessionLogs' | 'cwdAliases' | 'sessionIds'>,
): Finding[] {
  const texts = recorded.map((log) => log.text)
  const normaliser = normaliserForRecording(texts)
  const { sessionIds } = recordingFacts(texts)
  const run = normaliseRun({ ...result, stdout: [] }, { recordedSessionIds: sessionIds })
  const expected = recorded.map(({ name, text }, rank) => ({
    name,
    text: normaliser.log(text, rank),
  }))
  return [...run.findings, ...compareLogs(expected, run.logs, conformanceView)]
}

function conformanceView({ value }: LogRecord): unknown {
  if (value['type'] === 'session') return null
  const { type, seq, sourceEventSeqs, surfaceOp } = value
  return { type, seq, data: comparableData(value), sourceEventSeqs, surfaceOp }
}

function comparableData({ type, data }: Fields): unknown {
  if (!isFields(data)) return data
  if (type === 'request/header' && isFields(data['header'])) {
    return { ...data, header: withoutModel(withoutTexts(data['header'])) }
  }
  // How much of a prompt changed is about the prompt, which is not compared.
  if (type === 'request/header-delta') {
    return withoutModel(withoutTexts(data))
  }
  return data
}

function withoutTexts(owner: Fields): Fields {
  return {
    ...owner,
    ...('system' in owner && { system: SYSTEM_TOKEN }),
    ...('tools' in owner && { tools: TOOLS_TOKEN }),
  }
}

function withoutModel(owner: Fields): Fields {
  const { config } = owner
  if (!isFields(config) || !('model' in config)) return owner
  return { ...owner, config: { ...config, model: '{{model}}' } }
}
