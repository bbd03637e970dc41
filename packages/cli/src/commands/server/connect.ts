import { text as readAll } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConnectionRow } from '@capstan/protocol'
import { toPrintableLine } from '../../terminal/printable.ts'
import type { AssistantAccess } from '../../server-access/assistant-access.ts'
import { openAssistantAccess } from '../../server-access/assistant-access.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan connect <toolkit> [options]

Connects an app. An app without sign-in is connected at once. An app that needs a key reads it from standard input.
For an app with sign-in in a browser, this prints a link and waits until you have signed in.

${HOME_HELP}
  --key                 read a key from standard input
  --no-wait             do not wait for a sign-in in the browser
  --json                print the connection as one line of JSON

Exit codes: 0 connected, 1 failed, 2 bad usage, 3 not signed in yet, 130 stopped`

const OPTIONS = { ...STORE_OPTIONS, key: { type: 'boolean' }, 'no-wait': { type: 'boolean' } } as const

const POLL_MS = 500

export const connect: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'connect',
      options: OPTIONS,
      allowPositionals: true,
    })
    const [toolkit, ...rest] = positionals
    if (toolkit === undefined || rest.length > 0)
      throw new UsageError('Name one app, such as notes. "capstan toolkits" lists them.')
    const home = homeOf(values.home, shell.env)
    const assistant = await openAssistantAccess(home, shell)
    try {
      const connection = await connectToolkit(toolkit, assistant, home, {
        shell,
        shouldWait: !values['no-wait'],
        hasKey: values.key ?? false,
      })
      if (values.json) writeJson(shell, connection)
      else writeLines(shell, [describe(connection)])
      if (connection.status === 'active') return EXIT.done
      return connection.status === 'pending' ? EXIT.unfinished : EXIT.failed
    } finally {
      await assistant.close()
    }
  },
}

interface ConnectOptions {
  readonly shell: Shell
  readonly shouldWait: boolean
  readonly hasKey: boolean
}

/** Connects the app as far as it can be done here, and waits for the rest if asked to. */
async function connectToolkit(
  toolkit: string,
  assistant: AssistantAccess,
  home: string,
  { shell, shouldWait, hasKey }: ConnectOptions,
): Promise<ConnectionRow> {
  const known = await find(assistant, toolkit, ({ status }) => status === 'active')
  if (known) return known
  const pending = await assistant.begin(toolkit)
  if (!pending) throw new CommandError(`There is no app "${toolkit}". "capstan toolkits" lists them.`)
  const reply = await assistant.signIn(pending.id)
  if (reply.type === 'settled') return reply.connection
  if (reply.type === 'key') {
    if (!hasKey) {
      await assistant.disconnect(pending.id)
      throw new CommandError(`"${toolkit}" needs a key: add --key and pass it on standard input.`)
    }
    return assistant.giveKey(pending.id, (await readAll(shell.stdin)).trim())
  }
  const { server } = assistant
  if (!server) {
    await assistant.disconnect(pending.id)
    throw new CommandError(
      `"${toolkit}" needs a sign-in in a browser: start "capstan serve" and connect it there.`,
    )
  }
  const { mintTicket } = await import('@capstan/server')
  // A sign-in can be finished only by the browser that began it, so it begins there.
  shell.stderr.write(
    [
      `Log in with this link, then connect the app under Connections:`,
      `  ${server.url}/login?ticket=${mintTicket(home)}`,
      '',
    ].join('\n'),
  )
  if (!shouldWait) return pending
  const settled = await waitForSignIn(assistant, pending, shell)
  // The browser began a connection of its own, so this one stays pending for ever.
  if (settled.id !== pending.id) await assistant.disconnect(pending.id)
  return settled
}

async function find(
  assistant: AssistantAccess,
  toolkit: string,
  matches: (connection: ConnectionRow) => boolean,
): Promise<ConnectionRow | undefined> {
  const { toolkits } = await assistant.toolkits()
  return toolkits.find(({ slug }) => slug === toolkit)?.connections.find(matches)
}

/** Waits until any account of the app is connected: the browser may begin a connection of its own. */
async function waitForSignIn(
  assistant: AssistantAccess,
  pending: ConnectionRow,
  shell: Shell,
): Promise<ConnectionRow> {
  const stopped = new AbortController()
  const release = shell.onInterrupt(() => stopped.abort())
  try {
    while (!stopped.signal.aborted) {
      const settled =
        (await find(assistant, pending.toolkit, ({ status }) => status === 'active')) ??
        (await find(assistant, pending.toolkit, ({ id, status }) => id === pending.id && status === 'failed'))
      if (settled) return settled
      await wait(POLL_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
    return pending
  } finally {
    release()
  }
}

function describe({ toolkit, status, label, reason }: ConnectionRow): string {
  const account = label === '' ? '' : `, as ${label}`
  if (status === 'active') return toPrintableLine(`${toolkit} is connected${account}.`)
  if (status === 'pending') return toPrintableLine(`${toolkit} waits for your sign-in.`)
  return toPrintableLine(`${toolkit} is not connected. ${reason ?? ''}`)
}
