import { readHeader } from '../log/header.ts'
import { isFields } from '../log/lines.ts'
import { readRecords } from '../log/records.ts'
import type { Finding } from './types.ts'

type Extra = Extract<Finding, { kind: 'log-extra' }>

/** What a log tells of its session to somebody who knows nothing of it yet. */
export function whoIs(log: {
  readonly name: string
  readonly text: string
}): Pick<Extra, 'startedBy' | 'asked'> {
  const { parentSession, spawnedBy, seedLength = 0 } = readHeader(log.text, log.name)
  const asked = firstQuestion(log, seedLength)
  return {
    ...(parentSession !== undefined && { startedBy: starter(parentSession, spawnedBy) }),
    ...(asked !== undefined && { asked }),
  }
}

function starter(parent: string, place: ReturnType<typeof readHeader>['spawnedBy']): string {
  if (place === undefined) return parent
  const { turn, step, index } = place
  const by = place.call === undefined ? `plugin ${place.plugin}` : `call ${place.call}`
  return `${parent} in turn ${turn}, step ${step}, ${by}, as its child ${index}`
}

function firstQuestion(
  { name, text }: { readonly name: string; readonly text: string },
  seedLength: number,
): string | undefined {
  const own = readRecords(text, name).slice(1 + seedLength)
  const data = own.find(({ value }) => value['type'] === 'user/message')?.value['data']
  const content = isFields(data) && Array.isArray(data['content']) ? data['content'] : []
  const block: unknown = content.find((each: unknown) => isFields(each) && each['type'] === 'text')
  return isFields(block) ? String(block['text']) : undefined
}
