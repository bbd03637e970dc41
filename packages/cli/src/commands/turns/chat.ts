import type { Store } from '@capstan/harness/stores'
import { StoreError } from '@capstan/harness'
import { CALM, FAST } from '@capstan/demo'
import { AGENT_HELP, AGENT_OPTIONS, chooseAgent } from '../../agent/choose-agent.ts'
import type { ChatStart } from '../../chat/chat-start.ts'
import type { OpenChatThread } from '../../chat/chat-thread.ts'
import { openStoredThread, openUnsavedThread } from '../../chat/chat-thread.ts'
import { runInteractiveChat } from '../../chat/interactive-chat.ts'
import { runPipedChat } from '../../chat/piped-chat.ts'
import { showStoredThread } from '../../chat/show-stored-thread.ts'
import { toErrorText } from '@capstan/harness/stages'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { findThread } from '../../store-access/find-by-id.ts'
import { refuseIfHeld } from '../../store-access/refuse-if-held.ts'
import { HOME_HELP, homeOf, openStoreAsOwner } from '../../store-access/open-store.ts'
import type { Screen } from '../../terminal/live-screen.ts'
import { createScreen } from '../../terminal/live-screen.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { paint, styleOf } from '../../terminal/style.ts'

const HELP = `Usage: capstan chat [options]

Chats with a model. What you type while a turn is running reaches the model before
its next step. When a call needs your approval, type yes, no, conversation, hour or
always; any other text stops that turn and starts a new one. Ctrl-C or /stop stops the turn, /quit
leaves the chat. Piped lines are handled one after the other. Threads are stored in
the data folder: "capstan threads" lists them. While a server uses the folder, chat
works with --no-store or another --home only.

${AGENT_HELP}
${HOME_HELP}
  --thread <id>         open this thread; the start of an id is enough
  --new                 start a new thread, which is the default
  --no-store            store nothing

Exit codes: 0 done, 1 the data folder cannot be used, 2 bad usage,
            3 a turn still waits for an approval, 130 stopped`

const OPTIONS = {
  ...AGENT_OPTIONS,
  home: { type: 'string' },
  thread: { type: 'string' },
  new: { type: 'boolean' },
  'no-store': { type: 'boolean' },
} as const

export const chat: Command = {
  summary: 'chat with a model',
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'chat', options: OPTIONS })
    if (values.thread !== undefined && (values.new || values['no-store']))
      throw new UsageError('--thread opens a stored thread, so it takes neither --new nor --no-store.')
    const screen = createScreen(shell.stdout, shell.env)
    const pace = values.fast || !screen.isLive ? FAST : CALM
    const { agent, name } = chooseAgent(values, shell, pace)
    if (values['no-store']) {
      greet(screen, shell, name)
      return runChat({ open: openUnsavedThread(agent) }, screen, shell)
    }
    await refuseIfHeld(homeOf(values.home, shell.env))
    const store = openStoreForChat(homeOf(values.home, shell.env))
    try {
      const thread = values.thread === undefined ? undefined : await findThread(store, values.thread)
      greet(screen, shell, name)
      for (const notice of store.notices) screen.draw([`  ${toPrintableLine(notice)}`, ''])
      const past = thread && (await showStoredThread(store, thread, screen, shell))
      let resumeTurns = async (): Promise<void> => {}
      const open: OpenChatThread = (onEvent) => {
        const opened = openStoredThread(store, {
          agent,
          ...(thread ? { threadId: thread.id } : undefined),
          onProblem: (error) =>
            shell.stderr.write(
              `capstan: A turn could not be resumed: ${toPrintableLine(toErrorText(error))}\n`,
            ),
        })(onEvent)
        resumeTurns = () => opened.resumeTurns()
        return opened
      }
      return await runChat({ open, resumeTurns: () => resumeTurns(), ...past }, screen, shell)
    } finally {
      await store.close()
    }
  },
}

function runChat(start: ChatStart, screen: Screen, shell: Shell): Promise<number> {
  const isInteractive = shell.stdin.isTTY && screen.isLive
  return (isInteractive ? runInteractiveChat : runPipedChat)(start, screen, shell)
}

function openStoreForChat(home: string): Store {
  try {
    return openStoreAsOwner(home)
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'locked') throw error
    throw new CommandError(`${error.message} Or chat without storing anything: --no-store.`)
  }
}

function greet(screen: Screen, { stdout, env }: Shell, model: string): void {
  const style = styleOf(stdout, env)
  screen.draw([
    '',
    paint(style, 'bold', 'Capstan'),
    paint(style, 'dim', toPrintableLine(model)),
    paint(style, 'dim', 'You can type while it works: the model reads it before its next step.'),
    paint(style, 'dim', 'Ctrl-C or /stop stops it, /help shows more, /quit leaves.'),
    '',
  ])
}
