import type { Message, Session, ToolContext } from '@capstan/harness'
import { createSession, defineTool } from '@capstan/harness'
import { createMemoryApprovals } from '@capstan/harness/stores'
import { describe, expect, it } from 'vitest'
import { createDemoModel } from './demo-model.ts'
import { nextReply } from './demo-script.ts'
import { createDemoTools } from './demo-tools.ts'
import { notesHelper } from './notes-helper.ts'
import { CALM, FAST } from './pace.ts'
import { DEMO_PROMPT } from './trip-scenes.ts'

const NOTES_HELPER = defineTool({
  name: 'delegate_to_notes_helper',
  description: '',
  input: { type: 'object' },
  run: () => '',
})

const openSession = () =>
  createSession({ model: createDemoModel(FAST), tools: createDemoTools(FAST), agents: [notesHelper] })

const user = (text: string, delivery?: 'steer'): Message => ({
  role: 'user',
  parts: [{ type: 'text', text }],
  ...(delivery ? { delivery } : undefined),
})

describe('the demo model', () => {
  it.each([
    ['What time is it?', /^It is \d\d:\d\d on \w+day\.$/],
    ['Find my notes about the ferry', /18:40 from pier 4/],
    ['What should I pack?', /The notes helper says: Rain jacket/],
    ['Am I free tonight?', /could not read it/],
    ['Compose an opera', /a script, not an AI/],
  ])('answers "%s" from the results of its tools', async (request, answer) => {
    const outcome = await openSession().send(request)
    expect(outcome).toMatchObject({ type: 'done', text: expect.stringMatching(answer) })
    expect(outcome.usage).toMatchObject({ chargedUsd: 0, estimatedUsd: 0 })
  })

  it('accepts an image and says that it cannot look at it', async () => {
    const attachments = [
      { name: 'sea.png', mediaType: 'image/png', bytes: new Uint8Array([137, 80, 78, 71]) },
    ]
    const outcome = await openSession().send({ text: 'What time is it?', attachments })
    expect(outcome).toMatchObject({ type: 'done', text: expect.stringMatching(/^It is \d\d:\d\d/) })
    const reply = await openSession().send({ text: 'What is on this picture?', attachments })
    expect(reply.text).toMatch(/^A script has no eyes: I cannot look at what you sent\. I am the demo model/)
  })

  it.each([
    ['allow-once', 'It is in your notes now.', /buy flour: buy flour/],
    ['deny', 'It is not in your notes. Ask again if you change your mind.', /No note contains that/],
  ] as const)('asks before it saves a note and reports the result: %s', async (answer, words, found) => {
    const approvals = createMemoryApprovals()
    const tools = createDemoTools(FAST)
    const session = createSession({
      model: createDemoModel(FAST),
      tools,
      agents: [notesHelper],
      origin: 'cli',
      safety: { approvals },
      onEvent: (event) => {
        if (event.type === 'approval-request') approvals.answer(event.approvalId, answer)
      },
    })
    expect(await session.send('Save a note: buy flour')).toMatchObject({ type: 'done', text: words })
    const search = tools.find(({ name }) => name === 'search_notes')
    const context = { signal: new AbortController().signal } as ToolContext
    expect(await search?.run({ words: 'flour' } as never, context)).toMatch(found)
  })

  it('gives every call of a conversation a new id', async () => {
    const ids: string[] = []
    const open = (messages: readonly Message[]) =>
      createSession({
        model: createDemoModel(FAST),
        tools: createDemoTools(FAST),
        agents: [notesHelper],
        messages,
        onEvent: (event) => void (event.type === 'tool-start' && ids.push(event.callId)),
      })
    const first = open([])
    await first.send('What time is it?')
    await open(first.messages).send('What time is it?')
    expect(new Set(ids).size).toBe(2)
  })

  it('starts every turn from the beginning', async () => {
    const session = openSession()
    await session.send('What time is it?')
    expect(await session.send('What time is it?')).toMatchObject({ iterations: 2 })
  })

  it('quotes a steering message and says that it cannot follow it', () => {
    const messages = [user('What time is it?'), user('in Rome', 'steer')]
    const reply = nextReply({ system: '', messages, tools: createDemoTools(FAST) })
    expect(reply.text).toContain('"in Rome"')
    expect(reply.text).toContain('cannot follow')
    expect(reply.calls).toEqual([{ tool: 'clock', args: {} }])
  })

  it('continues a cut reply without repeating text', () => {
    const cutReply = {
      role: 'assistant',
      parts: [{ type: 'text', text: '## What an answer' }],
      cut: true,
    } as const
    const cut: Message[] = [
      user('Show me Markdown'),
      cutReply,
      { role: 'notice', text: 'Your last reply was cut off.' },
    ]
    const tools = createDemoTools(FAST)
    const whole = nextReply({ system: '', messages: cut.slice(0, 1), tools })
    const rest = nextReply({ system: '', messages: cut, tools })
    expect(`## What an answer${rest.text}`).toBe(whole.text)
  })

  it('repeats a step that was cut before its calls', () => {
    const cutReply = {
      role: 'assistant',
      parts: [{ type: 'text', text: 'I will look at' }],
      cut: true,
    } as const
    const reply = nextReply({
      system: '',
      messages: [user(DEMO_PROMPT), cutReply],
      tools: [...createDemoTools(FAST), NOTES_HELPER],
    })
    expect(reply.text).toBe(' the clock, your notes and your calendar.')
    expect(reply.calls).toHaveLength(3)
  })

  it('stops in the middle of a reply when it is aborted', async () => {
    const session: Session = createSession({
      model: createDemoModel({ ...CALM, thinkMs: 0 }),
      onEvent: (event) => (event.type === 'text-delta' ? session.stop() : undefined),
    })
    expect(await session.send('Hello')).toMatchObject({ type: 'aborted' })
  })
})
