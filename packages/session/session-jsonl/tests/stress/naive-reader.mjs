/**
 * What a log holds, read as simply as can be, to compare the real reader with. It knows nothing of
 * surface events, which the logs that it is used on do not have.
 *
 * @param {Buffer} bytes
 * @returns {{ events: object[] } | { error: string }} `events` are those before the first bad line,
 *   `error` says that a `turn/end` follows it
 */
export function readNaively(bytes) {
  const lines = []
  for (
    let start = 0, end = bytes.indexOf(10);
    end >= 0;
    start = end + 1, end = bytes.indexOf(10, start)
  ) {
    lines.push(bytes.subarray(start, end))
  }
  const [first, ...rest] = lines.map(parse)
  if (first?.type !== 'session' || first.version !== 0) return { error: 'header' }
  if (typeof first.id !== 'string' || first.id === '' || !isCount(first.createdAt)) {
    return { error: 'header' }
  }
  const events = []
  let bad = false
  for (const value of rest) {
    const found = expand(value)
    if (bad) {
      if (found?.some(({ type }) => type === 'turn/end')) return { error: 'committed' }
    } else if (found?.every(({ seq }, index) => seq === events.length + index)) {
      events.push(...found)
    } else bad = true
  }
  return { events }
}

function parse(line) {
  const text = line.toString('utf8')
  if (!Buffer.from(text).equals(line)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const ROWS = {
  'text-chunks': ['text-delta', 'text', 'texts'],
  'reasoning-chunks': ['reasoning-delta', 'text', 'texts'],
  'tool-call-chunks': ['tool-call-delta', 'argumentsDelta', 'args'],
}

function expand(value) {
  if (typeof value !== 'object' || value === null || typeof value.type !== 'string')
    return undefined
  if (!Object.hasOwn(ROWS, value.type)) return isEvent(value) ? [value] : undefined
  const [type, piece, pieces] = ROWS[value.type]
  const { seq0, time0, data, ...others } = value
  if (Object.keys(others).join() !== 'type' || typeof data !== 'object' || data === null) {
    return undefined
  }
  const { turn, step, index, dt, id, name, [pieces]: all, ...more } = data
  const numbers = [turn, step, index].every((each) => typeof each === 'number')
  const call = type === 'tool-call-delta'
  const named = 'name' in data
  const strings =
    (call ? typeof id === 'string' : !('id' in data)) &&
    (!named || (call && typeof name === 'string'))
  if (!numbers || !strings || Object.keys(more).length > 0 || !isCount(seq0)) return undefined
  if (!Array.isArray(all) || !Array.isArray(dt) || all.length !== dt.length + 1) return undefined
  let time = time0
  const events = all.map((text, member) => {
    if (member > 0) time = typeof dt[member - 1] === 'number' ? time + dt[member - 1] : NaN
    const chunk = { type, index, ...(call && { id }), ...(named && { name }), [piece]: text }
    return { type: 'assistant/chunk', seq: seq0 + member, time, data: { turn, step, chunk } }
  })
  const sound = all.every((text) => typeof text === 'string') && events.every(isEvent)
  return sound && Number.isSafeInteger(time0) ? events : undefined
}

function isEvent({ type, seq, time, data, surfaceOp, sourceEventSeqs }) {
  if (type === '' || type === 'session' || data === undefined) return false
  if (surfaceOp !== undefined || sourceEventSeqs !== undefined) return false
  return isCount(seq) && Number.isSafeInteger(time) && !Object.is(time, -0)
}

function isCount(value) {
  return Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)
}
