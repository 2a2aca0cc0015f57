import { Context } from '@deepseek-ai/cordis'
import { Loader } from '@deepseek-ai/cordis-plugin-loader'
import * as llm from 'dsh-llm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as plugin from '../src/index.ts'
import { call, collect } from './helpers/agent.ts'
import { events, header, logText, readReport, steps, tempFolder, textOf } from './helpers/log.ts'

const folder = tempFolder()
const file = folder.write('session.jsonl', logText(header(), events(steps('a'))))
const ACTIVE = 2

afterEach(() => vi.unstubAllEnvs())

/** Loads rows as `cordis.yml` would give them, with plugins found by package name. */
async function load(config?: object) {
  const ctx = new Context()
  await ctx.plugin(Loader)
  const modules: Record<string, unknown> = { 'dsh-llm': llm, 'dsh-llm-replay': plugin }
  ctx.loader.internal = { import: (name: string) => Promise.resolve(modules[name]) } as never
  await ctx.loader.create({ name: 'dsh-llm' })
  const id = await ctx.loader.create({
    name: 'dsh-llm-replay',
    ...(config === undefined ? {} : { config }),
  })
  await ctx.loader.await()
  return { ctx, id, state: ctx.loader.store[id]?.fiber?.state }
}

describe('the plugin', () => {
  it('has the shape that the loader needs: named exports and no default', () => {
    expect(plugin).not.toHaveProperty('default')
    expect(plugin.name).toBe('llm-replay')
    expect(plugin.inject).toEqual(['llm'])
    expect(plugin.apply).toBeInstanceOf(Function)
  })

  it('exports what its users need', () => {
    expect(Object.keys(plugin).sort()).toEqual(
      [
        'AFTER_ESCAPE',
        'CWD_TOKEN',
        'Config',
        'ReplayError',
        'UUID_PATTERN',
        'apply',
        'cwdMapping',
        'cwdTokens',
        'deriveReplayScript',
        'findByRules',
        'inject',
        'installLlmReplay',
        'isTime',
        'isUuid',
        'lexicalAliases',
        'loadReplayScript',
        'loadSessionScripts',
        'name',
        'parseSessionHeader',
        'parseSessionLog',
        'replaceAcrossDeltas',
        'replaceInText',
        'ruleProblems',
      ].sort(),
    )
  })

  it('replays when loaded by the real loader, and stops when its row goes', async () => {
    const reportFile = folder.path('report.jsonl')
    const { ctx, id, state } = await load({ file, reportFile })
    expect(state).toBe(ACTIVE)
    expect(textOf(await collect(call(ctx, 's')))).toBe('a')
    ctx.loader.remove(id)
    await ctx.loader.await()
    expect(readReport(reportFile).at(-1)).toEqual({ event: 'left', lane: 0, served: 1, left: 0 })
    await expect(collect(call(ctx, 's'))).rejects.toMatchObject({ code: 'NO_ADAPTER' })
  })

  it('case R6: loads from the environment alone, with a wrong key in it', async () => {
    vi.stubEnv('DSH_SNAPSHOT_FILE', file)
    vi.stubEnv('DEEPSEEK_API_KEY', 'wrong')
    const { ctx, state } = await load()
    expect(state).toBe(ACTIVE)
    expect(textOf(await collect(call(ctx)))).toBe('a')
  })

  it.each([
    ['without a file', {}, 'no recorded session is given'],
    ['with a key that it does not know', { files: 'x' }, 'files'],
  ])('does not load %s, and says why', async (_, config, reason) => {
    vi.stubEnv('DSH_SNAPSHOT_FILE', '')
    const { ctx, state } = await load(config)
    expect(state).not.toBe(ACTIVE)
    const said = JSON.stringify(ctx.logger.buffer, (_, value: unknown) =>
      value instanceof Error ? value.message : value,
    )
    expect(said).toContain(reason)
  })
})
