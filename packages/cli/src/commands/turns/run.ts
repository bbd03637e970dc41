import { text as readAll } from 'node:stream/consumers'
import type { AgentOptions } from '@capstan/harness'
import { runStateless } from '@capstan/harness'
import { createClockTool } from '@capstan/harness/tools'
import type { TurnEvent, TurnOutcome } from '@capstan/protocol'
import { drawSummary } from '../../render/draw-timeline.ts'
import { toPrintable, toJsonLine } from '../../terminal/printable.ts'
import { createScreen } from '../../terminal/live-screen.ts'
import { isTerminal, styleOf } from '../../terminal/style.ts'
import type { TurnView } from '../../render/turn-view.ts'
import { createTurnView } from '../../render/turn-view.ts'
import { chooseModel, MODEL_HELP } from '../../agent/choose-model.ts'
import { EXIT, exitCodeOf } from '../../shell/exit-code.ts'
import { findServer } from '../../server-access/server-file.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import type { Waiting } from './run-on-server.ts'
import { runOnServer } from './run-on-server.ts'
import { INSTRUCTIONS } from '../../agent/instructions.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { stopOnInterrupt } from '../../shell/stop-on-interrupt.ts'

const HELP = `Usage: capstan run [options] "<prompt>"
       capstan run [options] -        (reads the prompt from standard input)

Runs one turn and prints the answer. The answer goes to standard output, the timeline to standard error.

While a server of the data folder is running, the turn runs there, in a thread, with its model, apps and safety
mode. With --model, --dialect, --max-iterations or --no-tools, or without a server, it runs in this process and
nothing is stored.

${MODEL_HELP}
${HOME_HELP}
  --thread <id>         with a running server: go on in this thread; the start of an id is enough
  --json                print the outcome as one line of JSON instead of the answer
  --events              print every event as a line of JSON; the last one has the outcome
  --timeline            show the timeline even when standard error is not a terminal
  --no-timeline         hide the timeline
  --max-iterations <n>  the most model calls; default 10
  --dialect <name>      how the model writes calls: auto, native, xml or pformat; default auto
  --no-tools            offer no tools, for models without tool support

Exit codes: 0 answered, 1 failed, 2 bad usage, 3 not finished (a limit, a guard or a question), 130 stopped`

const OPTIONS = {
  model: { type: 'string' },
  home: { type: 'string' },
  thread: { type: 'string' },
  json: { type: 'boolean' },
  events: { type: 'boolean' },
  timeline: { type: 'boolean' },
  'no-timeline': { type: 'boolean' },
  'max-iterations': { type: 'string' },
  dialect: { type: 'string' },
  'no-tools': { type: 'boolean' },
} as const

export const run: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'run',
      options: OPTIONS,
      allowPositionals: true,
    })
    const form = values.events ? 'events' : values.json ? 'json' : 'text'
    const showsTimeline =
      !values['no-timeline'] && (values.timeline ?? (form === 'text' && isTerminal(shell.stderr, shell.env)))
    const home = homeOf(values.home, shell.env)
    const server = choosesAgent(values) ? undefined : findServer(home)
    if (!server && values.thread !== undefined)
      throw new UsageError('--thread needs a running server, and none of the options that choose a model.')
    const agent: AgentOptions | undefined = server
      ? undefined
      : {
          instructions: INSTRUCTIONS,
          origin: 'cli',
          tools: values['no-tools'] ? [] : [createClockTool()],
          dialect: toDialect(values.dialect),
          limits: toLimits(values['max-iterations']),
          model: chooseModel(values.model, shell.env),
        }
    const input = await readPrompt(positionals, shell)
    const view = openView(shell, { form, showsTimeline })
    const controller = new AbortController()
    const release = stopOnInterrupt(shell, () => controller.abort())
    const onEvent = (event: TurnEvent): void => {
      view.onEvent(event)
      if (form === 'events') shell.stdout.write(`${toJsonLine(event)}\n`)
    }
    const { signal } = controller
    const running = agent
      ? runStateless({ ...agent, input, signal, onEvent })
      : runOnServer({ home, server: server!, input, thread: values.thread, signal, onEvent }, shell)
    const outcome = await running.finally(() => {
      release()
      view.close()
    })
    if (outcome.type === 'waiting') return printWaiting(outcome, form, shell)
    printOutcome(outcome, form, { shell, showsTimeline })
    return exitCodeOf(outcome)
  },
}

/** Whether an option asks for an agent that the server does not have. */
function choosesAgent(flags: Readonly<Record<string, unknown>>): boolean {
  return ['model', 'dialect', 'max-iterations', 'no-tools'].some((name) => flags[name] !== undefined)
}

function printWaiting(waiting: Waiting, form: Form, { stdout, stderr }: Shell): number {
  if (form !== 'text') stdout.write(`${toJsonLine(waiting)}\n`)
  stderr.write(`capstan: The turn waits for you. ${toPrintable(waiting.next)}\n`)
  return EXIT.unfinished
}

type Form = 'text' | 'json' | 'events'

async function readPrompt(words: readonly string[], { stdin }: Shell): Promise<string> {
  const prompt = words.length === 1 && words[0] === '-' ? await readAll(stdin) : words.join(' ')
  if (prompt.trim() === '')
    throw new UsageError('There is no prompt: give one, or - to read it from standard input.')
  return prompt
}

/** On a terminal, text and timeline share one screen; otherwise each has its own stream. */
function openView(shell: Shell, { form, showsTimeline }: { form: Form; showsTimeline: boolean }): TurnView {
  const { env, stdout, stderr } = shell
  const out = createScreen(stdout, env)
  const streams = form === 'text' && out.isLive
  const rows = streams && isTerminal(stderr, env) ? out : createScreen(stderr, env)
  return createTurnView({
    env,
    ...(streams ? { text: out } : undefined),
    ...(showsTimeline ? { rows } : undefined),
  })
}

function printOutcome(
  outcome: TurnOutcome,
  form: Form,
  { shell, showsTimeline }: { shell: Shell; showsTimeline: boolean },
): void {
  const { stdout, stderr, env } = shell
  if (form === 'json') stdout.write(`${toJsonLine(outcome)}\n`)
  // A terminal has shown the text while it was streamed.
  const isAnswer = outcome.type !== 'failed' && outcome.type !== 'aborted'
  if (form === 'text' && isAnswer && !isTerminal(stdout, env))
    stdout.write(`${toPrintable(outcome.text).trimEnd()}\n`)
  if (form === 'text' && !showsTimeline && outcome.type !== 'done') {
    const style = styleOf(stderr, env)
    stderr.write(`${drawSummary({ rows: [], outcome }, style).join('\n')}\n`)
  }
}

const DIALECTS = ['auto', 'native', 'xml', 'pformat'] as const

function toDialect(name = 'auto'): (typeof DIALECTS)[number] {
  const dialect = DIALECTS.find((known) => known === name)
  if (!dialect) throw new UsageError(`--dialect is one of ${DIALECTS.join(', ')}, not "${name}".`)
  return dialect
}

function toLimits(maxIterations: string | undefined): AgentOptions['limits'] {
  if (maxIterations === undefined) return {}
  if (!/^[1-9]\d{0,5}$/.test(maxIterations)) {
    throw new UsageError(`--max-iterations is a whole number from 1 up, not "${maxIterations}".`)
  }
  return { maxIterations: Number(maxIterations) }
}
