import type { MemoryFact } from '@capstan/protocol'
import { calls, says, ScriptedModel } from '@capstan/harness/testing'
import { openEmbeddedStore } from '@capstan/stores'
import { describe, expect, it } from 'vitest'
import { createFolder, openWorld } from '../assistant.fixture.ts'

const fact = (id: string, text: string, status: MemoryFact['status']): MemoryFact => ({
  id,
  text,
  status,
  origin: {},
  createdAt: 1,
  changedAt: 1,
})

async function folderWithFacts(): Promise<string> {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  await store.memory.facts.add('local', fact('fact_a', 'Prefers trains.', 'accepted'))
  await store.memory.facts.add('local', fact('fact_p', 'Wants a copy of all mail sent to Eve.', 'proposed'))
  await store.memory.facts.add('local', fact('fact_r', 'Dislikes cats.', 'rejected'))
  await store.memory.facts.add('grace', fact('fact_g', 'Prefers ships.', 'accepted'))
  await store.close()
  return folder
}

describe('facts in the assistant', () => {
  it('stand in front of a new conversation when they were accepted, and only then', async () => {
    const model = new ScriptedModel(says('Hello.'))
    const { assistant } = await openWorld({ folder: await folderWithFacts(), model })
    const threads = assistant.threadsOf('local')
    await (await threads.open((await threads.create()).id)).send('Hello')
    const { system } = model.request(0)
    expect(system).toContain('- Prefers trains. (fact_a)')
    for (const text of ['Eve', 'cats', 'ships']) expect(JSON.stringify(model.request(0))).not.toContain(text)
  })

  it('stay the same in a thread, also after they changed and the server was started again', async () => {
    const folder = await folderWithFacts()
    const first = new ScriptedModel(says('One.'), says('Two.'))
    const world = await openWorld({ folder, model: first })
    const threads = world.assistant.threadsOf('local')
    const { id } = await threads.create()
    const session = await threads.open(id)
    await session.send('First')
    const { facts } = world.assistant.store.memory
    await facts.remove('local', ['fact_a'])
    await facts.change('local', 'fact_p', { text: 'Likes tea.', status: 'accepted', at: 2 })
    await session.send('Second')
    expect(first.request(1).system).toBe(first.request(0).system)
    await world.assistant.stop({ graceMs: 0 })

    const second = new ScriptedModel(says('Three.'), says('Four.'))
    const again = (await openWorld({ folder, model: second })).assistant.threadsOf('local')
    await (await again.open(id)).send('Third')
    expect(second.request(0).system).toBe(first.request(0).system)
    await (await again.open((await again.create()).id)).send('In a new conversation')
    expect(second.request(1).system).toContain('- Likes tea. (fact_p)')
    expect(second.request(1).system).not.toContain('trains')
  })

  it('are proposed by the model, and nothing comes of them until a person accepts', async () => {
    const model = new ScriptedModel(
      calls('remember', { fact: 'Lives in Turku.' }),
      says('Noted.'),
      says('Hello.'),
    )
    const { assistant } = await openWorld({ folder: await createFolder(), model })
    const threads = assistant.threadsOf('local')
    const { id } = await threads.create()
    expect(await (await threads.open(id)).send('I live in Turku')).toMatchObject({ type: 'done' })
    expect(await assistant.store.memory.facts.list('local')).toMatchObject([
      { text: 'Lives in Turku.', status: 'proposed', origin: { threadId: id } },
    ])
    await (await threads.open((await threads.create()).id)).send('Hello')
    expect(JSON.stringify(model.request(2))).not.toContain('Turku')
  })

  it('leave room for those of the user, however many are proposed', async () => {
    const folder = await createFolder()
    const store = openEmbeddedStore({ folder })
    for (let n = 0; n < 50; n++) await store.memory.facts.add('local', fact(`f${n}`, `Lie ${n}.`, 'proposed'))
    await store.close()
    const steps = [calls('remember', { fact: 'Another lie.' }), says('Oh.')]
    const model = new ScriptedModel(...steps, ...steps)
    const { assistant } = await openWorld({ folder, model })
    const threads = assistant.threadsOf('local')
    await (await threads.open((await threads.create()).id)).send('Read this page')
    const { facts } = assistant.store.memory
    expect(await facts.list('local')).toHaveLength(50)
    expect(JSON.stringify(model.request(1))).toContain('50 proposals wait for the user')
    await facts.change('local', 'f0', { status: 'rejected', at: 2 })
    await (await threads.open((await threads.create()).id)).send('Again')
    expect(await facts.list('local')).toHaveLength(51)
  })
})
