import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Connector } from '@capstan/harness/connectors'
import type { CallbackAnswer, Visitor } from '@capstan/harness/integrations'
import type { Store } from '@capstan/harness/stores'
import { createIntegrations } from '@capstan/harness/integrations'
import { createMemoryStore } from '@capstan/harness/stores'
import { createTestClock } from '@capstan/harness/testing'
import { openEmbeddedStore } from '@capstan/stores'
import type { Random } from '../crash-test/random.ts'
import { createRandom } from '../crash-test/random.ts'
import { createInProcessApps, GOOD_CODE } from './in-process-apps.fixture.ts'
import { VISITOR } from './world.fixture.ts'

const SEED = Number(process.env['PROOF_SEED'] ?? 5)
const TEN_MINUTES = 600_000

const STRANGERS: Readonly<Record<string, Visitor>> = {
  'other user': { ...VISITOR, userId: 'mallory' },
  'other browser': { ...VISITOR, browserId: 'browser-2' },
  'other redirect': { ...VISITOR, redirectUri: `${VISITOR.redirectUri}/` },
  'other user and browser': { ...VISITOR, userId: 'mallory', browserId: 'browser-2' },
}

describe('callbacks that do not belong to the sign-in', () => {
  it('none of 10,000 is accepted, and the good one of each is, once', { timeout: 60_000 }, async () => {
    await expectNoneAccepted(createMemoryStore(), 10_000)
  })

  it('none of 2,000 is accepted where everything is on disk', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'capstan-callbacks-'))
    const store = openEmbeddedStore({ folder })
    try {
      await expectNoneAccepted(store, 2_000)
    } finally {
      await store.close()
      await rm(folder, { recursive: true })
    }
  })
})

interface Counts {
  /** Callbacks that had to be refused, by what was wrong with them. */
  readonly bad: Map<string, number>
  good: number
}

async function expectNoneAccepted(store: Store, wanted: number): Promise<void> {
  const world = await createSignIns(store)
  const counts: Counts = { bad: new Map(), good: 0 }
  const total = () => [...counts.bad.values()].reduce((sum, count) => sum + count, 0)
  for (let round = 0; total() < wanted; round++) {
    const random = createRandom(SEED, round)
    const problem = await tryRound(world, random, counts)
    expect(problem && `PROOF_SEED=${SEED}, round ${round}: ${problem}`).toBeUndefined()
    // Nobody's code reached the service but those that were accepted, and nothing else was kept.
    expect(world.exchanges()).toBe(counts.good)
  }
  expect([...counts.bad.keys()].toSorted()).toEqual(
    [
      ...Object.keys(STRANGERS),
      'after a stranger',
      'disconnected',
      'empty',
      'expired',
      'missing',
      'replayed',
      'superseded',
      'duplicate',
      'wrong',
    ].toSorted(),
  )
  for (const count of counts.bad.values()) expect(count).toBeGreaterThan(wanted / 250)
  expect(counts.good).toBeGreaterThan(wanted / 250)
}

/** One person who signs in to one app again and again. */
async function createSignIns(store: Store) {
  const { connector: app } = createInProcessApps({ slugs: ['notes'] })
  let exchanged = 0
  const connector: Connector = {
    ...app,
    async finishSignIn(connection, callback) {
      exchanged++
      await store.connections.vault.write(connection.id, { token: randomBytes(16).toString('hex') })
      return app.finishSignIn(connection, callback)
    },
  }
  const clock = createTestClock()
  const { connections } = createIntegrations({ connectors: [connector], store: store.connections, clock })
  let { id } = (await connections.begin(VISITOR.userId, 'notes'))!
  return {
    clock,
    exchanges: () => exchanged,
    /** A fresh sign-in of a connection that is not connected. The result is its state. */
    async begin(): Promise<string> {
      await connections.expire(id, 'Enough.')
      await store.connections.vault.delete(id)
      const step = await connections.signIn(id, VISITOR)
      if (step.type !== 'visit') throw new Error(step.type)
      return new URL(step.url).searchParams.get('state')!
    },
    come: (state: string | undefined, visitor: Visitor = VISITOR): Promise<CallbackAnswer> =>
      connections.finish(
        new URLSearchParams({ ...(state === undefined ? undefined : { state }), code: GOOD_CODE }),
        visitor,
      ),
    async disconnect(): Promise<void> {
      await connections.disconnect(VISITOR.userId, id)
    },
    async beginAnew(): Promise<void> {
      id = (await connections.begin(VISITOR.userId, 'notes'))!.id
    },
    async isConnected(): Promise<boolean> {
      const [row, ...others] = await connections.list(VISITOR.userId)
      if (!row || others.length > 0) throw new Error('there is another connection')
      const secret = await store.connections.vault.read(id)
      if ((row.status === 'active') !== (secret !== undefined)) throw new Error('half a connection')
      if (row.status !== 'active' && row.status !== 'pending') throw new Error(row.status)
      return row.status === 'active'
    },
  }
}

/** One sign-in with everything that can come in its place, and what was wrong with it. */
async function tryRound(
  world: Awaited<ReturnType<typeof createSignIns>>,
  random: Random,
  counts: Counts,
): Promise<string | undefined> {
  let problem: string | undefined
  const bad = async (kind: string, ...args: Parameters<typeof world.come>) => {
    counts.bad.set(kind, (counts.bad.get(kind) ?? 0) + 1)
    if ((await world.come(...args)).type !== 'refused') problem ??= `${kind} was accepted`
  }
  const good = async (state: string) => {
    counts.good++
    const answer = await world.come(state)
    if (answer.type !== 'settled' || answer.connection.status !== 'active')
      problem ??= 'the good one was refused'
    for (let n = random.int(1, 3); n > 0; n--) await bad('replayed', state)
  }
  const expectConnected = async (wanted: boolean) => {
    if ((await world.isConnected()) !== wanted) problem ??= `connected: ${!wanted}`
  }

  const state = await world.begin()
  for (let n = random.int(0, 6); n > 0; n--) {
    const kind = random.pick(['wrong', 'missing', 'empty'])
    await bad(kind, kind === 'wrong' ? toGuess(state, random) : kind === 'empty' ? '' : undefined)
  }
  await expectConnected(false)
  switch (random.pick(['good', 'duplicates', 'stranger', 'expired', 'superseded', 'disconnected'] as const)) {
    case 'good':
      await good(state)
      await expectConnected(true)
      break
    case 'duplicates': {
      const answers = await Promise.all(Array.from({ length: random.int(2, 5) }, () => world.come(state)))
      const accepted = answers.filter(({ type }) => type === 'settled').length
      if (accepted !== 1) problem ??= `${accepted} of ${answers.length} duplicates were accepted`
      counts.good++
      counts.bad.set('duplicate', (counts.bad.get('duplicate') ?? 0) + answers.length - 1)
      await expectConnected(true)
      break
    }
    case 'stranger': {
      const kind = random.pick(Object.keys(STRANGERS))
      await bad(kind, state, STRANGERS[kind])
      // Somebody else has seen the state: it is worth nothing any more.
      await bad('after a stranger', state)
      await expectConnected(false)
      break
    }
    case 'expired':
      await world.clock.advance(TEN_MINUTES + random.int(0, TEN_MINUTES))
      await bad('expired', state)
      await bad('expired', state)
      await expectConnected(false)
      break
    case 'superseded': {
      const newer = await world.begin()
      await bad('superseded', state)
      await expectConnected(false)
      await good(newer)
      await expectConnected(true)
      break
    }
    case 'disconnected':
      await world.disconnect()
      await bad('disconnected', state)
      await world.beginAnew()
      await bad('disconnected', state)
      await expectConnected(false)
      break
  }
  return problem
}

/** Near to the true state, or nothing like it. */
function toGuess(state: string, random: Random): string {
  switch (random.int(0, 4)) {
    case 0:
      return randomBytes(32).toString('base64url')
    case 1:
      return `${state}A`
    case 2:
      return state.slice(0, -1)
    case 3:
      return ` ${state}`
    default:
      return state.toUpperCase() === state ? state.toLowerCase() : state.toUpperCase()
  }
}
