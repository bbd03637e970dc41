import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Threads } from '@capstan/harness'
import type { Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import { checkInvariants, createTestClock, recordEvents } from '@capstan/harness/testing'
import type { RecordedEvents } from '@capstan/harness/testing'
import type { TurnEvent } from '@capstan/protocol'
import { checksum } from '../../database/checksum.ts'
import { openEmbeddedStore } from '../../open-store.ts'
import { useStoreFolders } from '../../fixtures/store-folder.fixture.ts'
import { createLeadThreads, MAIL, readEffects, THREAD } from '../../../fixtures/lead-and-helpers.fixture.ts'
import { runToEnd, runUntil } from '../../../fixtures/run-process.fixture.ts'

type Request = Extract<TurnEvent, { readonly type: 'approval-request' }>

const PROGRAM = new URL('until-killed.fixture.ts', import.meta.url)
const createFolder = useStoreFolders()
/** As a process left it that was killed while a helper's helper's helper waited for a yes. */
let killed: string
let asked: Request
let seen: readonly TurnEvent[]

beforeAll(async () => {
  killed = await mkdtemp(join(tmpdir(), 'capstan-killed-'))
  const isAsked = (line: string) => line.includes('"approval-request"')
  const lines = await runUntil(PROGRAM, [killed], isAsked)
  seen = lines.map((line) => JSON.parse(line) as TurnEvent)
  asked = seen.find((event): event is Request => event.type === 'approval-request')!
})

afterAll(() => rm(killed, { recursive: true, force: true }))

interface Restarted {
  readonly folder: string
  readonly store: Store
  readonly threads: Threads
  readonly events: RecordedEvents
}

const open: Store[] = []
afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
})

async function copyOfKilled(): Promise<string> {
  const folder = await createFolder()
  await cp(killed, folder, { recursive: true })
  return folder
}

/** The next process. Nothing is resumed yet. */
function restart(folder: string, clock?: Clock): Restarted {
  const store = openEmbeddedStore({ folder })
  open.push(store)
  const events = recordEvents()
  const threads = createLeadThreads(store, folder, {
    onEvent: events.onEvent,
    onProblem: (error) => expect.unreachable(String(error)),
    ...(clock ? { clock } : undefined),
  })
  return { folder, store, threads, events }
}

async function expectAllOver({ store, threads, events }: Restarted): Promise<string> {
  await threads.idle()
  expect(await store.runs.unfinished()).toEqual([])
  // Numbered on from what was seen before the kill, without a gap.
  const numbers = events.all.map(({ seq }) => seq)
  expect(numbers).toEqual(numbers.map((_, index) => seen.length + 1 + index))
  return events.of('turn-end').at(-1)!.outcome.text
}

const ALLOWED = [{ args: MAIL, key: expect.stringContaining('/call_3_0') as string }]

describe('an approval that a sub-agent of the third generation had asked for when the process was killed', () => {
  it('is still pending under its id, shows what it showed, and runs once with exactly that', async () => {
    const next = restart(await copyOfKilled())
    const { threads, store, folder, events } = next
    expect(await threads.resume()).toEqual({ running: 0, waiting: 1 })
    const pending = await threads.pendingApprovals()
    expect(pending).toMatchObject([{ id: asked.approvalId, arguments: MAIL, tool: 'send', isIntact: true }])
    expect(asked.arguments).toEqual(MAIL)
    expect(readEffects(folder)).toEqual([])

    expect(await threads.answer(asked.approvalId, 'allow-once')).toBe('accepted')
    const answer = await expectAllOver(next)
    expect(answer).toBe('level 0 heard: level 1 heard: level 2 heard: level 3 heard: It is sent.')
    expect(readEffects(folder)).toEqual(ALLOWED)
    expect(events.of('approval-request')).toEqual([])
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })

  it('takes one answer: a second one, at once or late, changes nothing', async () => {
    const next = restart(await copyOfKilled())
    const { threads, folder } = next
    await threads.resume()
    const receipts = await Promise.all(
      (['allow-once', 'deny', 'allow-once'] as const).map((decision) =>
        threads.answer(asked.approvalId, decision),
      ),
    )
    expect(receipts).toEqual(['accepted', 'already-answered', 'already-answered'])
    await expectAllOver(next)
    expect(await threads.answer(asked.approvalId, 'deny')).toBe('already-answered')
    expect(await threads.answer('approval_of_nobody', 'allow-once')).toBe('unknown')
    expect(readEffects(folder)).toEqual(ALLOWED)
  })

  it('belongs to its user: to another one it is unknown', async () => {
    const folder = await copyOfKilled()
    const store = openEmbeddedStore({ folder })
    open.push(store)
    const threads = createLeadThreads(store, folder, { userId: 'eve' })
    expect(await threads.resume()).toEqual({ running: 0, waiting: 0 })
    expect(await threads.pendingApprovals()).toEqual([])
    expect(await threads.answer(asked.approvalId, 'allow-once')).toBe('unknown')
    expect(readEffects(folder)).toEqual([])
  })

  it('may be denied after the restart: nothing runs, and every helper hears why', async () => {
    const next = restart(await copyOfKilled())
    const { threads, store, folder, events } = next
    await threads.resume()
    await threads.answer(asked.approvalId, 'deny')
    expect(await expectAllOver(next)).toContain('the user said no')
    expect(readEffects(folder)).toEqual([])
    expect(events.of('tool-end')[0]).toMatchObject({ tool: 'send', failure: { class: 'denied_by_user' } })
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })

  it('goes on by itself as a refusal when its time ended while nothing was running', async () => {
    const next = restart(await copyOfKilled(), createTestClock(asked.expiresAt + 1))
    const { threads, store, folder, events } = next
    expect(await threads.resume()).toEqual({ running: 1, waiting: 0 })
    expect(await expectAllOver(next)).toContain('nobody answered in time')
    expect(readEffects(folder)).toEqual([])
    expect(events.of('tool-end')[0]).toMatchObject({ failure: { class: 'approval_expired' } })
    expect(await threads.answer(asked.approvalId, 'allow-once')).toBe('expired')
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })

  it('expires on time while somebody waits for it', async () => {
    const clock = createTestClock(asked.expiresAt - 1_000)
    const next = restart(await copyOfKilled(), clock)
    expect(await next.threads.resume()).toEqual({ running: 0, waiting: 1 })
    const end = next.events.next('approval-answer')
    await clock.advance(1_000)
    expect((await end).decision).toBe('expired')
    expect(await expectAllOver(next)).toContain('nobody answered in time')
  })

  it('may be answered by another process while nothing is running', async () => {
    const folder = await copyOfKilled()
    expect(await runToEnd(PROGRAM, [folder, asked.approvalId])).toEqual(['accepted'])
    const next = restart(folder)
    expect(await next.threads.resume()).toEqual({ running: 1, waiting: 0 })
    await expectAllOver(next)
    expect(readEffects(folder)).toEqual(ALLOWED)
    expect(await checkInvariants(next.store, [THREAD])).toEqual([])
  })

  it('allows the tool for good, also for the process after the next', async () => {
    const folder = await copyOfKilled()
    const next = restart(folder)
    await next.threads.resume()
    expect(await next.threads.answer(asked.approvalId, 'allow-always')).toBe('accepted')
    await next.threads.idle()
    await next.store.close()
    const third = restart(folder)
    const session = await third.threads.open(THREAD)
    expect(await session.send('Send it again.')).toMatchObject({ type: 'done' })
    expect(third.events.of('approval-request')).toEqual([])
    expect(readEffects(folder)).toHaveLength(2)
  })

  it('does not allow another user anything', async () => {
    const folder = await copyOfKilled()
    const next = restart(folder)
    await next.threads.resume()
    await next.threads.answer(asked.approvalId, 'allow-always')
    await next.threads.idle()
    const events = recordEvents()
    const others = createLeadThreads(next.store, folder, { userId: 'eve', onEvent: events.onEvent })
    const { id } = await others.create()
    await (await others.open(id)).submit('Send it.')
    await others.idle()
    expect(events.of('approval-request')).toHaveLength(1)
    expect(readEffects(folder)).toHaveLength(1)
  })
})

/** Edits the file while no process has it open. */
function edit(folder: string, change: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(join(folder, 'capstan.db'))
  change(db)
  db.close()
}

describe('a store that was edited while the process was down', () => {
  it.each([
    ['arguments', `arguments = '{"to":"eve@example.com","text":"Tea at four?"}'`],
    ['digest', `digest = 'another'`],
    ['tool', `tool = 'look'`],
    ['time', `expires_at = expires_at + 1e12`],
    ['shorter time', `expires_at = 0`],
    ['answer', `decision = 'allow-once', decided_at = created_at + 1`],
    ['answer and its seal', `decision = 'allow-once', decided_at = created_at + 1, decision_seal = seal`],
  ])('an approval with another %s is refused, and nothing runs', async (_, change) => {
    const folder = await copyOfKilled()
    edit(folder, (db) => db.exec(`UPDATE approvals SET ${change}`))
    const next = restart(folder)
    await next.threads.resume()
    expect(await next.threads.answer(asked.approvalId, 'allow-once')).toBe('expired')
    await expectAllOver(next)
    expect(readEffects(folder)).toEqual([])
    expect(next.events.of('tool-end')[0]).toMatchObject({ tool: 'send', ok: false })
    // Whoever has the card on the screen sees that it is not open any more.
    expect(next.events.of('approval-answer')).toMatchObject([
      { approvalId: asked.approvalId, decision: 'expired' },
    ])
  })

  it('a call with other arguments than the ones that were shown is refused, and nothing runs', async () => {
    const folder = await copyOfKilled()
    edit(folder, (db) => forgeCall(db, 'eve@example.com', { isChecked: true }))
    const next = restart(folder)
    await next.threads.resume()
    expect(await next.threads.answer(asked.approvalId, 'allow-once')).toBe('accepted')
    expect(await expectAllOver(next)).toContain('what was asked is not what would run now')
    expect(readEffects(folder)).toEqual([])
  })

  it('a page that is not what was written is not read at all', async () => {
    const folder = await copyOfKilled()
    edit(folder, (db) => forgeCall(db, 'eve@example.com', { isChecked: false }))
    const store = openEmbeddedStore({ folder })
    open.push(store)
    const threads = createLeadThreads(store, folder)
    expect(store.notices).toEqual([expect.stringContaining('damaged')])
    await threads.resume()
    expect(await threads.answer(asked.approvalId, 'allow-once')).toBe('unknown')
    await threads.idle()
    expect(readEffects(folder)).toEqual([])
  })
})

/** Puts another address into the call, wherever the assistant's message has it. */
function forgeCall(db: DatabaseSync, to: string, { isChecked }: { readonly isChecked: boolean }): void {
  interface Page {
    readonly id: number
    readonly thread: number
    readonly last_seq: number
    readonly kinds: number
    readonly sum: number
    readonly body: string
  }
  const pages = db.prepare('SELECT * FROM journal').all() as unknown as readonly Page[]
  let forged = 0
  for (const { id, thread, last_seq: lastSeq, kinds, sum, body } of pages) {
    const records = JSON.parse(body) as readonly { readonly type: string }[]
    const edited = records.map((record) =>
      record.type === 'message'
        ? (JSON.parse(JSON.stringify(record).replaceAll(MAIL.to, to)) as typeof record)
        : record,
    )
    const text = JSON.stringify(edited)
    if (text === body) continue
    forged++
    const fits = isChecked ? checksum(text, id + thread + lastSeq + kinds) : sum
    db.prepare('UPDATE journal SET body = ?, sum = ? WHERE id = ?').run(text, fits, id)
  }
  expect(forged).toBe(1)
}
