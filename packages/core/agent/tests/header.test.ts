import { describe, expect, it } from 'vitest'
import { calls, rig, say, text, tool } from './harness.ts'

describe('the request header', () => {
  it('is logged before the first request only, with what is set', async () => {
    const r = await rig([calls('t'), text('a'), text('b')], {
      tools: [tool('t', async () => say('out'))],
    })
    await r.agent.prompt(say('x'))
    await r.agent.prompt(say('y'))
    expect(r.data('request/header')).toEqual([
      {
        header: {
          config: { model: 'deepseek-v4-flash' },
          system: r.requests[0]?.system,
          tools: r.requests[0]?.tools,
        },
        reason: 'initial',
      },
    ])
    expect(r.types()).not.toContain('request/header-delta')
  })

  it('holds every setting of the configuration, and the model that the agent was made with', async () => {
    const config = { model: 'm', temperature: 0.5, maxTokens: 9, stop: ['x'] }
    const r = await rig([text('a')], { config, model: 'other' })
    expect(r.ctx.agents.config).toEqual(config)
    await r.agent.prompt(say('x'))
    expect(r.data('request/header')[0]).toMatchObject({
      header: { config: { model: 'other', temperature: 0.5, maxTokens: 9, stop: ['x'] } },
    })
    expect(r.requests[0]).toMatchObject({ ...config, model: 'other' })
  })

  it('has system and tools even when they are empty', async () => {
    const r = await rig([text('a')])
    r.ctx.on('agent/request', (_request, _session, next) => {
      const { system: _system, tools: _tools, ...rest } = next()
      return rest
    })
    await r.agent.prompt(say('x'))
    expect(r.data('request/header')[0]).toMatchObject({ header: { system: '', tools: [] } })
  })

  it('is logged as a delta when it changes, and what is logged is what is sent', async () => {
    const r = await rig([text('a'), text('b'), text('c')])
    let temperature: number | undefined
    r.ctx.on('agent/request', (_request, session, next) => {
      expect(session).toBe(r.session)
      return { ...next(), ...(temperature !== undefined && { temperature }) }
    })
    await r.agent.prompt(say('x'))
    temperature = 1
    await r.agent.prompt(say('y'))
    await r.agent.prompt(say('z'))
    expect(r.data('request/header')).toHaveLength(1)
    expect(r.data('request/header-delta')).toEqual([
      { config: { model: 'deepseek-v4-flash', temperature: 1 } },
    ])
    expect(r.requests[1]?.temperature).toBe(1)
    const types = r.types()
    const delta = types.indexOf('request/header-delta')
    expect(types[delta - 1]).toBe('step/start')
  })

  it('is logged whole, as a fallback, when a delta would not give it back', async () => {
    const r = await rig([text('a'), text('b')], { tools: [tool('a', async () => say(''))] })
    let twice = false
    r.ctx.on('agent/request', (_request, _session, next) => {
      const request = next()
      const tools = request.tools ?? []
      return twice ? { ...request, tools: [...tools, ...tools] } : request
    })
    await r.agent.prompt(say('x'))
    twice = true
    await r.agent.prompt(say('y'))
    expect(r.data('request/header').map((data) => (data as { reason: string }).reason)).toEqual([
      'initial',
      'fallback',
    ])
  })
})
