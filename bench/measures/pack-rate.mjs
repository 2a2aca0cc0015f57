import { packChunkRuns, parseLogText, serializeRecord } from 'dsh-session'
import { corpusLogs, generatedLog } from '../lib/logs.mjs'
import { pairedRatios, row } from '../lib/ratio.mjs'

/** Events per millisecond into text: packed, then written, over written as they are. */
export async function measure() {
  const corpus = corpusLogs()
  const texts = [...corpus, generatedLog(20e6)]
  const logs = texts.map((text) => parseLogText(text, { tolerant: true }).events)
  const total = logs.reduce((sum, events) => sum + events.length, 0)
  const rate = (write) => {
    const start = performance.now()
    for (const events of logs) write(events)
    return total / (performance.now() - start)
  }
  const pairs = await pairedRatios(
    15,
    () => rate((events) => packChunkRuns(events).map(serializeRecord)),
    () => rate((events) => events.map(serializeRecord)),
  )
  const name = `${total} events into text: packed ÷ plain`
  return row({ name, pairs, target: 1.3, better: 'above', unit: 'events/ms' })
}
