import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { Threads } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { createThreads } from '@capstan/harness'
import { createAskUserTool } from '@capstan/harness/tools'
import { createFaults, faultyModel, faultyStore, faultyTool, faultyWatcher } from '@capstan/harness/testing'
import { openEmbeddedStore } from '@capstan/stores'
import { createAnswers } from './answers.ts'
import { openApps } from './apps.ts'
import { EventClient } from './event-client.ts'
import type { Journal } from './journal.ts'
import { openJournal } from './journal.ts'
import { INSTRUCTIONS, createPlannedModel } from './planned-model.ts'
import { createRestlessPerson } from './restless-person.ts'
import type { StartRequest, ProcessMessage } from './round-files.ts'
import { roundFiles } from './round-files.ts'
import { runThread, untilAllFree, untilOnlyWaiting } from './run-thread.ts'
import { sabotageStore, sabotageWatcher } from './sabotage.ts'
import type { Scenario } from './scenario.ts'
import { queueModeOf } from './scenario.ts'
import { createServices } from './services.ts'
import { TEAM } from './team.ts'

// One start of the process that is killed: it opens the store, resumes unfinished turns, runs the remaining steps and
// exits. It cannot clean up when it is killed.

const USER = 'local'

/** Short, so that a model or an app that hangs does not hold a round up. */
const LIMITS = {
  model: { idleTimeoutMs: 700, attempts: 2 },
  tools: { timeoutMs: 2_000, graceMs: 50, stopGraceMs: 50 },
}

async function runStart(request: StartRequest): Promise<void> {
  const files = roundFiles(request.folder)
  const journal = openJournal(files.journal)
  const oldLines = journal.lines.length
  process.on('unhandledRejection', (error) => journal.add({ type: 'unhandled', text: describe(error) }))
  const { scenario, start, sabotage } = request
  const faults = createFaults(start.faults)
  const store = openEmbeddedStore({ folder: files.store })
  await noteLoss(store, scenario, journal)
  const client = new EventClient(journal, store.ledger, start.awayEvery)
  let isLeaving = false
  const onError = (error: unknown): void => (isLeaving ? undefined : fail(error))
  const apps = openApps(store, request.appUrl, USER)
  const lazily = (): Threads => threads
  const person = createRestlessPerson({ start, threads: lazily, apps, onError })
  const answers = createAnswers({ start, journal, threads: lazily, send, onError })
  const onEvent = (event: TurnEvent) => {
    client.receive(event)
    person.see(event)
    if (event.type === 'approval-request') answers.handle({ ...event, id: event.approvalId })
  }
  const model = faultyModel(createPlannedModel(), faults)
  const tools = [...createServices(files.effects), createAskUserTool()].map((tool) =>
    faultyTool(tool, faults),
  )
  const own = apps.forUser(USER, tools)
  const threads = createThreads({
    store: faultyStore(sabotageStore(store, sabotage), faults),
    userId: USER,
    queueMode: queueModeOf(scenario),
    bus: apps.bus,
    onEvent: faultyWatcher(sabotageWatcher(onEvent, sabotage), faults),
    onProblem: fail,
    agent({ id }) {
      const script = scenario.threads.find((thread) => thread.id === id)
      return {
        model,
        ...own,
        agents: [...TEAM, ...own.agents],
        instructions: INSTRUCTIONS,
        origin: 'web',
        dialect: script?.inText ? 'xml' : 'native',
        safety: { mode: person.mode, rules: person.rules },
        limits: { ...LIMITS, maxIterations: script?.maxIterations ?? 40 },
        budget: { iterations: 10_000 },
      }
    },
  })
  process.on('message', (message: ProcessMessage) => {
    // An answer that arrives while the process leaves is given again at the next start.
    if (message.type === 'answer' && !isLeaving) answers.give(message.id, message.decision)
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
    await apps.close()
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
    await apps.connect()
    if (sabotage !== 'no-resume') await threads.resume()
    for (const open of await threads.pendingApprovals()) answers.handle(open)
    send({ type: 'up' })
    await answers.repeatWords(store)
    const context = { request, store, threads, journal, oldLines }
    const running = scenario.threads.map((script) => runThread(script, context))
    const isOver = await Promise.race([
      Promise.all(running).then(() => true),
      untilOnlyWaiting(context, running),
    ])
    if (isOver && start.answers !== 'later') await untilAllFree(context)
    const isFinished = isOver && (await store.runs.unfinished()).length === 0
    for (const { id } of scenario.threads) await client.connect(id as ThreadId)
    if (isFinished && !isStopping) journal.add({ type: 'finish' })
    if (!isStopping) await leave()
  } catch (error) {
    fail(error)
  }
}

/** Notes what the store tells when it is opened. After damage by the parent that is a loss, and the client starts again. */
async function noteLoss(store: Store, { threads }: Scenario, journal: Journal): Promise<void> {
  if (store.notices.length === 0) return
  for (const text of store.notices) journal.add({ type: 'notice', text })
  if (!journal.lines.some(({ type }) => type === 'damage')) return
  const lastSeqs: Record<string, number> = {}
  for (const { id } of threads) lastSeqs[id] = await store.ledger.lastSeq(id as ThreadId)
  journal.add({ type: 'loss', lastSeqs })
}

const send = (message: ProcessMessage): void => void process.send?.(message)

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : String(error)
}

process.once('message', (message: ProcessMessage) => {
  if (message.type === 'start') void runStart(message.request)
})
