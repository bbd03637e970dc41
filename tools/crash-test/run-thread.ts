import { setTimeout as sleep } from 'node:timers/promises'
import type { ThreadId, TurnOutcome } from '@capstan/protocol'
import type { Session, Threads } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { ConfigurationError, TurnInProgressError } from '@capstan/harness'
import type { Journal } from './journal.ts'
import type { StartRequest } from './round-files.ts'
import type { Interjection, ThreadScript, TurnScript } from './scenario.ts'

/** One start of the process, as far as its scripts need it. */
export interface ProcessContext {
  readonly request: StartRequest
  readonly store: Store
  readonly threads: Threads
  readonly journal: Journal
  /** The number of lines from earlier starts. */
  readonly oldLines: number
}

/** Sends the messages of a thread that are left, and those that are sent again. */
export async function runThread(script: ThreadScript, context: ProcessContext): Promise<void> {
  const { threads, journal } = context
  // A client whose thread is gone cannot send anything to it.
  const hasEvents = journal.lines.some((line) => line.type === 'event' && line.event.threadId === script.id)
  if (hasEvents && wasLossTold(journal) && !(await threads.get(script.id)))
    return script.turns.forEach((turn) => giveUp(turn, journal))
  await threads.create({ id: script.id })
  const session = await threads.open(script.id)
  for (const turn of script.turns) await runTurnScript(session, turn, context)
  await untilFree(session.threadId, context)
}

async function runTurnScript(session: Session, turn: TurnScript, context: ProcessContext): Promise<void> {
  const { journal, request } = context
  const { messageId } = turn
  const { repeats } = request.start
  const isNew = !(await context.store.runs.findByMessage(session.threadId, messageId))
  const has = (type: 'ack' | 'end' | 'sent' | 'delivery', id: string) =>
    journal.lines.some((line) => line.type === type && line.id === id)
  if (isNew && has('ack', messageId) && wasLossTold(journal)) return giveUp(turn, journal)
  if (isNew && !turn.movesOn) await untilFree(session.threadId, context)
  let outcome: Promise<TurnOutcome> | undefined
  if (!has('ack', messageId) || repeats) {
    const posted = await postWhenFree(session, turn)
    journal.add({ type: 'ack', id: messageId, runId: posted.runId! })
    if (!has('end', messageId)) outcome = posted.outcome
  } else if (!has('end', messageId)) outcome = untilEnded(session.threadId, messageId, context)
  if (repeats) await sendAgain(session, turn, context)
  const left = turn.interjections.filter(({ id }) => !has('delivery', id) && (repeats || !has('sent', id)))
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

const wasLossTold = ({ lines }: Journal): boolean => lines.some(({ type }) => type === 'loss')

/** The client was told that data is missing, and does not send again what it had sent. */
function giveUp({ messageId, interjections }: TurnScript, journal: Journal): void {
  for (const id of [messageId, ...interjections.map((one) => one.id)]) journal.add({ type: 'gone', id })
}

/**
 * Sends the interjections again that an earlier start got delivered, as a client does that lost the answer. As messages
 * that may begin a turn: one whose id was forgotten begins a second one.
 */
async function sendAgain(
  session: Session,
  { interjections }: TurnScript,
  { journal, oldLines }: ProcessContext,
): Promise<void> {
  if (wasLossTold(journal)) return
  const delivered = new Set(
    journal.lines
      .slice(0, oldLines)
      .flatMap((line) => (line.type === 'delivery' && line.refused === undefined ? [line.id] : [])),
  )
  for (const { id, text, mode } of interjections) {
    if (!delivered.has(id)) continue
    const { delivery } = await session.submit(text, { mode, messageId: id })
    const { delivered: isKnown } = await delivery
    if (!isKnown) journal.add({ type: 'unanswered', id })
  }
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

/** Settles when no turn is left in any thread, also none that a late message began. */
export async function untilAllFree({ store, threads }: ProcessContext): Promise<void> {
  for (;;) {
    await threads.idle()
    if ((await store.runs.unfinished()).length === 0) return
    await sleep(3)
  }
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
export async function untilOnlyWaiting(
  { request, store, journal }: ProcessContext,
  running: readonly Promise<void>[],
): Promise<false> {
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
