import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import type { AgentDefinition, Session, Threads } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { ConfigurationError, TurnInProgressError, createThreads } from '@capstan/harness'
import { createAskUserTool } from '@capstan/harness/tools'
import { createFaults, faultyModel, faultyStore, faultyTool, faultyWatcher } from '@capstan/harness/testing'
import { openEmbeddedStore } from '@capstan/stores'
import { EventClient } from './event-client.ts'
import type { Journal } from './journal.ts'
import { openJournal } from './journal.ts'
import { INSTRUCTIONS, createPlannedModel } from './planned-model.ts'
import type { StartRequest, ProcessMessage } from './round-files.ts'
import { roundFiles } from './round-files.ts'
import { sabotageStore, sabotageWatcher } from './sabotage.ts'
import type { Decision, Interjection, ThreadScript, TurnScript } from './scenario.ts'
import { decide } from './scenario.ts'
import { isStoppedWhileParked, queueModeOf, rulesOf } from './mixes.ts'
import { createServices } from './services.ts'

// One start of the process that is killed: it opens the store, resumes unfinished turns, runs the remaining steps and
// exits. It cannot clean up when it is killed.

const USER = 'local'

interface ProcessContext {
  readonly request: StartRequest
  readonly store: Store
  readonly threads: Threads
  readonly journal: Journal
}

async function runStart(request: StartRequest): Promise<void> {
  const files = roundFiles(request.folder)
  const journal = openJournal(files.journal)
  process.on('unhandledRejection', (error) => journal.add({ type: 'unhandled', text: describe(error) }))
  const { scenario, start, sabotage } = request
  const faults = createFaults(start.faults)
  const store = openEmbeddedStore({ folder: files.store })
  for (const text of store.notices) journal.add({ type: 'notice', text })
  const client = new EventClient(journal, store.ledger, start.awayEvery)
  let isLeaving = false
  const answer = (id: string, decision: Decision): void => {
    // An answer that arrives while the process leaves is given again at the next start.
    if (!isLeaving)
      threads.answer(id, decision).catch((error: unknown) => (isLeaving ? undefined : fail(error)))
  }
  const onEvent = (event: TurnEvent) => {
    client.receive(event)
    if (isStoppedWhileParked(event)) void stopParked(event)
    if (event.type === 'approval-request') handleApproval(request, event.approvalId, event.arguments, answer)
  }
  const stopParked = async ({ threadId, runId }: TurnEvent): Promise<void> => {
    try {
      ;(await threads.open(threadId)).stop(runId)
    } catch (error) {
      if (!isLeaving) fail(error)
    }
  }
  const model = faultyModel(createPlannedModel(), faults)
  const tools = [...createServices(files.effects), createAskUserTool()].map((tool) =>
    faultyTool(tool, faults),
  )
  const threads = createThreads({
    store: faultyStore(sabotageStore(store, sabotage), faults),
    userId: USER,
    queueMode: queueModeOf(scenario),
    onEvent: faultyWatcher(sabotageWatcher(onEvent, sabotage), faults),
    onProblem: fail,
    agent({ id }) {
      const script = scenario.threads.find((thread) => thread.id === id)
      return {
        model,
        tools,
        agents: AGENTS,
        instructions: INSTRUCTIONS,
        origin: 'web',
        dialect: script?.inText ? 'xml' : 'native',
        safety: { mode: 'full', rules: rulesOf(start) },
        limits: { maxIterations: script?.maxIterations ?? 40 },
        budget: { iterations: 10_000 },
      }
    },
  })
  process.on('message', (message: ProcessMessage) => {
    if (message.type === 'answer') answer(message.id, message.decision)
  })
  // The parent is gone, so no kill would come any more.
  const exitWithoutParent = () => process.exit(1)
  process.once('disconnect', exitWithoutParent)
  let isStopping = false
  process.once('SIGTERM', () => {
    isStopping = true
    void leave()
  })
  async function leave(): Promise<void> {
    if (isLeaving) return
    isLeaving = true
    await threads.stop({ graceMs: 5 })
    await store.close()
    process.off('disconnect', exitWithoutParent)
    process.disconnect()
  }
  function fail(error: unknown): void {
    if (isStopping) return
    const isPlanned = faults.struck.some((fault) => fault.endsWith(' fail'))
    journal.add({ type: 'error', text: describe(error), isPlanned })
    // The next start does the rest.
    process.exit(1)
  }

  try {
    for (const { id } of scenario.threads) await client.connect(id as ThreadId)
    if (sabotage !== 'no-resume') await threads.resume()
    for (const { id, arguments: args } of await store.approvals.list({
      userId: USER,
      pending: true,
      now: Date.now(),
    })) {
      handleApproval(request, id, args, answer)
    }
    const context: ProcessContext = { request, store, threads, journal }
    send({ type: 'up' })
    const running = scenario.threads.map((script) => runThread(script, context))
    const isOver = await Promise.race([
      Promise.all(running).then(() => true),
      untilOnlyWaiting(context, running),
    ])
    if (isOver) await threads.idle()
    for (const { id } of scenario.threads) await client.connect(id as ThreadId)
    if (isOver && !isStopping) journal.add({ type: 'finish' })
    if (!isStopping) await leave()
  } catch (error) {
    fail(error)
  }
}

async function runThread(script: ThreadScript, context: ProcessContext): Promise<void> {
  const { threads } = context
  await threads.create({ id: script.id })
  const session = await threads.open(script.id)
  for (const turn of script.turns) await runTurnScript(session, turn, context)
  await untilFree(session.threadId, context)
}

async function runTurnScript(session: Session, turn: TurnScript, context: ProcessContext): Promise<void> {
  const { journal, request } = context
  const { messageId } = turn
  const isNew = !(await context.store.runs.findByMessage(session.threadId, messageId))
  if (isNew && !turn.movesOn) await untilFree(session.threadId, context)
  const has = (type: 'ack' | 'end' | 'sent' | 'delivery', id: string) =>
    journal.lines.some((line) => line.type === type && line.id === id)
  let outcome: Promise<TurnOutcome> | undefined
  if (!has('ack', messageId) || (request.start.repeats && !has('end', messageId))) {
    const posted = await postWhenFree(session, turn)
    journal.add({ type: 'ack', id: messageId, runId: posted.runId! })
    outcome = posted.outcome
  } else if (!has('end', messageId)) outcome = untilEnded(session.threadId, messageId, context)
  const left = turn.interjections.filter(
    ({ id }) => !has('delivery', id) && (request.start.repeats || !has('sent', id)),
  )
  const interjecting = Promise.all(left.map((interjection) => interject(session, interjection, journal)))
  // Awaited below, but only after the turn is over, which may never happen.
  interjecting.catch(() => {})
  if (outcome) {
    const end = await outcome
    journal.add({ type: 'end', id: messageId, text: end.text })
    if (end.type === 'capped' && end.resumeToken !== undefined) await continueTurn(session, end.resumeToken)
  }
  const isAnswered = await Promise.race([interjecting.then(() => true), untilQuiet(session, context)])
  if (!isAnswered) {
    for (const { id } of left) if (!has('delivery', id)) journal.add({ type: 'unanswered', id })
  }
  await session.idle()
}

/** Continues a capped turn, unless the next turn has started already. */
async function continueTurn(session: Session, token: string): Promise<void> {
  try {
    await (
      await session.continue(token)
    ).outcome
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof TurnInProgressError)) throw error
  }
}

/** Settles when the thread has been idle for so long that every sent message should have an answer. */
async function untilQuiet({ threadId }: Session, context: ProcessContext): Promise<false> {
  for (let quiet = 0; quiet < 2; quiet++) {
    if (await isBusy(threadId, context)) quiet = 0
    await sleep(IDLE_MS, undefined, { ref: false })
  }
  return false
}

const IDLE_MS = 1_000

async function interject(
  session: Session,
  { id, mode, text, afterMs }: Interjection,
  journal: Journal,
): Promise<void> {
  await sleep(afterMs)
  const deliver = mode === 'steer' ? session.steer.bind(session) : session.followUp.bind(session)
  journal.add({ type: 'sent', id })
  const delivery = await deliver(text, { messageId: id })
  journal.add({ type: 'delivery', id, ...(delivery.delivered ? undefined : { refused: delivery.reason }) })
}

async function postWhenFree(session: Session, { text, messageId }: TurnScript) {
  for (;;) {
    try {
      return await session.submit(text, { messageId })
    } catch (error) {
      if (!(error instanceof TurnInProgressError)) throw error
      await sleep(2)
      await session.idle()
    }
  }
}

/** Settles when no turn of the thread is left: neither running nor waiting. */
async function untilFree(threadId: ThreadId, context: ProcessContext): Promise<void> {
  while (await isBusy(threadId, context)) await sleep(3)
}

async function isBusy(threadId: ThreadId, { store }: ProcessContext): Promise<boolean> {
  return (await store.runs.unfinished()).some((run) => run.threadId === threadId)
}

/** Waits for the outcome as a client does whose message was acknowledged earlier. */
async function untilEnded(
  threadId: ThreadId,
  messageId: string,
  { store }: ProcessContext,
): Promise<TurnOutcome> {
  for (;;) {
    const outcome = (await store.runs.findByMessage(threadId, messageId))?.outcome
    if (outcome) return outcome
    await sleep(3)
  }
}

/** Settles when all remaining turns wait for answers that do not come in this start. */
async function untilOnlyWaiting(
  { request, store, journal }: ProcessContext,
  running: readonly Promise<void>[],
) {
  if (request.start.answers !== 'later') return new Promise<never>(() => {})
  let done = 0
  for (const thread of running) {
    // Rejections are handled where all of them are awaited.
    thread.then(
      () => done++,
      () => {},
    )
  }
  let seen = -1
  for (;;) {
    await sleep(15)
    const unfinished = await store.runs.unfinished()
    const isQuiet = unfinished.length > 0 && unfinished.every(({ status }) => status === 'waiting')
    if (isQuiet && done + unfinished.length === running.length && seen === journal.lines.length) return false
    seen = journal.lines.length
  }
}

function handleApproval(
  { start }: StartRequest,
  id: string,
  args: unknown,
  answer: (id: string, decision: Decision) => void,
): void {
  if (start.answers === 'later') return
  const { tag } = args as { readonly tag: string }
  if (start.answers === 'by-parent') return send({ type: 'approval', id, tag })
  setImmediate(() => {
    answer(id, decide(tag))
    // A second click changes nothing.
    if (start.repeats) answer(id, decide(tag) === 'deny' ? 'allow-once' : 'deny')
  })
}

const send = (message: ProcessMessage): void => void process.send?.(message)

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error)
}

const READER: AgentDefinition = {
  id: 'reader',
  description: 'Only looks.',
  instructions: INSTRUCTIONS,
  effectCeiling: 'read',
}
const worker = (n: number, ...agents: readonly AgentDefinition[]): AgentDefinition => ({
  id: `worker${n}`,
  description: 'Works.',
  instructions: INSTRUCTIONS,
  agents,
})
const AGENTS = [worker(1, worker(2, worker(3), READER), READER), READER]

process.once('message', (message: ProcessMessage) => {
  if (message.type === 'start') void runStart(message.request)
})
