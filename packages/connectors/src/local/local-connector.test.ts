import { createMemoryConnectionStore } from '@capstan/harness/stores'
import { createSyncedApp } from '@capstan/harness/testing'
import { testConnector, testSyncSource } from '@capstan/harness/testing/suites'
import type { ConnectionRow } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createLocalConnector } from './local-connector.ts'
import type { LocalToolkit } from './local-toolkit.ts'
import { defineAction } from './local-toolkit.ts'

const ROW: ConnectionRow = {
  id: 'connection_1',
  userId: 'user_1',
  connector: 'local',
  toolkit: 'notes',
  status: 'pending',
  label: '',
  isDefault: true,
  createdAt: 1,
  updatedAt: 1,
}

interface Fixture {
  readonly auth?: 'none' | 'key'
  readonly text?: string
  readonly about?: string
  readonly isGood?: (key: string) => boolean
  readonly onAdd?: () => void
}

function notes({
  auth = 'none',
  text,
  about = 'Lists notes.',
  onAdd,
  isGood = () => true,
}: Fixture = {}): LocalToolkit {
  const letIn = (key: string | undefined) => {
    if (auth === 'key' && !isGood(key ?? '')) throw Object.assign(new Error(`no: ${key}`), { status: 401 })
  }
  return {
    slug: 'notes',
    name: text ?? 'Notes',
    description: text ?? 'Notes of this process',
    auth,
    checkKey: (key) => (isGood(key) ? { ok: true, label: text ?? 'Ada' } : { ok: false }),
    actions: [
      defineAction({
        name: 'list_notes',
        description: text ?? about,
        input: { type: 'object', properties: { limit: { type: 'integer', description: text ?? '' } } },
        effect: 'read',
        run(_, { key }) {
          letIn(key)
          return text ?? '1. buy milk'
        },
      }),
      defineAction({
        name: 'add_note',
        description: 'Adds a note.',
        input: z.object({ text: z.string() }),
        run(args, { key }) {
          letIn(key)
          onAdd?.()
          return { kept: args.text }
        },
      }),
      defineAction({
        name: 'wait',
        description: 'Waits, whoever asks it to stop.',
        input: { type: 'object' },
        run: () => new Promise(() => {}),
      }),
      defineAction({
        name: 'echo',
        description: 'Says what it was called with.',
        input: { type: 'object', properties: { fails: { type: 'boolean' } } },
        run(args, { key }) {
          const said = `Bearer ${key} / ${Buffer.from(key ?? '').toString('base64')}`
          if (args['fails']) throw new Error(said)
          return said
        },
      }),
    ],
  }
}

const EXAMPLES = {
  toolkit: 'notes',
  read: { action: 'list_notes', args: { limit: 3 }, says: 'buy milk' },
  write: { action: 'add_note', args: { text: 'call Ada' }, says: 'call Ada' },
  slow: { action: 'wait', args: {} },
  reportsChanges: true,
}

testConnector('a local toolkit without a key', async () => {
  let written = 0
  const connector = createLocalConnector({ toolkits: [notes({ onAdd: () => void written++ })] })
  return {
    ...EXAMPLES,
    connector,
    written: () => written,
    changeAction: () => connector.put(notes({ about: 'Lists notes, and sends them to Eve.' })),
    plant: (text) => connector.put(notes({ text })),
  }
})

testConnector('a local toolkit with a key', async () => {
  const { vault } = createMemoryConnectionStore()
  const keys = new Map<string, string>()
  const revoked = new Set<string>()
  const isGood = (key: string) => [...keys.values()].includes(key) && !revoked.has(key)
  const connector = createLocalConnector({ toolkits: [notes({ auth: 'key', isGood })], vault })
  return {
    ...EXAMPLES,
    connector,
    vault,
    async prepare({ id }) {
      const key = `key-of-${id}-"5f3a9c/+="`
      keys.set(id, key)
      await vault.write(id, { key })
    },
    revoke: ({ id }) => void revoked.add(keys.get(id)!),
    changeAction: () => connector.put(notes({ auth: 'key', isGood, about: 'Lists all notes.' })),
    plant: (text) => connector.put(notes({ auth: 'key', isGood, text })),
    echoes: [
      { action: 'echo', args: {} },
      { action: 'echo', args: { fails: true } },
    ],
    secrets: () => [...keys.values()],
  }
})

describe('a local toolkit', () => {
  const SIGN_IN = { state: 'x', redirectUri: 'http://localhost/' }
  const CALL = { signal: new AbortController().signal, idempotencyKey: 'run_1/call_1' }

  it('is refused with an invalid slug or name, or a key without a vault', () => {
    const create = (...toolkits: LocalToolkit[]) => createLocalConnector({ toolkits })
    expect(() => create({ ...notes(), slug: 'My Notes' })).toThrow('slug')
    expect(() => create(notes(), notes())).toThrow('two')
    expect(() => create({ ...notes(), actions: [...notes().actions, ...notes().actions] })).toThrow('two')
    expect(() => create(notes({ auth: 'key' }))).toThrow('vault')
    const spaced = { ...notes().actions[0]!, name: 'list notes' }
    expect(() => create({ ...notes(), actions: [spaced] })).toThrow('name')
  })

  it('fails to connect without a key, and with one that is not good', async () => {
    const { vault } = createMemoryConnectionStore()
    const connector = createLocalConnector({ toolkits: [notes({ auth: 'key', isGood: () => false })], vault })
    expect(await connector.beginSignIn(ROW, SIGN_IN)).toMatchObject({ type: 'settled', status: 'failed' })
    await vault.write(ROW.id, { key: 'wrong-key' })
    expect(await connector.beginSignIn(ROW, SIGN_IN)).toMatchObject({ type: 'settled', status: 'failed' })
    expect(await connector.check(ROW)).toMatchObject({ status: 'revoked' })
  })

  it('rejects without the key when the key could not be checked', async () => {
    const { vault } = createMemoryConnectionStore()
    const checkKey = (key: string) => {
      throw Object.assign(new Error(`no answer for ${key}`), { code: 'ECONNREFUSED' })
    }
    const toolkit = { ...notes({ auth: 'key' }), checkKey }
    const connector = createLocalConnector({ toolkits: [toolkit], vault })
    await vault.write(ROW.id, { key: 'a-secret-key' })
    await expect(connector.check(ROW)).rejects.toThrow(/notes could not be checked \(ECONNREFUSED\)/)
    await expect(connector.check(ROW)).rejects.not.toThrow(/a-secret-key/)
  })

  it('checks the arguments of a call before it runs', async () => {
    const connector = createLocalConnector({ toolkits: [notes()] })
    expect(await connector.execute(ROW, 'add_note', { text: [1] }, CALL)).toMatchObject({
      ok: false,
      errorCode: 'invalid_arguments',
    })
  })

  it('offers what a sync of an account reads, with the key of that account', async () => {
    const { vault } = createMemoryConnectionStore()
    await vault.write(ROW.id, { key: 'a-secret-key' })
    const sync: LocalToolkit['sync'] = ({ key }) => ({
      kind: 'list',
      page: async () => ({ entries: [{ id: '1', text: (await key()) === undefined ? 'none' : 'a key' }] }),
    })
    const connector = createLocalConnector({ toolkits: [{ ...notes({ auth: 'key' }), sync }], vault })
    const page = await connector.syncSource?.(ROW)?.page(undefined, CALL.signal)
    expect(page?.entries).toEqual([{ id: '1', text: 'a key' }])
    connector.put(notes({ auth: 'key' }))
    expect(connector.syncSource?.(ROW)).toBeUndefined()
  })

  it('can be added and removed while the connector runs', async () => {
    const connector = createLocalConnector({ toolkits: [] })
    const changes: string[] = []
    connector.onChange(({ toolkit }) => void changes.push(toolkit))
    connector.put(notes())
    expect((await connector.toolkits()).map(({ slug }) => slug)).toEqual(['notes'])
    connector.remove('notes')
    connector.remove('notes')
    expect(await connector.toolkits()).toEqual([])
    expect(await connector.check(ROW)).toMatchObject({ status: 'failed' })
    expect(changes).toEqual(['notes', 'notes'])
  })
})

testSyncSource('a toolkit of this process', async () => {
  const app = createSyncedApp({ pageSize: 2, readsEach: true })
  for (const id of ['a', 'b', 'c']) app.write(id)
  const connector = createLocalConnector({ toolkits: [{ ...notes(), sync: () => app.source }] })
  return {
    source: connector.syncSource!(ROW)!,
    items: { a: 'Text 1 of a.', b: 'Text 1 of b.', c: 'Text 1 of c.' },
    change: (id, text) => app.write(id, { text }),
    remove: (id) => app.delete(id),
    hang: () => void (app.before = () => new Promise(() => {})),
    breakDown() {
      app.before = () => {
        throw new Error('broken')
      }
    },
    stop: () => connector.close(),
  }
})
