import { createInterface } from 'node:readline'
import type { Store } from '@capstan/harness'
import { explainThread, StoreError } from '@capstan/harness'
import type { ThreadRow } from '@capstan/protocol'
import { CALM, FAST } from '@capstan/server/demo'
import { tailToWidth } from '../../terminal/display-width.ts'
import { drawPrompt, drawThread } from '../../render/draw-thread.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import type { Screen } from '../../terminal/live-screen.ts'
import { createScreen } from '../../terminal/live-screen.ts'
import { paint, styleOf } from '../../terminal/style.ts'
import { AGENT_HELP, AGENT_OPTIONS, chooseAgent } from '../../agent/choose-agent.ts'
import { Conversation } from '../../chat/conversation.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { findThread } from '../../store-access/find-by-id.ts'
import { createLineEditor, PROMPT } from '../../chat/line-editor.ts'
import { HOME_HELP, homeOf, openStoreAsOwner } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { PastTurn } from '../../store-access/past-turn.ts'
import { readPastTurn } from '../../store-access/past-turn.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { stopOnInterrupt } from '../../shell/stop-on-interrupt.ts'
import type { OpenChatThread } from '../../chat/chat-thread.ts'
import { openStoredThread, openUnsavedThread } from '../../chat/chat-thread.ts'

const HELP = `Usage: capstan chat [options]

A conversation. What you type while a turn is running reaches the model before its
next step. When a call needs your yes, type yes, no or always; anything else ends
that turn and begins another. Ctrl-C or /stop ends the turn, /quit ends the chat.
Piped lines are taken one after the other. Everything is kept in the data folder:
"capstan threads" lists it.

${AGENT_HELP}
${HOME_HELP}
  --thread <id>         go on with this thread; the beginning of an id is enough
  --new                 begin a new one, which is the default
  --no-store            keep nothing

Exit codes: 0 done, 1 the data folder cannot be used, 2 bad usage,
            3 a turn still waits for an answer, 130 stopped`

const OPTIONS = {
  ...AGENT_OPTIONS,
  home: { type: 'string' },
  thread: { type: 'string' },
  new: { type: 'boolean' },
  'no-store': { type: 'boolean' },
} as const

export const chat: Command = {
  summary: 'talk to a model',
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'chat', options: OPTIONS })
    if (values.thread !== undefined && (values.new || values['no-store']))
      throw new UsageError('--thread goes on with a stored thread, so it takes neither --new nor --no-store.')
    const screen = createScreen(shell.stdout, shell.env)
    const pace = values.fast || !screen.isLive ? FAST : CALM
    const { agent, name } = chooseAgent(values, shell, pace)
    if (values['no-store']) {
      greet(screen, shell, name)
      return converse({ open: openUnsavedThread(agent) }, screen, shell)
    }
    const store = openForChat(homeOf(values.home, shell.env))
    try {
      const thread = values.thread === undefined ? undefined : await findThread(store, values.thread)
      greet(screen, shell, name)
      for (const notice of store.notices) screen.draw([`  ${toPrintableLine(notice)}`, ''])
      const past = thread && (await showThread(store, thread, screen, shell))
      let resume = async (): Promise<void> => {}
      const open: OpenChatThread = (onEvent) => {
        const kept = openStoredThread(store, {
          agent,
          ...(thread ? { threadId: thread.id } : undefined),
          onProblem: (error) =>
            shell.stderr.write(`capstan: A turn could not go on: ${toPrintableLine(messageOf(error))}\n`),
        })(onEvent)
        resume = () => kept.resume()
        return kept
      }
      return await converse({ open, resume: () => resume(), ...past }, screen, shell)
    } finally {
      await store.close()
    }
  },
}

function openForChat(home: string): Store {
  try {
    return openStoreAsOwner(home)
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'locked') throw error
    throw new CommandError(`${error.message} Or chat without keeping anything: --no-store.`)
  }
}

function greet(screen: Screen, { stdout, env }: Shell, model: string): void {
  const style = styleOf(stdout, env)
  screen.draw([
    '',
    paint(style, 'bold', 'Capstan'),
    paint(style, 'dim', toPrintableLine(model)),
    paint(style, 'dim', 'You can type while it works: it hears you before its next step.'),
    paint(style, 'dim', 'Ctrl-C or /stop stops it, /help shows more, /quit leaves.'),
    '',
  ])
}

/** What one reads again before going on. */
const TURNS_SHOWN = 3

/** Shows the end of a stored thread. What is left of it is a turn to go on with, or one that had paused. */
async function showThread(
  store: Store,
  thread: ThreadRow,
  screen: Screen,
  { stdout, env }: Shell,
): Promise<{ readonly past?: PastTurn; readonly resumeToken?: string | undefined }> {
  const turns = explainThread(await store.ledger.read(thread.id)).slice(-TURNS_SHOWN)
  const finished = turns.filter(({ endedAt }) => endedAt !== undefined)
  const open = turns.at(-1)?.endedAt === undefined ? turns.at(-1) : undefined
  const style = styleOf(stdout, env)
  screen.draw([
    paint(style, 'bold', toPrintableLine(thread.title) || '(untitled)'),
    '',
    ...drawThread(finished, style),
    ...(finished.length > 0 ? [''] : []),
    ...(open ? drawPrompt(open.asked, style) : []),
  ])
  const run = open && (await store.runs.get(open.runId))
  if (run) return { past: await readPastTurn(store, run) }
  const outcome = turns.at(-1)?.stopped.outcome
  return { resumeToken: outcome?.type === 'capped' ? outcome.resumeToken : undefined }
}

interface Chat {
  readonly open: OpenChatThread
  /** Lets unfinished turns go on. */
  readonly resume?: () => Promise<void>
  readonly past?: PastTurn
  readonly resumeToken?: string | undefined
}

async function converse(what: Chat, screen: Screen, shell: Shell): Promise<number> {
  const how = shell.stdin.isTTY && screen.isLive ? talk : readLines
  return how(what, screen, shell)
}

/** Settles when the turn that was under way has ended or waits; the others go on by themselves. */
async function goOn(conversation: Conversation, { past, resume }: Chat): Promise<void> {
  const turn = past && conversation.goOn(past)
  await resume?.()
  await turn
}

/** A person at a terminal. */
async function talk(what: Chat, screen: Screen, shell: Shell): Promise<number> {
  const style = () => styleOf(shell.stdout, shell.env)
  const footer = () => [
    paint(style(), 'cyan', PROMPT) +
      tailToWidth(toPrintableLine(editor.typed), style().width - PROMPT.length),
  ]
  const { resumeToken } = what
  const conversation = new Conversation(what.open, { screen, env: shell.env, footer, resumeToken })
  const { promise: over, resolve: leave, reject: giveUp } = Promise.withResolvers<void>()
  let warned = false

  function follow(work: Promise<void>): void {
    conversation.refresh()
    work.then(() => {
      if (conversation.isOver) editor.close()
      else if (!conversation.isRunning) editor.show()
    }, giveUp)
  }

  const editor = createLineEditor(shell, {
    onKey: () => conversation.refresh(),
    onEnd: () => void conversation.take('/quit').then(leave, giveUp),
    onInterrupt() {
      if (conversation.isRunning) return conversation.stop()
      if (editor.typed !== '') return editor.clear()
      if (warned) return editor.close()
      warned = true
      screen.draw(['', '  Press Ctrl-C again to leave.', ''])
      editor.show()
    },
    onLine(line) {
      warned = false
      editor.hide()
      follow(conversation.take(line))
    },
  })
  if (what.past) follow(goOn(conversation, what))
  else {
    editor.show()
    goOn(conversation, what).catch(giveUp)
  }
  try {
    await over
    return await leaveBehind(conversation, screen)
  } finally {
    await conversation.close()
    screen.draw([''])
  }
}

/** A script: one line, one turn, or the answer to what a turn asks. */
async function readLines(what: Chat, screen: Screen, shell: Shell): Promise<number> {
  const { resumeToken } = what
  const conversation = new Conversation(what.open, { screen, env: shell.env, resumeToken })
  const reader = createInterface({ input: shell.stdin })
  // From here on no line is missed.
  const lines = reader[Symbol.asyncIterator]()
  let isStopped = false
  const release = stopOnInterrupt(shell, () => {
    isStopped = true
    conversation.isOver = true
    conversation.stop()
    reader.close()
  })
  try {
    await goOn(conversation, what)
    for await (const line of lines) {
      if (conversation.isOver) break
      if (line.trim() !== '') screen.draw([PROMPT + toPrintableLine(line)])
      await conversation.take(line)
    }
    return isStopped ? EXIT.aborted : await leaveBehind(conversation, screen)
  } finally {
    release()
    await conversation.close()
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Says what becomes of a turn that still waits. */
async function leaveBehind(conversation: Conversation, screen: Screen): Promise<number> {
  if (!conversation.isAsking) return EXIT.done
  const isStored = await conversation.letWait()
  screen.draw([
    isStored
      ? '  It goes on waiting for your answer: see "capstan approvals".'
      : '  Nobody answered, so it was not done.',
  ])
  return EXIT.unfinished
}
