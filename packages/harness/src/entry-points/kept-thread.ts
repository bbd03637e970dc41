import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { Conversation } from '../context/conversation.ts'
import { restoreThread } from '../ledger/restore-thread.ts'
import type { ResumeState } from '../ledger/restore-thread.ts'
import type { Store, StoredApproval } from '../ports/store.ts'
import { Recorder } from '../seams/observers/recorder.ts'
import type { PastConversation } from '../turn/archive.ts'
import type { Clock } from '../turn/clock.ts'
import { EventLine } from '../turn/event-line.ts'
import type { MediaStore } from '../turn/media-store.ts'
import { Refusals } from '../turn/refusals.ts'
import type { Agent } from './agent.ts'
import { createAgent, openConversation, reopenConversation } from './agent.ts'
import type { AgentOptions } from './agent-options.ts'
import { APPROVAL_TIMEOUT_MS, createLedgerApprovals, park } from './ledger-approvals.ts'
import { createToolServices } from './tool-services.ts'

/** Where a thread is kept, and whose it is. */
export interface Keeping {
  readonly store: Store
  readonly userId: string
  readonly approvalTimeoutMs?: number
}

/** A thread as it is in the ledger now, ready to run turns that are written there. */
export interface KeptThread {
  readonly agent: Agent
  readonly conversation: Conversation
  readonly line: EventLine
  readonly recorder: Recorder
  readonly state: ResumeState
  /** What a person said no to in the turn that was interrupted. */
  readonly refusals: Refusals
}

/** Reads a thread back and opens it for writing. A thread that is not there yet is created. */
export async function openKeptThread(
  threadId: ThreadId,
  options: AgentOptions,
  keeping: Keeping,
  announce: (event: TurnEvent) => void | Promise<void>,
  clock: Clock,
): Promise<KeptThread> {
  const { store, userId, approvalTimeoutMs = APPROVAL_TIMEOUT_MS } = keeping
  const { ledger } = store
  await options.ready?.()
  await store.threads.create({ id: threadId, userId, at: clock.now() })
  const state = restoreThread(await ledger.read(threadId))
  const recorder = new Recorder({ ledger, threadId, clock, announce, opened: state.conversations.keys() })
  const line = new EventLine(threadId, clock, recorder, await ledger.lastSeq(threadId))
  const approvals = createLedgerApprovals({
    approvals: store.approvals,
    recorder,
    clock,
    userId,
    timeoutMs: approvalTimeoutMs,
    announced: state.announced,
  })
  const safety = { approvals, audit: recorder, artifacts: store.artifacts, ...options.safety }
  const observers = [recorder, ...(options.observers ?? [])]
  const services = createToolServices(safety, { park: (run, waitsFor) => park(recorder, run, waitsFor) })
  const agent = createAgent('session', { ...options, clock, observers, safety }, services)
  const past = state.conversations.get(threadId)
  const media = await openMediaStore(threadId, store, recorder, clock, past)
  const conversation = past ? reopenConversation(agent, past, media) : openConversation(agent, [], media)
  return { agent, conversation, line, recorder, state, refusals: await restoreRefusals(state, store) }
}

/** A no counts for the whole turn, and only once somebody was told of it is it behind us. */
async function restoreRefusals({ unfinished, announced }: ResumeState, store: Store): Promise<Refusals> {
  const refusals = new Refusals()
  if (!unfinished) return refusals
  const runs = await store.runs.tree(unfinished.runId)
  const asked = await store.approvals.ofRuns(runs.map(({ id }) => id))
  for (const approval of asked)
    if (announced.has(approval.id) && isNo(approval)) refusals.add(approval.tool, approval.signature)
  return refusals
}

const isNo = ({ decision }: StoredApproval): boolean => decision === 'deny' || decision === 'expired'

/** Bytes are read once, when the thread is opened; new ones are written with the message that carries them. */
async function openMediaStore(
  threadId: ThreadId,
  { ledger }: Store,
  recorder: Recorder,
  clock: Clock,
  past: PastConversation | undefined,
): Promise<MediaStore> {
  const media = new Map<string, Uint8Array>()
  for (const message of past?.messages ?? []) {
    const parts =
      message.role === 'user' ? message.parts : message.role === 'tool' ? (message.media ?? []) : []
    for (const part of parts) {
      if (part.type === 'text') continue
      const bytes = await ledger.readMedia(threadId, part.ref)
      if (bytes) media.set(part.ref, bytes)
    }
  }
  let count = media.size
  return {
    get: (ref) => media.get(ref),
    put(bytes) {
      // Not by counting alone: what was compacted away keeps its number.
      const ref = `media_${clock.now().toString(36)}_${++count}`
      media.set(ref, bytes)
      recorder.add({ type: 'media', at: clock.now(), ref, bytes })
      return ref
    },
  }
}
