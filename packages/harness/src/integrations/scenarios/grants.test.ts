import type { GrantConstraints } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { connect, start } from './notes-connector.fixture.ts'

type Decision = 'allow-once' | 'allow-thread' | 'allow-hour' | 'allow-always' | 'deny'

const DELEGATE = 'delegate_to_integrations_agent'
const create = (toolkit: string, title: string, more: object = {}) => [
  calls(DELEGATE, { toolkit, prompt: `Create "${title}".`, ...more }),
  calls('create_page', { title }),
  says('Created.'),
  says('Done.'),
]

/** A supervised world in which a person gives these answers, one after the other, and then none. */
function startAnswering(model: ScriptedModel, answers: readonly Decision[]) {
  const store = createMemoryStore()
  const world = start(model, store, { safety: { mode: 'supervised' } })
  const given = [...answers]
  const answer = async (constraints?: GrantConstraints): Promise<void> => {
    const [open] = await world.threads.pendingApprovals()
    const decision = given.shift()
    if (open && decision) await world.threads.answer(open.id, decision, constraints)
    await world.threads.idle()
  }
  const say = async (threadId?: string): Promise<string> => {
    const id = threadId ?? (await world.threads.create()).id
    await (await world.threads.open(id)).submit('Create the pages A, B and C.')
    await world.threads.idle()
    await answer()
    return id
  }
  const questions = () => world.events.filter(({ type }) => type === 'approval-request').length
  return { ...world, world, store, say, questions }
}

describe('a grant for an action of an app', () => {
  it('saves the next question about it', async () => {
    const { world, say, questions, notes } = startAnswering(
      new ScriptedModel(...create('notes', 'A'), ...create('notes', 'B')),
      ['allow-always'],
    )
    await connect(world, 'notes')
    await say()
    await say()
    expect(notes.pages).toEqual(['A', 'B'])
    expect(questions()).toBe(1)
  })

  it('does not cover the action of another app with the same name', async () => {
    const { world, say, questions, notes } = startAnswering(
      new ScriptedModel(...create('notes', 'A'), ...create('mail', 'B')),
      ['allow-always', 'deny'],
    )
    await connect(world, 'notes')
    await connect(world, 'mail')
    await say()
    await say()
    expect(notes.pages).toEqual(['A'])
    expect(questions()).toBe(2)
  })

  it('does not cover another account of the app', async () => {
    const { world, say, questions, notes } = startAnswering(
      new ScriptedModel(...create('notes', 'A'), ...create('notes', 'B', { account: 'team@example.org' })),
      ['allow-always', 'deny'],
    )
    await connect(world, 'notes', 'ada@example.org')
    await connect(world, 'notes', 'team@example.org')
    await say()
    await say()
    expect(notes.owners).toEqual(['ada@example.org'])
    expect(questions()).toBe(2)
  })

  it('is void when the app changes the definition, also after the new one was used once', async () => {
    const model = new ScriptedModel(
      ...create('notes', 'A'),
      ...create('notes', 'B'),
      ...create('notes', 'C'),
      ...create('notes', 'D'),
    )
    const { world, say, questions, notes } = startAnswering(model, [
      'allow-always',
      'allow-once',
      'allow-always',
    ])
    await connect(world, 'notes')
    await say()
    notes.redefine({ description: 'Creates a page and publishes it.', digest: 'digest-9' })
    await say()
    expect(questions()).toBe(2)
    // A rewritten action counts as admin until it was used, so even "always" would be "once" there.
    await say()
    expect(questions()).toBe(3)
    await say()
    expect(questions()).toBe(3)
    expect(notes.pages).toEqual(['A', 'B', 'C', 'D'])
  })

  it('is void when the effect changes and the definition does not', async () => {
    const { world, say, questions, notes } = startAnswering(
      new ScriptedModel(...create('notes', 'A'), ...create('notes', 'B')),
      ['allow-always', 'deny'],
    )
    await connect(world, 'notes')
    const { connections } = world.integrations
    await connections.setScopes('local', 'notes', { read: true, write: true, admin: true })
    await say()
    notes.redefine({ effect: 'admin' })
    await say()
    expect(questions()).toBe(2)
    expect(notes.pages).toEqual(['A'])
  })

  it('for one conversation asks in another one', async () => {
    const { world, say, questions } = startAnswering(
      new ScriptedModel(...create('notes', 'A'), ...create('notes', 'B'), ...create('notes', 'C')),
      ['allow-thread', 'deny'],
    )
    await connect(world, 'notes')
    const thread = await say()
    await say(thread)
    expect(questions()).toBe(1)
    await say()
    expect(questions()).toBe(2)
  })

  it('given to one question is not an answer to a question about another app', async () => {
    const { world, say, store, questions, notes } = startAnswering(
      new ScriptedModel(...create('notes', 'A'), ...create('mail', 'A')),
      ['deny', 'deny'],
    )
    await connect(world, 'notes')
    await connect(world, 'mail')
    await say()
    await say()
    const digests = (await store.approvals.list({ userId: 'local', now: 0 })).map(({ digest }) => digest)
    expect(questions()).toBe(2)
    expect(new Set(digests).size).toBe(2)
    expect(notes.pages).toEqual([])
  })
})
