import { describe, expect, it } from 'vitest'
import { DIALECTS, inDialect } from '../../engine/scenarios/in-dialect.fixture.ts'
import type { ModelRequest } from '../../models/model-client.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import type { ScriptedReply, Step } from '../../testing/index.ts'
import { calls, callsMany, says, stubTool } from '../../testing/index.ts'
import { createAskUserTool } from '../../tools/ask-user.ts'
import { agent, delegate } from './delegation.fixture.ts'
import { sound, start, THREAD } from './restarts.fixture.ts'

const TO = { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] }
/** More commits than these turns make. */
const MOST_COMMITS = 100

function createTools() {
  const sent: unknown[] = []
  const send = stubTool('send', ({ to }) => (sent.push(to), 'sent'), {
    input: TO,
    effect: 'write',
    returns: [],
  })
  return {
    sent,
    tools: [stubTool('look', () => 'seen', { input: TO, returns: [] }), send, createAskUserTool()],
  }
}

/** The same reply for the same number of results, in every process. */
const byResults = (...replies: readonly ScriptedReply[]): readonly Step[] =>
  Array.from({ length: 20 }, () => ({ messages }: ModelRequest) => {
    const results = messages.filter(({ role }) => role === 'tool').length
    return replies[Math.min(results, replies.length - 1)]!
  })

/** The ends of the calls, each once. */
async function endsOf(store: Store): Promise<readonly string[]> {
  const events = await store.ledger.readEvents(THREAD, 0)
  return events.flatMap((one) =>
    one.type === 'tool-end' ? [`${one.tool} ${one.failure?.class ?? 'ok'}`] : [],
  )
}

describe.each(DIALECTS)('after a restart, in %s,', (dialect) => {
  const write = (steps: readonly Step[]) => steps.map((step) => inDialect(step, dialect, createTools().tools))

  it('a turn goes on wherever it was killed, and sends once or says that nobody knows', async () => {
    const steps = write(
      byResults(
        callsMany([
          { tool: 'look', args: { to: 'ada' } },
          { tool: 'send', args: { to: 'ada' } },
        ]),
        says('never'),
        calls('look', { to: 'bob' }),
        says('Done.'),
      ),
    )
    let n = 1
    for (let wasKilled = true; wasKilled && n < MOST_COMMITS; n++) {
      const store = createMemoryStore()
      const first = createTools()
      const before = await start(store, steps, { tools: first.tools, dialect, safety: { mode: 'full' } }, n)
      await Promise.race([before.session.send('Send it to ada.'), before.process.killed])
      wasKilled = before.process.isKilled
      const next = createTools()
      if (wasKilled) {
        const { threads } = await start(store, steps, {
          tools: next.tools,
          dialect,
          safety: { mode: 'full' },
        })
        await threads.resume()
        await threads.idle()
      }
      const [run] = await store.runs.list({ userId: 'local', depth: 0 })
      expect(run?.outcome, `killed after commit ${n}`).toMatchObject({ type: 'done', text: 'Done.' })
      const sent = [...first.sent, ...next.sent]
      const ends = await endsOf(store)
      expect(ends.filter((end) => end.startsWith('send'))).toEqual([
        sent.length === 1 && ends.includes('send ok') ? 'send ok' : 'send interrupted',
      ])
      expect(sent.length).toBeLessThan(2)
      expect(await sound(store)).toEqual([])
    }
    expect(n).toBeGreaterThan(5)
  })

  it('an approval that was asked for before it is answered, and the call runs once', async () => {
    const store = createMemoryStore()
    const { sent, tools } = createTools()
    const before = await start(store, write([calls('send', { to: 'ada' })]), { tools, dialect })
    await before.session.submit('Send it.')
    await before.threads.idle()
    before.kill()
    const next = await start(store, write([says('Sent.')]), { tools, dialect })
    await next.threads.resume()
    const [open] = await next.threads.pendingApprovals()
    await next.threads.answer(open!.id, 'allow-once')
    await next.threads.idle()
    expect(sent).toEqual(['ada'])
    expect(next.events.of('turn-end').at(-1)?.outcome).toMatchObject({ type: 'done', text: 'Sent.' })
    expect(await sound(store)).toEqual([])
  })

  it('a sub-agent that waits is continued in its own conversation', async () => {
    const store = createMemoryStore()
    const { tools } = createTools()
    const options = { tools, dialect, agents: [agent('clerk')] }
    const question = calls('ask_user', { question: 'Where?' })
    const before = await start(store, write([delegate('clerk'), question, says('Where?')]), options)
    await before.session.send('File it.')
    before.kill()
    const goOn = calls('continue_agent', { agent: 'clerk_1', message: 'There.' })
    const steps = write([goOn, calls('look', { to: 'there' }), says('Filed.'), says('Done.')])
    const next = await start(store, steps, options)
    expect(await next.session.send('There.')).toMatchObject({ type: 'done', text: 'Done.' })
    expect(await endsOf(store)).toEqual([
      'ask_user ok',
      'delegate_to_clerk ok',
      'look ok',
      'continue_agent ok',
    ])
    expect(next.model.request(1).system).toBe(before.model.request(1).system)
    expect(await sound(store)).toEqual([])
  })
})
