import type { ThreadId, TurnEvent, WaitsFor } from '@capstan/protocol'
import type { Conversation } from '../../context/conversation.ts'
import { ContextWindow } from '../../context/window.ts'
import { Recorder } from '../../ledger/recorder/recorder.ts'
import type { ResumeState } from '../../ledger/restore-thread.ts'
import { restoreThread } from '../../ledger/restore-thread.ts'
import type { Store, StoredApproval } from '../../ports/store.ts'
import type { Clock } from '../../turn/clock.ts'
import { EventLine } from '../../turn/event-line.ts'
import type { Message } from '../../turn/message.ts'
import { Refusals } from '../../turn/refusals.ts'
import type { Agent } from '../agent.ts'
import { createAgent, openConversation, reopenConversation } from '../agent.ts'
import type { AgentOptions } from '../agent-options.ts'
import { createToolServices } from '../tool-services.ts'
import { createLedgerApprovals, createParking, withdrawAtEnd } from './ledger-approvals.ts'
import { openStoredMedia } from './stored-media.ts'

/** What the turns of one thread share while it is in memory. */
export interface OpenThread {
  readonly agent: Agent
  readonly conversation: Conversation
  readonly line: EventLine
  readonly window: ContextWindow
  /** Absent for a thread that nothing outlives. */
  readonly stored?: StoredThread
}

/** What a thread in a store has besides. */
interface StoredThread {
  readonly recorder: Recorder
  /** The thread as its records tell it, when it was opened. */
  readonly state: ResumeState
  /** What a person refused in the turn that was interrupted. */
  readonly refusals: Refusals
  /** What the runs of the current turn have parked for. */
  readonly waits: readonly WaitsFor[]
}

/** Who watches a thread. */
export type Announce = (event: TurnEvent) => void | Promise<void>

/** A thread without a store. */
export function openInMemory(
  threadId: ThreadId,
  agent: Agent,
  messages: readonly Message[] | undefined,
  announce: Announce,
): OpenThread {
  const conversation = openConversation(agent, messages)
  const line = new EventLine(threadId, agent.clock, { report: announce })
  return { agent, conversation, line, window: new ContextWindow() }
}

/** Where a thread is stored, and whose it is. */
export interface Storage {
  readonly store: Store
  readonly userId: string
  readonly approvalTimeoutMs: number
}

/** Reads a thread from its store and opens it for writing. A thread that is not there yet is created. */
export async function openStored(
  threadId: ThreadId,
  options: AgentOptions,
  { store, userId, approvalTimeoutMs }: Storage,
  announce: Announce,
  clock: Clock,
): Promise<OpenThread> {
  const { ledger } = store
  await options.ready?.()
  await store.threads.create({ id: threadId, userId, at: clock.now() })
  const state = restoreThread(await ledger.read(threadId))
  const recorder = new Recorder({ ledger, threadId, clock, announce, opened: state.conversations.keys() })
  const line = new EventLine(threadId, clock, recorder, await ledger.lastSeq(threadId))
  const parking = createParking(recorder)
  const approvals = createLedgerApprovals({
    approvals: store.approvals,
    recorder,
    parking,
    clock,
    userId,
    timeoutMs: approvalTimeoutMs,
    announced: state.announced,
  })
  const safety = { approvals, artifacts: store.artifacts, ...options.safety }
  const withdraw = withdrawAtEnd(store, recorder, () => approvals.hasAsked || state.unfinished !== undefined)
  const observers = [recorder, withdraw, ...(options.observers ?? [])]
  const services = createToolServices(safety, { park: (run, waitsFor) => parking.park(run, waitsFor) })
  const agent = createAgent('session', { ...options, clock, observers, safety }, services)
  const past = state.conversations.get(threadId)
  const media = await openStoredMedia(threadId, store.ledger, recorder, clock, past)
  const conversation = past ? reopenConversation(agent, past, media) : openConversation(agent, [], media)
  const refusals = await restoreRefusals(state, store)
  const stored = { recorder, state, refusals, waits: parking.waits }
  return { agent, conversation, line, window: new ContextWindow(), stored }
}

/** A refusal counts for the whole turn, once its answer was announced. */
async function restoreRefusals({ unfinished, announced }: ResumeState, store: Store): Promise<Refusals> {
  const refusals = new Refusals()
  if (!unfinished) return refusals
  const runs = await store.runs.tree(unfinished.runId)
  const asked = await store.approvals.ofRuns(runs.map(({ id }) => id))
  for (const approval of asked)
    if (announced.has(approval.id) && isRefusal(approval)) refusals.add(approval.tool, approval.signature)
  return refusals
}

const isRefusal = ({ decision }: StoredApproval): boolean => decision === 'deny' || decision === 'expired'
