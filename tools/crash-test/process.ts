import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import type { AgentDefinition, Session, Store, Threads } from '@capstan/harness'
import { ConfigurationError, TurnInProgressError, createAskUserTool, createThreads } from '@capstan/harness'
import { createFaults, faultyModel, faultyStore, faultyTool, faultyWatcher } from '@capstan/harness/testing'
import { openEmbeddedStore } from '@capstan/stores'
import { EventClient } from './event-client.ts'
import type { Journal } from './journal.ts'
import { openJournal } from './journal.ts'
import { INSTRUCTIONS, createPlannedModel } from './planned-model.ts'
import type { Orders, Word } from './round-files.ts'
import { roundFiles } from './round-files.ts'
import { sabotageStore, sabotageWatcher } from './sabotage.ts'
import type { Decision, Interjection, ThreadScript, TurnScript } from './scenario.ts'
import { TOOLS, decide } from './scenario.ts'
import { createServices } from './services.ts'

// One start of the process that is killed: it opens the store, takes up what is unfinished, does the steps that are
// left, and goes. It never gets to clean up when the kill comes.

const USER = 'local'

interface Play {
  readonly orders: Orders
  readonly store: Store
  readonly threads: Threads
  readonly journal: Journal
}

async function play(orders: Orders): Promise<void> {
  const files = roundFiles(orders.folder)
  const journal = openJournal(files.journal)
  process.on('unhandledRejection', (error) => journal.add({ type: 'unhandled', text: describe(error) }))
  const { scenario, start, sabotage } = orders
  const faults = createFaults(start.faults)
  const store = openEmbeddedStore({ folder: files.store })
  for (const text of store.notices) journal.add({ type: 'notice', text })
  const client = new EventClient(journal, store.ledger, start.awayEvery)
  const answer = (id: string, decision: Decision) => void threads.answer(id, decision).catch(fail)
  const hear = (event: TurnEvent) => {
    client.receive(event)
    if (event.type === 'approval-request') handleApproval(orders, event.approvalId, event.arguments, answer)
  }
  const model = faultyModel(createPlannedModel(), faults)
  const tools = [...createServices(files.effects), createAskUserTool()].map((tool) =>
    faultyTool(tool, faults),
  )
  const threads = createThreads({
    store: faultyStore(sabotageStore(store, sabotage), faults),
    userId: USER,
    onEvent: faultyWatcher(sabotageWatcher(hear, sabotage), faults),
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
        safety: { mode: 'full', rules: [{ tool: TOOLS.asked, decision: 'ask' }] },
        limits: { maxIterations: script?.maxIterations ?? 40 },
      }
    },
  })
  process.on('message', (word: Word) => {
    if (word.type === 'answer') answer(word.id, word.decision)
  })
  // Nobody is there to kill it any more.
  const giveUp = () => process.exit(1)
  process.once('disconnect', giveUp)
  let isStopping = false
  process.once('SIGTERM', () => {
    isStopping = true
    void leave()
  })
  let isLeaving = false
  async function leave(): Promise<void> {
    if (isLeaving) return
    isLeaving = true
    await threads.stop({ graceMs: 5 })
    await store.close()
    process.off('disconnect', giveUp)
    process.disconnect()
  }
  function fail(error: unknown): void {
    if (isStopping) return
    const isMeant = faults.struck.some((fault) => fault.endsWith(' fail'))
    journal.add({ type: 'error', text: describe(error), isMeant })
    // What could not be done here is done by the next start.
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
      handleApproval(orders, id, args, answer)
    }
    const stage: Play = { orders, store, threads, journal }
    tell({ type: 'up' })
    const playing = scenario.threads.map((script) => playThread(script, stage))
    const isOver = await Promise.race([
      Promise.all(playing).then(() => true),
      untilOnlyWaiting(stage, playing),
    ])
    if (isOver) await threads.idle()
    for (const { id } of scenario.threads) await client.connect(id as ThreadId)
    if (isOver && !isStopping) journal.add({ type: 'finish' })
    if (!isStopping) await leave()
  } catch (error) {
    fail(error)
  }
}

async function playThread(script: ThreadScript, stage: Play): Promise<void> {
  const { threads } = stage
  await threads.create({ id: script.id })
  const session = await threads.open(script.id)
  for (const turn of script.turns) await playTurn(session, turn, stage)
  await untilFree(session.threadId, stage)
}

async function playTurn(session: Session, turn: TurnScript, stage: Play): Promise<void> {
  const { journal, orders } = stage
  const { messageId } = turn
  const isNew = !(await stage.store.runs.findByMessage(session.threadId, messageId))
  if (isNew && !turn.movesOn) await untilFree(session.threadId, stage)
  const has = (type: 'ack' | 'end' | 'said' | 'delivery', id: string) =>
    journal.lines.some((line) => line.type === type && line.id === id)
  let outcome: Promise<TurnOutcome> | undefined
  if (!has('ack', messageId) || (orders.start.repeats && !has('end', messageId))) {
    const posted = await postWhenFree(session, turn)
    journal.add({ type: 'ack', id: messageId, runId: posted.runId! })
    outcome = posted.outcome
  } else if (!has('end', messageId)) outcome = untilEnded(session.threadId, messageId, stage)
  const left = turn.interjections.filter(
    ({ id }) => !has('delivery', id) && (orders.start.repeats || !has('said', id)),
  )
  const interjecting = Promise.all(left.map((interjection) => interject(session, interjection, journal)))
  // Awaited below, but only once the turn is over, which may be never.
  interjecting.catch(() => {})
  if (outcome) {
    const end = await outcome
    journal.add({ type: 'end', id: messageId, text: end.text })
    if (end.type === 'capped' && end.resumeToken !== undefined) await goOn(session, end.resumeToken)
  }
  const isAnswered = await Promise.race([interjecting.then(() => true), untilQuiet(session, stage)])
  if (!isAnswered) {
    for (const { id } of left) if (!has('delivery', id)) journal.add({ type: 'silence', id })
  }
  await session.idle()
}

/** "Go on", said once: not when the next turn was faster. */
async function goOn(session: Session, token: string): Promise<void> {
  try {
    await (
      await session.continue(token)
    ).outcome
  } catch (error) {
    if (!(error instanceof ConfigurationError || error instanceof TurnInProgressError)) throw error
  }
}

/** Whoever spoke during a turn has an answer soon after the last one of the thread. */
async function untilQuiet({ threadId }: Session, stage: Play): Promise<false> {
  for (let quiet = 0; quiet < 2; quiet++) {
    if (await isBusy(threadId, stage)) quiet = 0
    await sleep(LONGEST_SILENCE_MS, undefined, { ref: false })
  }
  return false
}

const LONGEST_SILENCE_MS = 1_000

async function interject(
  session: Session,
  { id, mode, text, afterMs }: Interjection,
  journal: Journal,
): Promise<void> {
  await sleep(afterMs)
  const send = mode === 'steer' ? session.steer.bind(session) : session.followUp.bind(session)
  journal.add({ type: 'said', id })
  const delivery = await send(text, { messageId: id })
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
async function untilFree(threadId: ThreadId, stage: Play): Promise<void> {
  while (await isBusy(threadId, stage)) await sleep(3)
}

async function isBusy(threadId: ThreadId, { store }: Play): Promise<boolean> {
  return (await store.runs.unfinished()).some((run) => run.threadId === threadId)
}

/** As a client that was told its message is taken, and now only watches. */
async function untilEnded(threadId: ThreadId, messageId: string, { store }: Play): Promise<TurnOutcome> {
  for (;;) {
    const outcome = (await store.runs.findByMessage(threadId, messageId))?.outcome
    if (outcome) return outcome
    await sleep(3)
  }
}

/** Settles when nothing can go on before somebody answers, and nobody will in this start. */
async function untilOnlyWaiting({ orders, store, journal }: Play, playing: readonly Promise<void>[]) {
  if (orders.start.answers !== 'later') return new Promise<never>(() => {})
  let done = 0
  for (const thread of playing) {
    // Whatever it rejects with is handled where all of them are awaited.
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
    if (isQuiet && done + unfinished.length === playing.length && seen === journal.lines.length) return false
    seen = journal.lines.length
  }
}

function handleApproval(
  { start }: Orders,
  id: string,
  args: unknown,
  answer: (id: string, decision: Decision) => void,
): void {
  if (start.answers === 'later') return
  const { tag } = args as { readonly tag: string }
  if (start.answers === 'by-parent') return tell({ type: 'approval', id, tag })
  setImmediate(() => {
    answer(id, decide(tag))
    // A second click changes nothing.
    if (start.repeats) answer(id, decide(tag) === 'deny' ? 'allow-once' : 'deny')
  })
}

const tell = (word: Word): void => void process.send?.(word)

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

process.once('message', (word: Word) => {
  if (word.type === 'orders') void play(word.orders)
})
