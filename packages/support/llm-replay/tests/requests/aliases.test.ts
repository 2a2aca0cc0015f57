import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pathsOf } from '../../src/requests/aliases.ts'
import { tempFolder } from '../helpers/log.ts'

const folder = tempFolder()

it('knows a folder by what it was called and by where it is', () => {
  mkdirSync(folder.path('real'))
  symlinkSync(folder.path('real'), folder.path('link'))
  expect(pathsOf(folder.path('link'))).toEqual([
    folder.path('link'),
    realpathSync(folder.path('real')),
  ])
})

it('knows one that is gone by its name', () => {
  expect(pathsOf(folder.path('gone'))).toEqual([folder.path('gone')])
})
