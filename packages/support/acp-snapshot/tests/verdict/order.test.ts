import { expect, it } from 'vitest'
import { orderDifferences } from '../../src/verdict/order.ts'
import type { Difference, Finding } from '../../src/verdict/types.ts'

const lanes = ['0', '0/1.2.0.0', '0/1.20.0.0', '1'].map((lineage, lane) => {
  return { file: `session.${lane}.jsonl`, calls: 1, lineage }
})
const differs = (lane: number, more: Partial<Difference> = {}): Finding => {
  const difference = { line: 9, path: '', expected: '1', actual: '2', turn: 1, step: 2, ...more }
  return { kind: 'log-differs', file: `session.${lane}.jsonl`, difference }
}
const result = differs(0, { eventType: 'tool/result' })
const order = (...findings: Finding[]) =>
  orderDifferences(findings, lanes).map((finding) => findings.indexOf(finding))

it('puts missing logs first, then the header, the logs, and the transcript', () => {
  const difference = { line: 1, path: '', expected: '1', actual: '2' }
  const said: Finding = { kind: 'stdout-differs', file: 's', difference }
  const header: Finding = { kind: 'header-differs', file: 'system.expected.txt', difference }
  const missing: Finding = { kind: 'log-missing', file: 'session.1.jsonl' }
  const none: Finding = { kind: 'stdout-missing', file: 's' }
  expect(order(said, differs(0), header, missing)).toEqual([3, 2, 1, 0])
  expect(order(none, differs(0))).toEqual([1, 0])
})

it('puts a child before its parent where that parts at what the child gave back', () => {
  expect(order(result, differs(1))).toEqual([1, 0])
})

it.each([
  ['at another event', differs(0, { eventType: 'user/message' }), differs(1)],
  ['at the result of another step', result, differs(2)],
  ['and the other is no child of it', result, differs(3)],
  ['and its lane is not known', differs(9, { eventType: 'tool/result' }), differs(1)],
])('leaves the order where the parent parts %s', (_why, parent, other) => {
  expect(order(parent, other)).toEqual([0, 1])
})
