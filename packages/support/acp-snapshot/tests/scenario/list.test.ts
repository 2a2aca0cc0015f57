import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listScenarios, selectScenarios } from '../../src/scenario/list.ts'
import { tempTree } from '../temp.ts'

const tree = () => tempTree({ 'b/': '', 'a-long/': '', '.git/': '', 'file.txt': '' })

it('lists folders by name', async () => {
  expect(await listScenarios(tree())).toEqual(['a-long', 'b'])
  await expect(listScenarios(join(tree(), 'none'))).rejects.toMatchObject({
    code: 'BAD_SCENARIO',
    message: expect.stringMatching(
      /^cannot list .*none: ENOENT.*; expected a folder that holds one folder per scenario$/,
    ) as string,
  })
})

it('selects the named ones once, in the order of the names, or all', async () => {
  const root = tree()
  expect(await selectScenarios(root, [])).toEqual([join(root, 'a-long'), join(root, 'b')])
  expect(await selectScenarios(root, ['b', 'a-long', 'b'])).toEqual([
    join(root, 'b'),
    join(root, 'a-long'),
  ])
})

it('refuses a name that there is not', async () => {
  const root = tree()
  await expect(selectScenarios(root, ['b', 'a-lnog'])).rejects.toMatchObject({
    code: 'BAD_SCENARIO',
    message: `no scenario "a-lnog", did you mean "a-long"? (in ${root})`,
  })
  await expect(selectScenarios(root, ['zz'])).rejects.toThrow(
    'no scenario "zz"; known here: a-long, b',
  )
  await expect(selectScenarios(tempTree({}), ['zz'])).rejects.toThrow('known here: none (in ')
})
