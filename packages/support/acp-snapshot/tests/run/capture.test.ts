import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultLimits, type RunLimits } from '../../src/run/limits.ts'
import { OutputFile } from '../../src/run/output-file.ts'
import { StderrCapture } from '../../src/run/stderr-capture.ts'
import { StdoutCapture } from '../../src/run/stdout-capture.ts'
import type { RunFault } from '../../src/run/types.ts'
import { useTempDir } from './harness.ts'

const temp = useTempDir()

function capture(limits: Partial<RunLimits> = {}, stopped = new AbortController().signal) {
  const name = path.join(temp(), 'stdout')
  const file = new OutputFile(name)
  const seen: unknown[] = []
  const stdout = new StdoutCapture(
    file,
    { ...defaultLimits, ...limits },
    {
      message: (message) => seen.push(message),
      fault: (fault) => seen.push(fault),
      flood: (fault) => seen.push(fault),
    },
    stopped,
  )
  const content = async (): Promise<string> => {
    await file.close()
    return readFile(name, 'utf8')
  }
  return { stdout, seen, content, write: (text: string) => stdout.write(Buffer.from(text)) }
}

const note = '{"jsonrpc":"2.0","method":"x"}'

describe('stdout', () => {
  test('only the first faults are told, and texts are cut', async () => {
    const { stdout, seen, write } = capture()
    void write(`${'y'.repeat(600)}\n`)
    for (let line = 2; line <= 30; line += 1) void write(`line ${line}\n`)
    expect(seen).toHaveLength(10)
    expect(seen[0]).toEqual({
      kind: 'protocol-line',
      line: 1,
      text: 'y'.repeat(500),
      problem: 'not-json',
    })
    expect(seen[9]).toMatchObject({ line: 10, text: 'line 10' })
    expect(stdout.lines).toHaveLength(30)
  })

  test('a whole message without a newline was never sent, and the next process starts afresh', () => {
    const { stdout, seen, write } = capture()
    void write(note)
    stdout.endProcess(true)
    stdout.endProcess(true)
    void write(`${note}\n`)
    expect(seen).toEqual([
      { kind: 'protocol-line', line: 1, text: note, problem: 'unterminated' },
      JSON.parse(note),
    ])
    expect(stdout.lines).toEqual([note, note])
  })

  test('a line that was cut off by us is kept, and no fault', () => {
    const { stdout, seen, write } = capture()
    void write('{"half')
    stdout.endProcess(false)
    expect(stdout.lines).toEqual(['{"half'])
    expect(seen).toEqual([])
  })

  test('a message that stops the run is the last that is read', () => {
    const stopped = new AbortController()
    const { stdout, seen, write } = capture({}, stopped.signal)
    seen.push = () => {
      stopped.abort()
      return 0
    }
    void write(`${note}\n${note}\n`)
    expect(stdout.lines).toEqual([note])
  })

  test('many lines are read by turns, so that others have theirs', async () => {
    const { stdout, write } = capture()
    expect(write(`${note}\n`.repeat(100))).toBeUndefined()
    const others: number[] = []
    const look = (): void => {
      others.push(stdout.lines.length)
      if (stdout.lines.length < 350) setImmediate(look)
    }
    const taken = write(`${note}\n`.repeat(250))
    look()
    await taken
    expect(others.slice(0, 3)).toEqual([200, 300, 350])
  })

  test('nothing is read once the run is stopped, in the middle of a flood too', async () => {
    const stopped = new AbortController()
    const { stdout, seen, write, content } = capture({}, stopped.signal)
    const taken = write(`${note}\n`.repeat(250))
    stopped.abort()
    await taken
    expect(write(`${note}\n`)).toBeUndefined()
    void write('{"half')
    stdout.endProcess(true)
    expect(stdout.lines).toHaveLength(100)
    expect(seen).toHaveLength(100)
    expect(await content()).toBe(`${note}\n`.repeat(250))
  })

  test('the number of lines is bounded', () => {
    const { stdout, seen, write } = capture({ stdoutLines: 2 })
    void write(`${note}\n`.repeat(2))
    expect(seen).toHaveLength(2)
    void write(`${note}\n`.repeat(2))
    expect(seen.slice(2)).toEqual([{ kind: 'output-too-large', stream: 'stdout', lines: 2 }])
    expect(stdout.lines).toHaveLength(2)
  })

  test.each([
    ['all of it', { stdoutBytes: note.length + 1 }, [`${note}\n`, 'a'], `${note}\n`],
    [
      'a line that ends',
      { lineBytes: note.length },
      [`${note}\n${note} \n`],
      `${note}\n${note} \n`,
    ],
    ['a line that does not end', { lineBytes: note.length }, [`${note}\n`, `${note} `], undefined],
  ])('is bounded: %s', async (_what, limits, texts, file) => {
    const { stdout, seen, write, content } = capture(limits)
    for (const text of texts) void write(text)
    expect(seen).toEqual([
      JSON.parse(note),
      {
        kind: 'output-too-large',
        stream: 'stdout',
        bytes: Object.values(limits)[0],
      },
    ])
    void write(`${note}\n`)
    stdout.endProcess(true)
    expect(seen).toHaveLength(2)
    expect(stdout.lines).toEqual([note])
    expect(await content()).toBe(file ?? texts.join(''))
  })
})

describe('stderr', () => {
  function captureStderr(limits: Partial<RunLimits> = {}) {
    const name = path.join(temp(), 'stderr')
    const file = new OutputFile(name)
    const faults: RunFault[] = []
    const stderr = new StderrCapture(file, { ...defaultLimits, ...limits }, (fault) =>
      faults.push(fault),
    )
    return { stderr, file, name, faults, write: (text: string) => stderr.write(Buffer.from(text)) }
  }

  test('short output is its own tail', async () => {
    const { stderr, file, name, faults, write } = captureStderr()
    write('a\n')
    write('b')
    expect(stderr.tail()).toBe('a\nb')
    await file.close()
    expect(await readFile(name, 'utf8')).toBe('a\nb')
    expect(faults).toEqual([])
  })

  test('the tail of long output is whole lines', () => {
    const { stderr, write } = captureStderr()
    write(`first\n${'é'.repeat(10_000)}\n`)
    write('one\n')
    write('two\n')
    expect(stderr.tail()).toBe('one\ntwo\n')
  })

  test('what people have to know is noticed once, in whatever pieces it comes', async () => {
    const { stderr, file, write } = captureStderr()
    write('[W] tool-bash commands keep their net')
    write(
      'work: no unshare\ncommands keep their networks\nb: commands keep their network: no unshare\n',
    )
    write('commands keep their network')
    expect(stderr.notices()).toEqual([
      'commands keep their network: no unshare',
      'commands keep their network',
    ])
    expect(stderr.notices()).toHaveLength(2)
    await file.close()
  })

  test('exactly as much as the tail holds is kept whole', () => {
    const { stderr, write } = captureStderr()
    write(`a\n${'x'.repeat(8 * 1024 - 2)}`)
    expect(stderr.tail()).toHaveLength(8 * 1024)
    write('y')
    expect(stderr.tail()).toHaveLength(8 * 1024 - 1)
    expect(stderr.tail().endsWith('xy')).toBe(true)
  })

  test('is bounded, and its tail shows where', async () => {
    const { stderr, file, name, faults, write } = captureStderr({ stderrBytes: 4 })
    write('abcd')
    expect(faults).toEqual([])
    write('e')
    write('f')
    expect(faults).toEqual([{ kind: 'output-too-large', stream: 'stderr', bytes: 4 }])
    expect(stderr.tail()).toBe('abcde')
    await file.close()
    expect(await readFile(name, 'utf8')).toBe('abcd')
  })
})

test('an output file that cannot be written says so when it is closed', async () => {
  const file = new OutputFile(path.join(temp(), 'missing/file'))
  file.write(Buffer.from('x'))
  // Long enough for the error to come before anybody asks.
  for (const name of ['a', 'b', 'c']) await access(path.join(temp(), name)).catch(() => {})
  await expect(file.close()).rejects.toMatchObject({ code: 'ENOENT' })
})
