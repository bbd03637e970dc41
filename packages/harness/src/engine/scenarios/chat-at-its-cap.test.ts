import { describe, expect, it } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { restoreThread } from '../../ledger/restore-thread.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { ScriptedReply } from '../../testing/index.ts'
import {
  calls,
  cuts,
  empty,
  fails,
  recordEvents,
  says,
  ScriptedModel,
  stalls,
  stubTool,
  text,
} from '../../testing/index.ts'
import { ConfigurationError } from '../../turn/errors.ts'
import { textOf } from '../../turn/message/message.ts'

const clockTool = stubTool('clock', () => '12:00')
const asks = (n: number): ScriptedReply => calls('clock', { n })
const looping = (times: number) => Array.from({ length: times }, (_, n) => asks(n))

describe('a chat turn at its cap', () => {
  const limits = { maxIterations: 2 }

  it('ends with a summary, streamed as one more iteration with tools off', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(...looping(2), says('I looked twice.', { chunk: 3 }))
    const session = createSession({ model, tools: [clockTool], limits, onEvent: events.onEvent })
    const outcome = await session.send('What time is it?')
    expect(outcome).toMatchObject({
      type: 'capped',
      text: 'I looked twice.',
      iterations: 2,
      cap: { kind: 'iterations', limit: 2 },
    })
    expect(events.text()).toBe('I looked twice.')
    expect(new Set(events.of('text-delta').map(({ iteration }) => iteration))).toEqual(new Set([3]))
    const asked = model.request(2)
    expect(asked.tools).toEqual([])
    expect(textOf(asked.messages.at(-1)!)).toContain('What time is it?')
    expect(textOf(asked.messages.at(-1)!)).toContain('clock [ok]: 12:00')
    expect(outcome.usage.inputTokens).toBe(30)
    expect(session.messages.map(textOf).at(-1)).toBe('I looked twice.')
  })

  it('reports notice-add for exactly the notices in the conversation', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(...looping(2), says('I looked twice.'))
    const session = createSession({ model, tools: [clockTool], limits, onEvent: events.onEvent })
    await session.send('go')
    const notices = session.messages.filter(({ role }) => role === 'notice').map(textOf)
    expect(events.of('notice-add').map(({ text: line }) => line)).toEqual(notices)
  })

  it.each([
    ['fails', fails(401)],
    ['is empty', empty()],
    ['breaks off', cuts([text('I look')])],
  ])('lists its calls itself when the summary %s', async (_how, summary) => {
    const model = new ScriptedModel(asks(1), calls('mcp:broken'), summary)
    const session = createSession({ model, tools: [clockTool], limits })
    const outcome = await session.send('go')
    expect(outcome.type).toBe('capped')
    expect(outcome.text).toContain('- clock [ok]')
    expect(outcome.text).toContain('- mcp:broken [failed]')
    expect(outcome.text).toContain('continue')
  })

  it('is aborted, not capped, when the user stops it during the summary', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(...looping(2), stalls([text('I loo')]))
    const session = createSession({ model, tools: [clockTool], limits, onEvent: events.onEvent })
    const turn = session.send('go')
    await events.next('text-delta')
    session.stop()
    expect(await turn).toMatchObject({ type: 'aborted' })
  })

  it('continues once with its token, from where it stopped', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(...looping(2), says('Twice so far.'), asks(3), says('Noon.'))
    const store = createMemoryStore()
    const session = createSession({ model, tools: [clockTool], limits, store, onEvent: events.onEvent })
    const capped = await session.send('go')
    const token = capped.type === 'capped' ? capped.resumeToken! : ''
    expect(await (await session.continue(token)).outcome).toMatchObject({
      type: 'done',
      text: 'Noon.',
      iterations: 2,
    })
    expect(textOf(model.request(3).messages.at(-1)!)).toContain('continue')
    await expect(session.continue(token)).rejects.toThrow('token')
    const kept = restoreThread(await store.ledger.read(session.threadId))
    expect(kept.conversations.get(session.threadId)?.messages).toEqual(session.messages)
    expect(events.of('notice-add')).toHaveLength(1)
  })

  it('loses its token at the next message', async () => {
    const model = new ScriptedModel(...looping(2), says('Twice.'), says('Fine.'))
    const session = createSession({ model, tools: [clockTool], limits })
    const capped = await session.send('go')
    await session.send('never mind')
    const token = capped.type === 'capped' ? capped.resumeToken! : ''
    await expect(session.continue(token)).rejects.toBeInstanceOf(ConfigurationError)
  })

  it('gives a token only when it was capped', async () => {
    const session = createSession({ model: new ScriptedModel() })
    await expect(session.continue(undefined as unknown as string)).rejects.toThrow('token')
  })
})
