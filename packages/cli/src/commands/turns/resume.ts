import type { Threads } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { createThreads } from '@capstan/harness'
import type { RunRow, ThreadId, TurnEvent } from '@capstan/protocol'
import { CALM, FAST } from '@capstan/demo'
import { drawApproval } from '../../render/draw-approval.ts'
import { wrap } from '../../terminal/display-width.ts'
import { drawPrompt } from '../../render/draw-thread.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import type { Screen } from '../../terminal/live-screen.ts'
import { createScreen } from '../../terminal/live-screen.ts'
import { paint, styleOf } from '../../terminal/style.ts'
import { createTurnView } from '../../render/turn-view.ts'
import { AGENT_HELP, AGENT_OPTIONS, chooseAgent } from '../../agent/choose-agent.ts'
import { EXIT, exitCodeOf } from '../../shell/exit-code.ts'
import { HOME_HELP, homeOf, USER_ID } from '../../store-access/open-store.ts'
import { refuseIfHeld } from '../../store-access/refuse-if-held.ts'
import { toErrorText } from '@capstan/harness/stages'
import { parseFlags } from '../../shell/parse-flags.ts'
import { readPastTurn } from '../../store-access/past-turn.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { stopOnInterrupt } from '../../shell/stop-on-interrupt.ts'
import { STORE_OPTIONS, withStore } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan resume [options]

Resumes every unfinished turn: turns interrupted by a crash or a restart, and
turns whose approval was answered. Shows them while they run, then lists the turns
that still wait and what they wait for.

${AGENT_HELP}
${HOME_HELP}
  --json                print each turn as one line of JSON, after it ran

Exit codes: 0 all done, 1 a turn failed, 2 bad usage, 3 a turn waits or paused, 130 stopped`

export const resume: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, {
      command: 'resume',
      options: { ...STORE_OPTIONS, ...AGENT_OPTIONS },
    })
    await refuseIfHeld(homeOf(values.home, shell.env))
    return withStore(shell, { home: values.home, readOnly: false }, async (store) => {
      const unfinished = await store.runs.unfinished()
      if (unfinished.length === 0) {
        if (!values.json) writeLines(shell, ['There is nothing to resume: every turn has ended.'])
        return EXIT.done
      }
      const isStopped = (await canAnyResume(store, unfinished))
        ? await resumeRuns(store, unfinished, values, shell)
        : false
      const runs = await Promise.all(unfinished.map(async (run) => (await store.runs.get(run.id)) ?? run))
      if (values.json) writeJson(shell, ...runs)
      else await showWaiting(store, runs, shell)
      return isStopped ? EXIT.aborted : worstExitCode(runs)
    })
  },
}

type Flags = Parameters<typeof chooseAgent>[0] & { readonly fast?: boolean; readonly json?: boolean }

/** Whether any turn does more than wait. Otherwise no model is needed. */
async function canAnyResume(store: Store, unfinished: readonly RunRow[]): Promise<boolean> {
  const now = Date.now()
  const pending = await store.approvals.list({ userId: USER_ID, pending: true, now })
  for (const run of unfinished) {
    const tree = new Set((await store.runs.tree(run.id)).map(({ id }) => id))
    if (run.status === 'running' || !pending.some(({ runId }) => tree.has(runId))) return true
  }
  return false
}

/** Runs all turns at once and shows them one after the other. True: the user stopped them. */
async function resumeRuns(
  store: Store,
  unfinished: readonly RunRow[],
  flags: Flags,
  shell: Shell,
): Promise<boolean> {
  const screen = createScreen(shell.stdout, shell.env)
  const { agent } = chooseAgent(flags, shell, flags.fast || !screen.isLive ? FAST : CALM)
  const buffer = new EventBuffer()
  let isStopped = false
  const threads = createThreads({
    store,
    userId: USER_ID,
    agent,
    onEvent: (event) => buffer.push(event),
    onProblem: (error) =>
      shell.stderr.write(`capstan: A turn could not be resumed: ${toPrintableLine(toErrorText(error))}\n`),
  })
  const release = stopOnInterrupt(shell, () => {
    isStopped = true
    void threads.stop({ graceMs: 0 })
  })
  try {
    const pasts = new Map<ThreadId, readonly TurnEvent[]>()
    for (const run of unfinished) pasts.set(run.threadId, (await readPastTurn(store, run)).events)
    await threads.resume()
    if (!flags.json) {
      for (const run of unfinished) {
        if (isStopped) break
        await show(run, pasts.get(run.threadId) ?? [], { buffer, threads, screen, shell })
      }
    }
    await threads.idle()
  } finally {
    release()
    await threads.stop({ graceMs: 0 })
  }
  return isStopped
}

/** Keeps the events of a thread until the thread is shown. */
class EventBuffer {
  readonly #events = new Map<ThreadId, TurnEvent[]>()
  #shown: { readonly threadId: ThreadId; readonly onEvent: (event: TurnEvent) => void } | undefined

  push(event: TurnEvent): void {
    if (event.threadId === this.#shown?.threadId) return this.#shown.onEvent(event)
    const events = this.#events.get(event.threadId) ?? []
    events.push(event)
    this.#events.set(event.threadId, events)
  }

  has(threadId: ThreadId): boolean {
    return this.#events.has(threadId)
  }

  show(threadId: ThreadId, onEvent: (event: TurnEvent) => void): void {
    for (const event of this.#events.get(threadId) ?? []) onEvent(event)
    this.#shown = { threadId, onEvent }
  }
}

async function show(
  { threadId, text }: RunRow,
  past: readonly TurnEvent[],
  { buffer, threads, screen, shell }: { buffer: EventBuffer; threads: Threads; screen: Screen; shell: Shell },
): Promise<void> {
  const session = await threads.open(threadId)
  // The turn waits and nothing has happened, so there is nothing to show.
  if (session.state !== 'running' && !buffer.has(threadId)) return
  screen.draw([...drawPrompt(text, styleOf(shell.stdout, shell.env)), ''])
  const view = createTurnView({ text: screen, rows: screen, env: shell.env })
  for (const event of past) view.onEvent(event)
  buffer.show(threadId, view.onEvent)
  await session.idle()
  view.close()
  screen.draw([''])
}

async function showWaiting(store: Store, runs: readonly RunRow[], shell: Shell): Promise<void> {
  const style = styleOf(shell.stdout, shell.env)
  const now = Date.now()
  for (const run of runs) {
    if (run.status !== 'waiting') continue
    const tree = await store.runs.tree(run.id)
    const waiting = await store.approvals.ofRuns(tree.map(({ id }) => id))
    const heading = `Waiting: ${toPrintableLine(run.text)} (${run.id})`
    writeLines(shell, [
      ...wrap(heading, style.width).map((line) => paint(style, 'bold', line)),
      ...waiting
        .filter(({ decision }) => decision === undefined)
        .flatMap((approval) => drawApproval(approval, style, now)),
      '',
    ])
  }
  if (runs.some(({ status }) => status === 'waiting'))
    writeLines(shell, [
      'Answer with "capstan approvals approve <id>" or "deny", then run "capstan resume" again.',
    ])
}

/** The exit code of the worst outcome. */
function worstExitCode(runs: readonly RunRow[]): number {
  const codes = runs.map(({ outcome }) => (outcome ? exitCodeOf(outcome) : EXIT.unfinished))
  return codes.find((code) => code === EXIT.failed) ?? codes.find((code) => code !== EXIT.done) ?? EXIT.done
}
