/** Pieces of small logs, as lines. */
export const header = '{"type":"session","version":0,"id":"a","createdAt":0}'

export const event = (seq: number, type = 'x', data: object = { turn: 1, step: 1 }): string =>
  JSON.stringify({ type, seq, time: 0, data })

export const delta = (seq: number, text: string): string =>
  event(seq, 'assistant/chunk', { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } })

export const row = (seq0: number, ...texts: string[]): string =>
  JSON.stringify({
    type: 'text-chunks',
    seq0,
    time0: 0,
    data: { turn: 1, step: 1, index: 0, dt: texts.slice(1).map(() => 0), texts },
  })

export const log = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('')

export const plain = log(
  header,
  event(0, 'turn/start'),
  delta(1, 'a'),
  delta(2, 'b'),
  delta(3, 'ü'),
  event(4, 'turn/end'),
)
export const packed = log(
  header,
  event(0, 'turn/start'),
  row(1, 'a', 'b', 'ü'),
  event(4, 'turn/end'),
)
