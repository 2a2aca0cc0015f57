import { closeSync, openSync, writeSync } from 'node:fs'
import { messageOf } from 'dsh-brand'
import { ReplayError } from './error.ts'
import type { ReportRecord } from './types.ts'

/** Where a replay says what it did. */
export interface Report {
  /** @throws ReplayError `REPORT_FAILED`: a report with a gap must not pass for a whole one. */
  write(record: ReportRecord): void
  /** Idempotent. Nothing is written afterwards. */
  close(): void
}

/** A report that nobody asked for. */
export const noReport: Report = { write() {}, close() {} }

/**
 * Appends to a JSON Lines file, one synchronous write per record: the reader follows it live, other
 * processes append to it too, and a crash loses nothing that was said.
 * `write` is there for tests.
 * @throws ReplayError `REPORT_FAILED` when the file cannot be opened
 */
export function openReport(file: string, write: typeof writeBytes = writeBytes): Report {
  let fd: number | undefined = attempt(file, () => openSync(file, 'a', 0o600))
  return {
    write(record) {
      const open = fd
      if (open === undefined) return
      const line = Buffer.from(`${JSON.stringify(record)}\n`)
      attempt(file, () => {
        const written = write(open, line)
        if (written !== line.length) throw new Error(`wrote ${written} of ${line.length} bytes`)
      })
    },
    close() {
      if (fd === undefined) return
      closeSync(fd)
      fd = undefined
    },
  }
}

function writeBytes(fd: number, bytes: Uint8Array): number {
  return writeSync(fd, bytes)
}

function attempt<T>(file: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw new ReplayError('REPORT_FAILED', `cannot write the report ${file}: ${messageOf(error)}`)
  }
}
