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
import { STORE_OPTIONS, writeJson, writeLines } from '../../store-access/with-store.ts'

const HELP = `Usage: capstan connect <toolkit> [options]

Connects an app. One that needs no sign-in is connected at once; one that wants a key reads it from standard input;
for one that asks in a browser, this prints where to go and waits until you have signed in.

${HOME_HELP}
  --key                 read a key from standard input
  --no-wait             do not wait for a sign-in in the browser
  --json                the connection as one line of JSON

Exit codes: 0 connected, 1 it could not be done, 2 bad usage, 3 not signed in yet, 130 stopped`

const OPTIONS = { ...STORE_OPTIONS, key: { type: 'boolean' }, 'no-wait': { type: 'boolean' } } as const

const POLL_MS = 500

export const connect: Command = {
  summary: 'connect an app',
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
        waits: !values['no-wait'],
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
  readonly waits: boolean
  readonly hasKey: boolean
}

async function connectToolkit(
  toolkit: string,
  assistant: AssistantAccess,
  home: string,
  { shell, waits, hasKey }: ConnectOptions,
): Promise<ConnectionRow> {
  const known = await find(assistant, toolkit, ({ status }) => status === 'active')
  if (known) return known
  const begun = await assistant.begin(toolkit)
  if (!begun) throw new CommandError(`There is no app "${toolkit}". "capstan toolkits" lists them.`)
  const reply = await assistant.signIn(begun.id)
  if (reply.type === 'settled') return reply.connection
  if (reply.type === 'key') {
    if (!hasKey) {
      await assistant.disconnect(begun.id)
      throw new CommandError(`"${toolkit}" wants a key: add --key and give it on standard input.`)
    }
    return assistant.giveKey(begun.id, (await readAll(shell.stdin)).trim())
  }
  const { server } = assistant
  if (!server) {
    await assistant.disconnect(begun.id)
    throw new CommandError(`"${toolkit}" asks in a browser: start "capstan serve" and connect it there.`)
  }
  const { mintTicket } = await import('@capstan/server')
  // Only the browser that begins a sign-in can finish it, so it begins there.
  shell.stderr.write(
    [
      `Log in with this link, then connect the app under Connections:`,
      `  ${server.url}/login?ticket=${mintTicket(home)}`,
      '',
    ].join('\n'),
  )
  if (!waits) return begun
  const settled = await waitForSignIn(assistant, begun, shell)
  // In the browser they began anew: nobody will sign in to this one any more.
  if (settled.id !== begun.id) await assistant.disconnect(begun.id)
  return settled
}

async function find(
  assistant: AssistantAccess,
  toolkit: string,
  fits: (connection: ConnectionRow) => boolean,
): Promise<ConnectionRow | undefined> {
  const { toolkits } = await assistant.toolkits()
  return toolkits.find(({ slug }) => slug === toolkit)?.connections.find(fits)
}

/** Until any account of the app is connected: in the browser, people begin anew. */
async function waitForSignIn(
  assistant: AssistantAccess,
  begun: ConnectionRow,
  shell: Shell,
): Promise<ConnectionRow> {
  const stopped = new AbortController()
  const release = shell.onInterrupt(() => stopped.abort())
  try {
    while (!stopped.signal.aborted) {
      const settled =
        (await find(assistant, begun.toolkit, ({ status }) => status === 'active')) ??
        (await find(assistant, begun.toolkit, ({ id, status }) => id === begun.id && status === 'failed'))
      if (settled) return settled
      await wait(POLL_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
    return begun
  } finally {
    release()
  }
}

function describe({ toolkit, status, label, reason }: ConnectionRow): string {
  const account = label === '' ? '' : `, as ${label}`
  if (status === 'active') return toPrintableLine(`${toolkit} is connected${account}.`)
  if (status === 'pending') return toPrintableLine(`${toolkit} waits for you to sign in.`)
  return toPrintableLine(`${toolkit} is not connected. ${reason ?? ''}`)
}
