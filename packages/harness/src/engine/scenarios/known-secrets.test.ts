import { createSession, defineTool } from '@capstan/harness'
import {
  ALLOW_ALL,
  calls,
  fails,
  raw,
  recordEvents,
  says,
  ScriptedModel,
  SCRIPTED_USAGE,
} from '@capstan/harness/testing'
import { describe, expect, it } from 'vitest'

const SECRET = 'tok-5f1c9a7e3b-VERY-private-0d4e8b6a21'
const OTHER = 'tok-5f1c9a7e3b-another-secret-77'
const GITHUB = `ghp_${'a1B2c3D4e5'.repeat(3)}XyZ789`

const finish = { type: 'finish', reason: 'stop', usage: SCRIPTED_USAGE } as const

function start(model: ScriptedModel, secrets: () => readonly string[] = () => [SECRET, OTHER]) {
  const events = recordEvents()
  const ran: unknown[] = []
  const keep = defineTool({
    name: 'keep',
    description: 'Keeps a text.',
    effect: 'read',
    input: { type: 'object' },
    run: (args) => ran.push(args),
  })
  const values = secrets()
  const safety = { ...ALLOW_ALL, secrets: () => values }
  const session = createSession({ model, tools: [keep], safety, onEvent: events.onEvent })
  const seen = () =>
    JSON.stringify([
      events.all,
      Array.from({ length: model.requests }, (_, n) => model.request(n)),
      session.messages,
    ])
  return { session, events, ran, seen }
}

const pieces = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

describe('a known secret', () => {
  it.each([1, 3, 7, 100])(
    'is hidden in text and reasoning that come in pieces of %i characters',
    async (size) => {
      const model = new ScriptedModel(
        raw([
          ...pieces(`I think of ${SECRET}, then.`, size).map(
            (delta) => ({ type: 'reasoning', delta }) as const,
          ),
          ...pieces(`It is ${SECRET} and tok-5f1c9 ${OTHER}`, size).map(
            (delta) => ({ type: 'text', delta }) as const,
          ),
          finish,
        ]),
      )
      const { session, events, seen } = start(model)
      const outcome = await session.send('Which?')
      const answer = 'It is [secret:stored-credential] and tok-5f1c9 [secret:stored-credential]'
      expect(outcome).toMatchObject({ type: 'done', text: answer })
      expect(
        events
          .of('text-delta')
          .map(({ delta }) => delta)
          .join(''),
      ).toBe(answer)
      expect(
        events
          .of('reasoning-delta')
          .map(({ delta }) => delta)
          .join(''),
      ).toBe('I think of [secret:stored-credential], then.')
      expect(seen()).not.toContain('5f1c9a7e3b')
    },
  )

  it('is hidden in what the user writes, before the model gets it', async () => {
    const model = new ScriptedModel(says('ok'))
    const { session, seen } = start(model)
    await session.send(`My key is ${SECRET}.`)
    expect(JSON.stringify(model.request(0))).toContain('My key is [secret:stored-credential].')
    expect(seen()).not.toContain(SECRET)
  })

  it('is hidden in a message to a running turn', async () => {
    const model = new ScriptedModel(calls('keep'), says('ok'))
    const { session, events, seen } = start(model)
    const started = events.next('tool-start')
    const outcome = session.send('go')
    await started
    await session.submit(`Use ${SECRET}`, { mode: 'follow-up', fallback: 'refuse' }).catch(() => {})
    await outcome
    expect(seen()).not.toContain(SECRET)
  })

  it('is hidden in the arguments of a call, shown and run', async () => {
    const text = JSON.stringify({ note: `key ${SECRET}` })
    const model = new ScriptedModel(
      raw([
        { type: 'call-start', id: 'c1', tool: 'keep' },
        ...pieces(text, 5).map((delta) => ({ type: 'call-delta', id: 'c1', delta }) as const),
        { type: 'call', id: 'c1', tool: 'keep', argumentsText: text },
        { ...finish, reason: 'tool-calls' },
      ]),
      says('ok'),
    )
    const { session, ran, seen } = start(model)
    await session.send('go')
    expect(ran).toEqual([{ note: 'key [secret:stored-credential]' }])
    expect(seen()).not.toContain(SECRET)
  })

  it('is hidden in the failure of a model whose error quotes it', async () => {
    const model = new ScriptedModel(fails({ httpStatus: 401, errorCode: `bad_key ${SECRET}` }))
    const { session, seen } = start(model)
    expect(await session.send('go')).toMatchObject({ type: 'failed' })
    expect(seen()).not.toContain(SECRET)
  })
})

describe('what looks like a secret', () => {
  it('is hidden in the arguments that are shown, in pieces of any size', async () => {
    const text = JSON.stringify({ note: GITHUB })
    const model = new ScriptedModel(
      raw([
        { type: 'call-start', id: 'c1', tool: 'keep' },
        ...pieces(text, 5).map((delta) => ({ type: 'call-delta', id: 'c1', delta }) as const),
        { type: 'call', id: 'c1', tool: 'keep', argumentsText: text },
        { ...finish, reason: 'tool-calls' },
      ]),
      says('ok'),
    )
    const { session, events, ran } = start(model)
    await session.send('go')
    const shown = events
      .of('tool-args-delta')
      .map(({ delta }) => delta)
      .join('')
    expect(JSON.parse(shown)).toEqual({ note: expect.stringMatching(/^\[secret/) })
    expect(JSON.stringify(events.all)).not.toContain(GITHUB)
    expect(ran).toEqual([{ note: GITHUB }])
  })
})
