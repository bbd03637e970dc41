import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { Conversation } from '../../context/conversation.ts'
import { ContextWindow } from '../../context/window.ts'
import { restoreFlow } from '../../ledger/restore-flow.ts'
import { Recorder } from '../../ledger/recorder/recorder.ts'
import type { ResumeState } from '../../ledger/restore-thread.ts'
import { restoreThread } from '../../ledger/restore-thread.ts'
import type { LedgerRecord } from '../../ports/ledger.ts'
import type { Store, StoredApproval } from '../../ports/store.ts'
import type { Clock } from '../../turn/clock.ts'
import type { EventSink } from '../../turn/event-line.ts'
import { EventLine } from '../../turn/event-line.ts'
import type { FlowTracker } from '../../turn/flow-tracker.ts'
import type { Message } from '../../turn/message/message.ts'
import { Refusals } from '../../turn/refusals.ts'
import type { Agent } from '../agent.ts'
import { createAgent, openConversation, reopenConversation } from '../agent.ts'
import type { AgentOptions } from '../agent-options.ts'
import { openFlow, openFlowAfter } from '../open-flow.ts'
import { createToolServices } from '../tool-services.ts'
import { endChildrenAtEnd } from './end-children.ts'
import { createLedgerApprovals, withdrawAtEnd } from './ledger-approvals.ts'
import type { Parking } from './parking.ts'
import { createParking } from './parking.ts'
import { openStoredMedia } from './stored-media.ts'

/** A thread in memory: what its turns share. */
export interface OpenThread {
  readonly agent: Agent
  readonly conversation: Conversation
  readonly line: EventLine
  readonly window: ContextWindow
  /** What the thread has read. */
  readonly flow: FlowTracker
  /** Absent for a thread without a store. */
  readonly stored?: StoredThread
}

/** The further parts of a thread with a store. */
interface StoredThread {
  readonly recorder: Recorder
  /** The state restored from its records when it was opened. */
  readonly state: ResumeState
  /** The calls a person refused in the interrupted turn. */
  readonly refusals: Refusals
  /** The parked runs of the current turn. */
  readonly parking: Pick<Parking, 'waits' | 'settle'>
}

/** Called with each event of a thread. */
export type Announce = (event: TurnEvent) => void | Promise<void>

/** Opens a thread without a store. */
export function openInMemory(
  threadId: ThreadId,
  agent: Agent,
  messages: readonly Message[] | undefined,
  announce: Announce,
): OpenThread {
  const conversation = openConversation(agent, messages)
  const line = new EventLine(threadId, agent.clock, { report: announce })
  const flow = openFlowAfter(agent.options, messages ?? [], conversation.surface)
  return { agent, conversation, line, window: new ContextWindow(), flow }
}

/** The store and the owner of a thread. */
export interface Storage {
  readonly store: Store
  readonly userId: string
  readonly approvalTimeoutMs: number
}

/**
 * Reads a thread from its store and opens it for writing. Creates the thread when it does not exist. `onRead` gets its
 * records before anything is announced.
 */
export async function openStored(
  threadId: ThreadId,
  options: AgentOptions,
  { store, userId, approvalTimeoutMs }: Storage,
  announce: Announce,
  clock: Clock,
  onRead: (records: readonly LedgerRecord[]) => Promise<void>,
): Promise<OpenThread> {
  const { ledger } = store
  await options.ready?.()
  // Together: a database on another machine is waited for only once. Nobody else writes to a thread that is being opened.
  const [, records, notes] = await Promise.all([
    store.threads.create({ id: threadId, userId, at: clock.now() }),
    ledger.read(threadId),
    options.notes?.(),
  ])
  await onRead(records)
  const state = restoreThread(records)
  const flow = openFlow(options)
  restoreFlow(records, flow)
  const recorder = new Recorder({ ledger, threadId, clock, announce, opened: state.conversations.keys() })
  const asked = await readAsked(state, store)
  const asking = { isOpen: asked.length > 0, announced: new Set(state.announced) }
  const line = new EventLine(threadId, clock, noteAnswers(recorder, asking.announced), lastSeqOf(records))
  const readArchive = async () => {
    await recorder.flush() // the ends of runs below a parked one may still be in memory
    return restoreThread(await ledger.read(threadId)).archive
  }
  const parking = createParking(recorder, readArchive)
  const approvals = createLedgerApprovals({
    approvals: store.approvals,
    recorder,
    parking,
    clock,
    userId,
    timeoutMs: approvalTimeoutMs,
    asking,
  })
  const safety = { approvals, artifacts: store.artifacts, ...options.safety }
  const withdraw = withdrawAtEnd(store, recorder, asking)
  const endChildren = endChildrenAtEnd(store.runs, recorder, line, state.unfinished?.runId)
  const observers = [recorder, withdraw, endChildren, ...(options.observers ?? [])]
  const services = createToolServices(safety, {
    park: (run, waits) => parking.park(run, waits),
    parkedRuns: parking,
  })
  const agent = createAgent('session', { ...options, clock, observers, safety }, services)
  const past = state.conversations.get(threadId)
  const media = await openStoredMedia(threadId, store.ledger, recorder, clock, past)
  const conversation = past
    ? reopenConversation(agent, past, media)
    : openConversation(agent, [], media, notes)
  const refusals = restoreRefusals(state, asked)
  const stored = { recorder, state, refusals, parking }
  return { agent, conversation, line, window: new ContextWindow(), flow, stored }
}

const lastSeqOf = (records: readonly LedgerRecord[]): number =>
  records.findLast((record) => record.type === 'event')?.event.seq ?? 0

/** The questions of the interrupted turn. */
async function readAsked({ unfinished }: ResumeState, store: Store): Promise<readonly StoredApproval[]> {
  if (!unfinished) return []
  const runs = await store.runs.tree(unfinished.runId)
  return store.approvals.ofRuns(runs.map(({ id }) => id))
}

/** A refusal counts for the whole turn once its answer is announced. */
function restoreRefusals({ announced }: ResumeState, asked: readonly StoredApproval[]): Refusals {
  const refusals = new Refusals()
  for (const approval of asked)
    if (announced.has(approval.id) && isRefusal(approval)) refusals.add(approval.tool, approval.signature)
  return refusals
}

const isRefusal = ({ decision }: StoredApproval): boolean => decision === 'deny' || decision === 'expired'

/** Notes the answers that are reported. */
const noteAnswers = (recorder: Recorder, announced: Set<string>): EventSink => ({
  report(event) {
    if (event.type === 'approval-answer') announced.add(event.approvalId)
    return recorder.report(event)
  },
  merge: (runId, delta) => recorder.merge(runId, delta),
})
