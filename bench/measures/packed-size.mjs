import { packChunkRuns, parseLogText, serializeHeader, serializeRecord } from 'dsh-session'
import { corpusLogs, generatedLog } from '../lib/logs.mjs'
import { row } from '../lib/ratio.mjs'

/** Bytes of packed logs over those of the same logs, plain. */
export function measure() {
  const corpus = corpusLogs()
  const texts = corpus.length > 0 ? corpus : [generatedLog(1e6)]
  const plain = bytesOf(texts)
  const packed = bytesOf(texts.map(pack))
  const pairs = [{ a: packed, b: plain, ratio: packed / plain }]
  const what = corpus.length > 0 ? `${corpus.length} recorded logs` : 'a generated log'
  const name = `${what}: bytes packed ÷ plain`
  return row({ name, pairs, target: 0.37, better: 'below', unit: 'bytes' })
}

function bytesOf(texts) {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

function pack(text) {
  const { header, events } = parseLogText(text, { tolerant: true })
  const lines = [serializeHeader(header), ...packChunkRuns(events).map(serializeRecord)]
  return lines.map((line) => `${line}\n`).join('')
}
