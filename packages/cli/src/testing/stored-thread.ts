import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LedgerRecord, Store } from '@capstan/harness/stores'
import type { CallId, Failure, RunId, ThreadId, TurnEventBody } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import { onTestFinished } from 'vitest'
import { openStoreAsOwner, USER_ID } from '../store-access/open-store.ts'

/** Creates an empty data folder that is deleted after the test. */
export async function createHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'capstan-cli-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  return home
}

/** Opens the store of the folder as its owner while `use` runs. */
export async function withOwnStore<T>(home: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = openStoreAsOwner(home)
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

const EXPIRED: Failure = {
  class: 'bad_credentials',
  category: 'needs_user',
  cause: 'The sign-in has expired.',
  next: 'Reconnect the account.',
  recoverable: false,
}

/** The approval that the stored thread waits for. */
export const APPROVAL_ID = 'approval_save'

/** Stores a thread with a finished turn and a turn that waits for an approval, with the records of the engine. */
export async function storeThread(
  store: Store,
  { id = 'thread_aaaaaaaaa-1', run = 'run_aaaaaaaaa', title = 'The trip', at = Date.now() - 60_000 } = {},
): Promise<void> {
  const threadId = id as ThreadId
  const first = `${run}-1` as RunId
  const second = `${run}-2` as RunId
  let seq = 0
  const event = (runId: RunId, body: TurnEventBody): LedgerRecord => ({
    type: 'event',
    at: at + seq,
    event: { ...body, threadId, runId, seq: ++seq, at: at + seq },
  })
  const start = (runId: RunId, text: string): readonly LedgerRecord[] => [
    {
      type: 'run-start',
      at: at + seq,
      run: {
        runId,
        conversationId: threadId,
        agent: 'assistant',
        depth: 0,
        origin: 'cli',
        model: 'demo/scripted',
        budget: {},
        text,
      },
    },
    { type: 'message', at: at + seq, runId, message: { role: 'user', parts: [{ type: 'text', text }] } },
    event(runId, { type: 'turn-start', agent: 'assistant', depth: 0, model: 'demo/scripted', text }),
    event(runId, { type: 'iteration-start', iteration: 1, maxIterations: 10 }),
  ]
  const call = (runId: RunId, callId: string, tool: string, args: Record<string, string>): LedgerRecord => ({
    type: 'message',
    at: at + seq,
    runId,
    message: {
      role: 'assistant',
      parts: [
        { type: 'text', text: 'I will look.' },
        { type: 'call', call: { id: callId as CallId, tool, arguments: args } },
      ],
    },
  })
  const usage = { ...NO_USAGE, inputTokens: 1200, outputTokens: 80, estimatedUsd: 0.0042 }
  const answer = 'Take a rain jacket.'
  const asked = {
    callId: 'c1' as CallId,
    tool: 'save_note',
    label: 'Save note',
    arguments: { title: 'Packing', text: 'Rain jacket\u001b[2J' },
    digest: 'digest',
    binding: { definitionDigest: 'definition', effect: 'write' } as const,
    expiresAt: at + 7 * 86_400_000,
  }
  const { binding: _, ...shown } = asked
  await store.threads.create({ id: threadId, userId: USER_ID, title, at })
  await store.ledger.commit(threadId, [
    { type: 'conversation-open', at, conversationId: threadId, agent: 'assistant', system: 'Be brief.' },
    ...start(first, 'What should I pack?'),
    call(first, 'c1', 'read_calendar', { day: 'tomorrow' }),
    event(first, {
      type: 'tool-start',
      iteration: 1,
      callId: 'c1' as CallId,
      tool: 'read_calendar',
      arguments: { day: 'tomorrow' },
      label: 'Read calendar',
      detail: 'tomorrow',
    }),
    {
      type: 'call-result',
      at: at + seq,
      runId: first,
      result: {
        callId: 'c1' as CallId,
        tool: 'read_calendar',
        ok: false,
        durationMs: 500,
        outputBytes: 3,
        failure: EXPIRED,
      },
      message: { role: 'tool', callId: 'c1' as CallId, tool: 'read_calendar', ok: false, text: '401' },
    },
    { type: 'usage', at: at + seq, runId: first, model: 'demo/scripted', usage, elapsedMs: 5 },
    {
      type: 'message',
      at: at + seq,
      runId: first,
      message: { role: 'assistant', parts: [{ type: 'text', text: answer }] },
    },
    {
      type: 'run-end',
      at: at + 1500,
      runId: first,
      outcome: { type: 'done', text: answer, usage, iterations: 2 },
    },
    event(first, { type: 'turn-end', outcome: { type: 'done', text: answer, usage, iterations: 2 } }),
    ...start(second, 'Save that as a note.'),
    call(second, 'c1', 'save_note', { title: 'Packing' }),
    {
      type: 'approval-open',
      at: at + seq,
      request: { ...asked, id: APPROVAL_ID, threadId, runId: second, signature: 's', createdAt: at + seq },
    },
    event(second, { type: 'approval-request', iteration: 1, approvalId: APPROVAL_ID, ...shown }),
    { type: 'run-park', at: at + seq, runId: second, waitsFor: { kind: 'approval', id: APPROVAL_ID } },
  ])
}
