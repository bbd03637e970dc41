import type { Store } from '@capstan/harness/stores'
import { StoreError } from '@capstan/harness'
import { CALM, FAST } from '@capstan/demo'
import { AGENT_HELP, AGENT_OPTIONS, chooseAgent } from '../../agent/choose-agent.ts'
import { chatWithServer } from '../../chat/chat-with-server.ts'
import { greet } from '../../chat/greet.ts'
import { runChat } from '../../chat/run-chat.ts'
import { findServer } from '../../server-access/server-file.ts'
import type { OpenChatThread } from '../../chat/chat-thread.ts'
import { openStoredThread, openUnsavedThread } from '../../chat/chat-thread.ts'
import { showStoredThread } from '../../chat/show-stored-thread.ts'
import { toErrorText } from '@capstan/harness/stages'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { findThread } from '../../store-access/find-by-id.ts'
import { refuseIfHeld } from '../../store-access/refuse-if-held.ts'
import { HOME_HELP, homeOf, openStoreAsOwner, refuseBesideNodes } from '../../store-access/open-store.ts'
import { createScreen, createSilentScreen } from '../../terminal/live-screen.ts'
import { toPrintableLine } from '../../terminal/printable.ts'

const HELP = `Usage: capstan chat [options]

Chats with a model. What you type while a turn is running reaches the model before
its next step. When a call needs your approval, type yes, no, conversation, hour or
always; any other text stops that turn and starts a new one. Ctrl-C or /stop stops the
turn, Ctrl-C again or /quit leaves the chat. Piped lines are handled one after the other.

While a server of the data folder is running, the chat takes place there, with its
model, apps, safety mode and threads. Otherwise it runs in this process, and threads
are stored in the data folder: "capstan threads" lists them.

${AGENT_HELP}
                        A running server uses its own model: the settings choose it
${HOME_HELP}
  --thread <id>         open this thread; the start of an id is enough
  --new                 start a new thread, which is the default
  --no-store            store nothing, and use no server
  --json                print every event as a line of JSON; lines are read as from a pipe

Exit codes: 0 done, 1 the data folder or its server cannot be used, 2 bad usage,
            3 a turn still waits for an approval, 130 stopped`

const OPTIONS = {
  ...AGENT_OPTIONS,
  home: { type: 'string' },
  thread: { type: 'string' },
  new: { type: 'boolean' },
  'no-store': { type: 'boolean' },
  json: { type: 'boolean' },
} as const

export const chat: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'chat', options: OPTIONS })
    if (values.thread !== undefined && (values.new || values['no-store']))
      throw new UsageError('--thread opens a stored thread, so it takes neither --new nor --no-store.')
    const home = homeOf(values.home, shell.env)
    const screen = values.json ? createSilentScreen(shell.stdout) : createScreen(shell.stdout, shell.env)
    const server = values['no-store'] ? undefined : findServer(home)
    if (server) return chatWithServer({ home, server, flags: values, screen }, shell)
    const pace = values.fast || !screen.isLive ? FAST : CALM
    const { agent, name } = chooseAgent(values, shell, pace)
    if (values['no-store']) {
      greet(screen, shell, name)
      return runChat({ open: openUnsavedThread(agent) }, screen, shell, values.json)
    }
    refuseBesideNodes(shell.env)
    await refuseIfHeld(home)
    const store = openStoreForChat(home)
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
      return await runChat({ open, resumeTurns: () => resumeTurns(), ...past }, screen, shell, values.json)
    } finally {
      await store.close()
    }
  },
}

function openStoreForChat(home: string): Store {
  try {
    return openStoreAsOwner(home)
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'locked') throw error
    throw new CommandError(`${error.message} Or chat without storing anything: --no-store.`)
  }
}
