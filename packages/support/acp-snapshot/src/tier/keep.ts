import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from 'dsh-brand'
import { logFixtures, stdoutFixture } from '../record/fixtures.ts'
import { SYSTEM_FILE, TOOLS_FILE } from '../scenario/files.ts'
import type { NormalRun } from '../verdict/normal-run.ts'
import { pinnedHeader } from '../verdict/pinned.ts'
import type { Invocation, Verdict } from '../verdict/types.ts'
import { verdictJson } from '../verdict/verdict-report.ts'

/** In the folder of a red run: its outputs in normal form, by the names of a scenario's files. */
const NORMAL_DIR = 'normal'
/** In the folder of a red run: the verdict for programs. */
const VERDICT_FILE = 'verdict.json'

/**
 * Adds to the kept folder of a red run what it is looked into for: `diff -r` of the scenario's folder
 * and `normal` shows every difference, not only the first. What cannot be written is told as a notice:
 * it must not stand between people and the verdict.
 */
export async function addToKept(
  verdict: Verdict & Required<Pick<Verdict, 'runDir'>>,
  normal: NormalRun,
  pinned: boolean,
  invocation?: Invocation,
): Promise<Verdict> {
  const { runDir } = verdict
  try {
    const dir = join(runDir, NORMAL_DIR)
    await mkdir(dir, { recursive: true })
    for (const [name, text] of normalFiles(normal, pinned)) await writeFile(join(dir, name), text)
    const text = verdictJson(verdict, { ...(invocation !== undefined && { invocation }) })
    await writeFile(join(runDir, VERDICT_FILE), `${text}\n`)
    return verdict
  } catch (error) {
    const notice = `${runDir} lacks what helps to look into it: ${messageOf(error)}`
    return { ...verdict, notices: [...verdict.notices, notice] }
  }
}

function normalFiles(normal: NormalRun, pinned: boolean): Map<string, string> {
  const header = pinned ? pinnedHeader(normal.logs[0]?.text ?? '') : undefined
  const files = new Map([...logFixtures(normal), ...stdoutFixture(normal)])
  if (header === undefined) return files
  return files.set(SYSTEM_FILE, header.system).set(TOOLS_FILE, header.tools)
}
