import { createFaults, faultyModel, faultyTool } from '@capstan/harness/testing'
import { createAssistant, openAuth, startServer } from '@capstan/server'
import { createServices } from '../services.ts'
import { createAppConnector } from './app-connector.ts'
import { answerOpen, lookAround, readSyncs, setUp, tell } from './do-requests.ts'
import { createJumpingClock } from './jumping-clock.ts'
import type { NodeMessage, NodeSettings, ParentMessage, Request } from './messages.ts'
import { createPutNotes, settlePutNotes } from './note-puts.ts'
import { createUnattendedModel } from './unattended-model.ts'

// One start of the whole assistant as it is served, with apps that change, hooks that arrive and schedules that are due. It
// is killed and cannot know when.

/** Short, so that a model that hangs does not hold a round up. */
const LIMITS = {
  model: { idleTimeoutMs: 700, attempts: 2 },
  tools: { timeoutMs: 2_000, graceMs: 50, stopGraceMs: 50 },
}
const UNLIMITED = { burst: 1e6, perSecond: 1e6 }

const send = (message: NodeMessage): void => void process.send?.(message)

async function run(settings: NodeSettings): Promise<void> {
  const { folder, notes, effects, appUrl } = settings
  const faults = createFaults(settings.faults)
  // The bundle calls them around each write of the store.
  Object.assign(globalThis, {
    strikeWrite: <Value>(write: () => Value) => faults.strike('store.commit', write),
    notePuts: createPutNotes(notes),
  })
  const clock = createJumpingClock(settings.aheadMs)
  const assistant = await createAssistant({
    folder,
    clock,
    model: faultyModel(createUnattendedModel(), faults),
    tools: createServices(effects).map((tool) => faultyTool(tool, faults)),
    connectors: [createAppConnector(appUrl)],
    mode: 'full',
    limits: LIMITS,
    onProblem: (problem) => report(problem, false),
  })
  await settlePutNotes(notes, assistant.store.memory)
  const server = await startServer({
    assistant,
    auth: openAuth({ folder }),
    port: 0,
    limits: { requests: UNLIMITED, strangers: UNLIMITED },
  })
  process.once('SIGTERM', () => void server.stop({ graceMs: 20 }).then(() => process.exit(0)))
  const handle = (request: Request): unknown => {
    switch (request.type) {
      case 'set-up':
        return setUp(assistant, request.setUp)
      case 'jump':
        return clock.jumpTo(request.aheadMs)
      case 'look':
        return lookAround(assistant, clock.now())
      case 'answer':
        return answerOpen(assistant, settings.answers)
      case 'syncs':
        return readSyncs(assistant)
      case 'tell':
        return tell(assistant)
    }
  }
  process.on('message', (message: ParentMessage) => {
    if (message.type !== 'ask') return
    const { id, request } = message
    Promise.resolve(handle(request)).then(
      (value) => send({ type: 'reply', id, value: value ?? null }),
      (error: unknown) => {
        report(error, false)
        send({ type: 'reply', id, value: null })
      },
    )
  })
  send({ type: 'up', url: server.url })
}

function report(error: unknown, isFatal: boolean): void {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  send({ type: 'problem', text, isFatal })
}

process.on('unhandledRejection', (error) => report(error, true))
// The parent is gone, so nobody would end this process.
process.once('disconnect', () => process.exit(1))
process.once('message', (message: ParentMessage) => {
  if (message.type !== 'start') return
  run(message.settings).catch((error: unknown) => {
    report(error, true)
    process.exit(1)
  })
})
