import { expect, test } from 'vitest'
import type { Session, SessionId } from 'dsh-session'
import { depthOf } from '../src/depth.ts'

const session = (id: string, parent?: string): Session =>
  ({
    id: id as SessionId,
    header: {
      type: 'session',
      version: 0,
      id: id as SessionId,
      createdAt: 0,
      ...(parent !== undefined && { parentSession: parent as SessionId }),
    },
  }) as Session

const among =
  (...sessions: readonly Session[]) =>
  (id: SessionId): Session | undefined =>
    sessions.find((one) => one.id === id)

test('counts the parents', () => {
  const [root, child, grandchild] = [session('r'), session('c', 'r'), session('g', 'c')] as const
  expect(depthOf(root, among())).toBe(0)
  expect(depthOf(child, among(root))).toBe(1)
  expect(depthOf(grandchild, among(root, child))).toBe(2)
})

test('a child whose parent is not live is at least a child', () => {
  expect(depthOf(session('c', 'r'), among())).toBe(1)
  expect(depthOf(session('g', 'c'), among(session('c', 'r')))).toBe(2)
})

test('comes to an end where parents go round', () => {
  const [one, other] = [session('a', 'b'), session('b', 'a')]
  expect(depthOf(one, among(one, other))).toBe(2)
})
