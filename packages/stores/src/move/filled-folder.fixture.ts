import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LedgerRecord, Store } from '@capstan/harness/stores'
import type { CallId, RunId, ThreadId, Usage } from '@capstan/protocol'
import { openEmbeddedStore } from '../embedded/open-store.ts'

const USAGE: Usage = {
  inputTokens: 1_201,
  outputTokens: 87,
  cachedInputTokens: 900,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  chargedUsd: 0.000_123_7,
  estimatedUsd: 0.1 + 0.2,
}
const NOW = 1_760_000_000_000
const LATER = 4_000_000_000_000

/** A folder with so many threads, and everything else that an installation may have. The store is closed. */
export async function fillFolder(folder: string, threads: number): Promise<void> {
  const store = openEmbeddedStore({ folder, env: {} })
  for (let n = 1; n <= threads; n++) await addThread(store, n)
  for (const userId of ['ann', 'bob']) await addConnections(store, userId)
  await store.connections.vault.write('settings:keys:ann', { anthropic: 'sk-moved' })
  await store.audit.record({ at: NOW, userId: 'ann', action: 'setting-change', subject: 'mode' })
  writeFileSync(join(folder, 'settings.json'), '{"users":{"ann":{"theme":"dark"}}}\n')
  writeFileSync(join(folder, 'logins.json'), '{"logins":[]}\n')
  writeFileSync(join(folder, 'install.key'), `${Buffer.alloc(32, 7).toString('base64url')}\n`)
  await store.close()
}

/** What a thread holds follows from its number. */
async function addThread(store: Store, n: number): Promise<void> {
  const id = `moved_${n}` as ThreadId
  const runId = `run_${n}` as RunId
  const userId = n % 3 === 0 ? 'bob' : 'ann'
  const at = NOW + n
  const isWaiting = n % 7 === 0
  const isInterrupted = !isWaiting && n % 9 === 0
  await store.threads.create({ id, userId, at })
  await store.ledger.commit(id, toStart(id, runId, n))
  for (let seq = 2; seq <= 6; seq++) await store.ledger.commit(id, toStep(id, runId, seq, at))
  if (n % 10 === 0)
    await store.ledger.commit(id, [{ type: 'media', at, ref: `media_${n}`, bytes: bytesOf(n) }])
  if (n % 5 === 0) await addArtifact(store, id, n)
  if (isWaiting) await addApproval(store, id, runId, n)
  if (n % 11 === 0)
    await store.ledger.commit(id, [
      { type: 'message-queue', at, id: `queued_${n}`, mode: 'steer', text: 'And this.' },
    ])
  if (!isWaiting && !isInterrupted) await store.ledger.commit(id, [toEnd(runId, n, at)])
  if (n % 13 === 0) await store.threads.archive(id, at + 5)
  if (n % 17 === 0) await store.threads.rename(id, `Renamed harbour ${n}`)
  if (n % 19 === 0) await store.threads.setQueueMode(id, 'interrupt')
  if (n % 23 === 0) await store.threads.delete(id, at + 9)
}

const toStart = (id: ThreadId, runId: RunId, n: number): LedgerRecord[] => [
  { type: 'conversation-open', at: NOW + n, conversationId: id, agent: 'lead', system: 'Be kind.' },
  {
    type: 'run-start',
    at: NOW + n,
    run: {
      runId,
      conversationId: id,
      agent: 'lead',
      depth: 0,
      origin: 'web',
      model: 'vendor/model',
      messageId: `message_${n}`,
      budget: {},
      text: `Where is ship ${n}? "quoted" é語😀 \0`,
    },
  },
  toEvent(id, runId, 1, NOW + n),
]

const toEvent = (threadId: ThreadId, runId: RunId, seq: number, at: number): LedgerRecord => ({
  type: 'event',
  at,
  event: { threadId, runId, seq, at, type: 'notice-add', iteration: 0, text: `step ${seq}` },
})

function toStep(id: ThreadId, runId: RunId, seq: number, at: number): LedgerRecord[] {
  const callId = `call_${seq}` as CallId
  const text = `result of step ${seq} `.repeat(20)
  return [
    toEvent(id, runId, seq, at),
    {
      type: 'usage',
      at: at + seq,
      runId,
      model: seq % 2 ? 'vendor/model' : 'vendor/small',
      usage: USAGE,
      elapsedMs: 5,
    },
    { type: 'call-intent', at, runId, callId, tool: 'send_mail', effect: 'write', digest: `digest ${seq}` },
    {
      type: 'call-result',
      at,
      runId,
      result: { callId, tool: 'send_mail', ok: true, durationMs: 1, outputBytes: text.length },
      message: { role: 'tool', callId, tool: 'send_mail', ok: true, text },
      effect: 'write',
      audit: { decision: 'approved', effect: 'write', digest: `digest ${seq}` },
    },
  ]
}

const toEnd = (runId: RunId, n: number, at: number): LedgerRecord => ({
  type: 'run-end',
  at: at + 3,
  runId,
  outcome: { type: 'done', text: `Behind lighthouse ${n}.`, usage: USAGE, iterations: 1 },
})

const bytesOf = (n: number): Uint8Array => Uint8Array.from({ length: 2_000 }, (_, index) => (index * n) % 256)

async function addArtifact(store: Store, threadId: ThreadId, n: number): Promise<void> {
  const writer = store.artifacts.create({ threadId, callId: `call/${n}`, tool: 'shell' })
  await writer.write(`large result é😀 ${n}\n`.repeat(n % 100 === 0 ? 100_000 : 50))
  await writer.close()
}

/** One that waits; every second one was answered, and the answer gives a grant. */
async function addApproval(store: Store, threadId: ThreadId, runId: RunId, n: number): Promise<void> {
  const id = `approval_${n}`
  const request = {
    id,
    threadId,
    runId,
    callId: 'call_9' as CallId,
    tool: 'send_mail',
    label: 'Send a mail',
    arguments: { to: 'ada@example.com', n },
    digest: 'digest',
    signature: `signature ${n}`,
    createdAt: NOW + n,
    expiresAt: LATER,
    binding: { definitionDigest: 'd', effect: 'write' },
  } as const
  await store.ledger.commit(threadId, [
    { type: 'approval-open', at: NOW + n, request },
    { type: 'run-park', at: NOW + n, runId, waitsFor: { kind: 'approval', id } },
  ])
  if (n % 14 === 0)
    await store.approvals.answer(id, 'allow-always', NOW + n + 1, undefined, `message_yes_${n}`)
}

async function addConnections(store: Store, userId: string): Promise<void> {
  const { connections } = store
  for (const [index, toolkit] of ['mail', 'mail', 'notes', 'calendar'].entries()) {
    const id = `connection_${userId}_${index}`
    const times = { createdAt: NOW + index, updatedAt: NOW + index }
    await connections.create({
      id,
      userId,
      connector: 'mcp',
      toolkit,
      status: 'pending',
      label: `é ${index}`,
      ...times,
    })
    await connections.vault.write(id, { accessToken: `token-${id}`, scopes: ['read'] })
    if (index === 3) {
      const flow = {
        stateHash: `state_${id}`,
        connectionId: id,
        userId,
        browserHash: 'b',
        redirectUri: 'http://x/y',
      }
      await connections.openFlow({ ...flow, createdAt: NOW, expiresAt: LATER })
      continue
    }
    await connections.change(id, { status: 'active', updatedAt: NOW + 50 }, ['pending'])
    await connections.rememberActions(
      id,
      new Map([
        ['send', 'digest'],
        ['list', 'other'],
      ]),
    )
  }
  await connections.makeDefault(`connection_${userId}_1`)
  await store.memory.put(
    userId,
    ['Der Rasenmäher ist kaputt', '芝刈り機が壊れた \0'].map((text, n) => ({
      id: `item_${n}`,
      app: 'notes',
      externalId: String(n),
      at: NOW,
      title: 'Garden',
      text,
      people: ['Zoë'],
      seenAt: NOW,
    })),
  )
  const [garden] = await store.memory.list(userId)
  await store.memory.vectors.put(userId, 'test/model', [
    { item: garden!, vectors: [new Float32Array([0.6, -0.8]), new Float32Array([1, 0])] },
  ])
  await store.memory.facts.add(userId, {
    id: 'fact_1',
    text: 'Trinkt Tee \0 😀',
    status: 'proposed',
    origin: { threadId: 'moved_1' as ThreadId, isUntrusted: true },
    createdAt: NOW,
    changedAt: NOW + 1,
  })
  await addJobs(store, userId)
  const gone = {
    status: 'disconnected',
    updatedAt: NOW + 60,
    reason: 'left',
    reasonCode: 'declined',
  } as const
  await connections.change(`connection_${userId}_2`, gone, ['active'])
  await connections.setScopes(userId, 'mail', { read: true, write: false, admin: true })
  await connections.setActionEffect(userId, 'calendar', 'delete', { effect: 'admin', digest: 'digest' })
}

/** One that waits, one that failed, and one whose node was killed. */
async function addJobs({ jobs }: Store, userId: string): Promise<void> {
  for (const n of [1, 2, 3])
    await jobs.add({
      id: `job_${n}`,
      userId,
      kind: n === 1 ? 'schedule' : 'sync',
      key: `key_${n}`,
      title: `Sync \0 ${n}`,
      body: { n, text: '芝刈り機 \0' },
      nextAt: NOW + n,
      createdAt: NOW,
    })
  const claimed = await jobs.claimDue({
    now: NOW + 3,
    owner: 'killed',
    leaseMs: 1_000,
    limit: 9,
    kinds: ['sync'],
    exceptUsers: [userId === 'ann' ? 'bob' : 'ann'],
  })
  const [first] = claimed
  const failure = {
    class: 'service_unavailable',
    category: 'transient',
    cause: 'The app did not answer.',
    next: 'Try again.',
    recoverable: true,
  } as const
  if (first) await jobs.end(first, { status: 'failed', state: ['\0'], failure, at: NOW + 4 })
}
