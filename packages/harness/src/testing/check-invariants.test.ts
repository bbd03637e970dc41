import { describe, expect, it } from 'vitest'
import type { CallId, RunId, ThreadId, TurnEvent, TurnEventBody, TurnOutcome } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { LedgerRecord, RunStart } from '../ports/ledger.ts'
import { createMemoryStore } from '../ports/memory/memory-store.ts'
import type { Store } from '../ports/store.ts'
import { checkInvariants } from './check-invariants.ts'

const threadId = 'thread_1' as ThreadId
const turn = 'run_1' as RunId
const child = 'run_2' as RunId
const callId = (id: string) => id as CallId
const usage = (inputTokens: number) => ({ ...NO_USAGE, inputTokens })

const startOf = (runId: RunId, more: Partial<RunStart> = {}): LedgerRecord => ({
  type: 'run-start',
  run: {
    runId,
    conversationId: threadId,
    agent: 'session',
    depth: 0,
    origin: 'web',
    model: 'scripted/model',
    budget: {},
    text: 'hello',
    ...more,
  },
  at: 1,
})
const opens = (conversationId: string): LedgerRecord => ({
  type: 'conversation-open',
  conversationId,
  agent: 'session',
  system: 'be kind',
  at: 1,
})
const asksFor = (runId: RunId, ...ids: string[]): LedgerRecord => ({
  type: 'message',
  runId,
  message: {
    role: 'assistant',
    parts: ids.map((id) => ({ type: 'call', call: { id: callId(id), tool: 'send', arguments: {} } })),
  },
  at: 2,
})
const intends = (runId: RunId, id: string): LedgerRecord => ({
  type: 'call-intent',
  runId,
  callId: callId(id),
  tool: 'send',
  effect: 'write',
  digest: 'd',
  at: 3,
})
const answers = (runId: RunId, id: string): LedgerRecord => ({
  type: 'call-result',
  runId,
  result: { callId: callId(id), tool: 'send', ok: true, durationMs: 1, outputBytes: 2 },
  message: { role: 'tool', callId: callId(id), tool: 'send', ok: true, text: 'ok' },
  at: 4,
})
const paysFor = (runId: RunId, inputTokens: number): LedgerRecord => ({
  type: 'usage',
  runId,
  model: 'scripted/model',
  usage: usage(inputTokens),
  elapsedMs: 1,
  at: 5,
})
const outcome = (text: string, tokens: number): TurnOutcome => ({
  type: 'done',
  text,
  usage: usage(tokens),
  iterations: 1,
})
const ends = (runId: RunId, how: TurnOutcome): LedgerRecord => ({
  type: 'run-end',
  runId,
  outcome: how,
  at: 6,
})
const reports = (runId: RunId, seq: number, body: TurnEventBody): LedgerRecord => ({
  type: 'event',
  event: { ...body, threadId, runId, seq, at: seq } as TurnEvent,
  at: seq,
})
const turnStart = (depth = 0): TurnEventBody => ({
  type: 'turn-start',
  agent: 'session',
  depth,
  model: 'scripted/model',
  text: 'hello',
})
const turnEnd = (how: TurnOutcome): TurnEventBody => ({ type: 'turn-end', outcome: how })
const queues = (id: string): LedgerRecord => ({ type: 'message-queue', id, mode: 'steer', text: id, at: 2 })
const takes = (id: string): LedgerRecord => ({ type: 'message-dequeue', id, at: 3 })
const asked = {
  callId: callId('call_1'),
  tool: 'send',
  label: 'Send',
  arguments: {},
  digest: 'd',
  expiresAt: 1e15,
}
const approval: LedgerRecord = {
  type: 'approval-open',
  request: { ...asked, id: 'approval_1', threadId, runId: turn, signature: 's', createdAt: 2 },
  at: 2,
}
const announced: TurnEventBody = {
  type: 'approval-request',
  iteration: 1,
  approvalId: 'approval_1',
  ...asked,
}

/** A valid turn with a write, an approval and a sub-agent that writes. */
const GOOD: readonly LedgerRecord[] = [
  opens(threadId),
  startOf(turn, { messageId: 'm1' }),
  reports(turn, 1, turnStart()),
  paysFor(turn, 10),
  asksFor(turn, 'call_1', 'call_2'),
  approval,
  reports(turn, 2, announced),
  intends(turn, 'call_1'),
  answers(turn, 'call_1'),
  queues('steer_1'),
  opens(child),
  startOf(child, { depth: 1, conversationId: child, parent: { runId: turn, callId: callId('call_2') } }),
  reports(child, 3, turnStart(1)),
  paysFor(child, 5),
  asksFor(child, 'call_1'),
  intends(child, 'call_1'),
  answers(child, 'call_1'),
  ends(child, outcome('sent', 5)),
  reports(child, 4, turnEnd(outcome('sent', 5))),
  answers(turn, 'call_2'),
  takes('steer_1'),
  ends(turn, outcome('all sent', 15)),
  reports(turn, 5, turnEnd(outcome('all sent', 15))),
]

async function storeOf(records: readonly LedgerRecord[]): Promise<Store> {
  const store = createMemoryStore()
  await store.threads.create({ id: threadId, userId: 'local', at: 1 })
  store.ledger.commit(threadId, records)
  return store
}

/** Checks records that a store might have refused. */
async function checkRecords(records: readonly LedgerRecord[], rows = GOOD): Promise<readonly string[]> {
  const store = await storeOf(rows)
  const events = records.flatMap((record) => (record.type === 'event' ? [record.event] : []))
  const ledger: Store['ledger'] = {
    ...store.ledger,
    read: () => records,
    readEvents: (_, after) => events.slice(after),
    lastSeq: () => events.at(-1)?.seq ?? 0,
  }
  return checkInvariants({ ...store, ledger }, [threadId])
}

/** The valid records with one record removed, added or replaced. */
const without = (record: LedgerRecord) => {
  const left = GOOD.filter((other) => JSON.stringify(other) !== JSON.stringify(record))
  expect(left.length).toBe(GOOD.length - 1)
  return left
}
const withAfter = (index: number, ...more: LedgerRecord[]) => GOOD.toSpliced(index + 1, 0, ...more)
const swap = (record: LedgerRecord, other: LedgerRecord) =>
  GOOD.map((one) => (JSON.stringify(one) === JSON.stringify(record) ? other : one))

describe('checkInvariants', () => {
  it('returns nothing for a valid store', async () => {
    expect(await checkInvariants(await storeOf(GOOD), [threadId])).toEqual([])
    expect(await checkRecords(GOOD)).toEqual([])
  })

  it('allows open calls of an unfinished run that is live', async () => {
    const open = GOOD.slice(0, 8)
    expect(await checkInvariants(await storeOf(open), [threadId], { live: new Set([turn]) })).toEqual([])
  })

  const broken: readonly (readonly [string, readonly LedgerRecord[], string])[] = [
    ['a call without a result', without(answers(turn, 'call_2')), 'call_2 of run_1 has no result'],
    ['a write without a result', without(answers(child, 'call_1')), 'it is unknown whether call_1 of run_2'],
    ['a call with two results', withAfter(8, answers(turn, 'call_1')), 'call_1 of run_1 has two results'],
    [
      'a call started again after its result',
      withAfter(8, intends(turn, 'call_1')),
      'call_1 of run_1 was started again after its result',
    ],
    [
      'a write that was never requested',
      withAfter(8, intends(turn, 'call_9')),
      'call_9 of run_1 was started and never requested',
    ],
    [
      'a result without a request',
      withAfter(8, answers(turn, 'call_9')),
      'a result of call_9 where run_1 did not request it',
    ],
    [
      'the next message before a result',
      withAfter(8, asksFor(turn, 'call_3'), answers(turn, 'call_3')),
      'run_1 went on without a result of call_2',
    ],
    [
      'one call requested twice',
      withAfter(19, asksFor(turn, 'call_2'), answers(turn, 'call_2')),
      'run_1 requested call_2 twice',
    ],
    [
      'a result with the message of another call',
      swap(answers(turn, 'call_1'), {
        ...answers(turn, 'call_1'),
        message: { role: 'tool', callId: callId('call_2'), tool: 'send', ok: true, text: 'ok' },
      } as LedgerRecord),
      'the result of call_1 came with the message of call_2',
    ],
    [
      'a gap in the numbers',
      swap(reports(turn, 2, announced), reports(turn, 3, announced)),
      'event 2 has the number 3',
    ],
    [
      'a number used twice',
      swap(reports(child, 3, turnStart(1)), reports(child, 2, turnStart(1))),
      'event 3 has the number 2',
    ],
    [
      'usage that is not the sum',
      swap(paysFor(child, 5), paysFor(child, 6)),
      'run_1 has 15 inputTokens, its records have 16',
    ],
    [
      'a prompt opened twice',
      withAfter(0, opens(threadId)),
      'the system prompt of thread_1 was opened twice',
    ],
    ['a prompt never opened', without(opens(child)), 'run_2 began in run_2, which was never opened'],
    [
      'a fourth generation',
      swap(GOOD[11]!, startOf(child, { depth: 4, conversationId: child })),
      'run_2 is 4 deep',
    ],
    ['a record after the end', [...GOOD, paysFor(turn, 0)], 'a usage of run_1 came after its end'],
    ['a record of nobody', withAfter(1, paysFor('run_9' as RunId, 0)), 'belongs to run_9, which was never'],
    [
      'two unfinished turns',
      [
        ...GOOD,
        startOf('run_3' as RunId),
        startOf('run_4' as RunId),
        reports('run_3' as RunId, 6, turnStart()),
        reports('run_4' as RunId, 7, turnStart()),
      ],
      'run_3 and run_4 are unfinished at once',
    ],
    [
      'one message that became two turns',
      [...GOOD, startOf('run_3' as RunId, { messageId: 'm1' })],
      'the message m1 became two turns',
    ],
    [
      'a sub-agent that is unfinished after its turn',
      GOOD.filter((record) => record !== GOOD[17] && record !== GOOD[18]),
      'run_2 is unfinished below run_1',
    ],
    ['a run started twice', withAfter(1, startOf(turn)), 'run_1 was started twice'],
    ['an approval announced before it was stored', without(approval), 'announced before it was stored'],
    ['a turn announced twice', withAfter(2, reports(turn, 2, turnStart())), 'run_1 was announced 2 times'],
    [
      'an end that was not announced',
      GOOD.slice(0, -1),
      'run_1 has ended and was announced to have ended 0 times',
    ],
    [
      'an end that is announced but not recorded',
      GOOD.filter((_, index) => index !== 21),
      'run_1 was announced to have ended, and has not',
    ],
    [
      'an announced outcome that differs from the recorded one',
      [...GOOD.slice(0, -1), reports(turn, 5, turnEnd(outcome('nothing sent', 15)))],
      'run_1 ended with "all sent", and "nothing sent" was announced',
    ],
    [
      'an event after the end',
      [...GOOD, reports(turn, 6, { type: 'iteration-start', iteration: 2, maxIterations: 3 })],
      'event 6 of run_1 came after its turn-end',
    ],
    ['a message that was forgotten', without(takes('steer_1')), 'the message steer_1 is queued, and no turn'],
    ['a message taken twice', withAfter(20, takes('steer_1')), 'steer_1 left the queue without being in it'],
    ['a message queued twice', withAfter(9, queues('steer_1')), 'the message steer_1 was queued twice'],
  ]
  it.each(broken)('finds %s', async (_, records, words) => {
    expect((await checkRecords(records)).join('\n')).toContain(words)
  })

  it('finds a running run that is not live', async () => {
    const breaks = await checkInvariants(await storeOf(GOOD.slice(0, 8)), [threadId])
    expect(breaks).toEqual(['thread_1: run_1 is running, but no process works on it (I4)'])
  })

  it('finds a wait for nothing, and rows that differ from the records', async () => {
    const store = await storeOf(GOOD)
    const tree = await store.runs.tree(turn)
    const lies = (status: 'waiting' | 'failed'): Store => ({
      ...store,
      runs: { ...store.runs, tree: () => tree.map((row, at) => (at === 0 ? { ...row, status } : row)) },
    })
    expect((await checkInvariants(lies('waiting'), [threadId])).join()).toContain('run_1 waits for nothing')
    expect((await checkInvariants(lies('failed'), [threadId])).join()).toContain(
      'the row of run_1 has failed, its records have done',
    )
  })

  it('finds stored events that differ from the records, and wrong numbers', async () => {
    const store = await storeOf(GOOD)
    const ledger = { ...store.ledger, readEvents: () => [], lastSeq: () => 7 }
    const breaks = (await checkInvariants({ ...store, ledger }, [threadId])).join()
    expect(breaks).toContain('the events after 0 are not the ones that were recorded')
    expect(breaks).toContain('the last number is 7')
  })

  it('finds an approval that is missing or was edited', async () => {
    const store = await storeOf(GOOD)
    const stored = await store.approvals.get('approval_1')
    const check = (get: Store['approvals']['get']) =>
      checkInvariants({ ...store, approvals: { ...store.approvals, get } }, [threadId])
    expect((await check(() => undefined)).join()).toContain('approval_1 was announced and is not stored')
    expect((await check(() => ({ ...stored!, isIntact: false }))).join()).toContain(
      'is not what was announced',
    )
  })
})
