import { existsSync } from 'node:fs'
import { openServerApi } from '../../server-access/call-server.ts'
import { findServer } from '../../server-access/server-file.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { toErrorText } from '@capstan/harness/stages'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { HOME_HELP, homeOf, refuseBesideNodes } from '../../store-access/open-store.ts'
import { recordAudit } from '../../store-access/record-audit.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'

const STOP_HELP = `Usage: capstan stop --all [options]

Stops every running turn of every user. No turn starts or resumes until "capstan release",
also after a restart. Turns that wait for an answer keep waiting. Works with and without a
running server. The server itself goes on.

  --all                 required: there is no way to stop a single turn here
${HOME_HELP}
  --json                print the result as one line of JSON

Exit codes: 0 done, 1 there is no data folder or the server does not answer, 2 bad usage`

const RELEASE_HELP = `Usage: capstan release [options]

Ends what "capstan stop --all" began: turns may start again, and those that can go on are
resumed. Without a running server they are resumed at the next start.

${HOME_HELP}
  --json                print the result as one line of JSON

Exit codes: 0 done, 1 there is no data folder or the server does not answer, 2 bad usage`

interface Flags {
  readonly home?: string
  readonly json?: boolean
}

export const stop: Command = {
  help: STOP_HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, {
      command: 'stop',
      options: { ...STORE_OPTIONS, all: { type: 'boolean' } },
    })
    if (!values.all) throw new UsageError('Say "capstan stop --all". See "capstan stop --help".')
    return change('hold', values, shell)
  },
}

export const release: Command = {
  help: RELEASE_HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'release', options: STORE_OPTIONS })
    return change('release', values, shell)
  },
}

async function change(what: 'hold' | 'release', { home, json }: Flags, shell: Shell): Promise<number> {
  const folder = homeOf(home, shell.env)
  const server = findServer(folder)
  if (!server) refuseBesideNodes(shell.env)
  if (!existsSync(folder)) throw new CommandError(`There is no data in ${folder} yet.`)
  if (server) {
    const call = await openServerApi(folder, server, { anyVersion: true })
    await call((api) => (what === 'hold' ? api.hold('everybody') : api.release('everybody')))
  } else {
    const { createFileDocuments, openHolds } = await import('@capstan/server')
    const holds = openHolds(createFileDocuments(folder))
    if (what === 'hold') await holds.set(undefined, Date.now())
    else await holds.clear(undefined)
    await recordChange(folder, what, shell)
  }
  if (json) writeJson(shell, { held: what === 'hold', server: server !== undefined })
  else writeLines(shell, [TEXTS[what][server ? 'running' : 'stopped']])
  return EXIT.done
}

/** The hold counts even when its line cannot be written, as while `capstan chat` uses the folder. */
async function recordChange(folder: string, action: 'hold' | 'release', shell: Shell): Promise<void> {
  try {
    await recordAudit(folder, { action, facts: { everybody: true } })
  } catch (error) {
    shell.stderr.write(`capstan: The audit log has no line of this: ${toPrintableLine(toErrorText(error))}\n`)
  }
}

const TEXTS = {
  hold: {
    running: 'Everything is stopped. No turn starts until "capstan release".',
    stopped: 'No server is running. At the next start no turn starts or resumes until "capstan release".',
  },
  release: {
    running: 'Released. Turns that can go on are resumed.',
    stopped: 'Released. Turns that can go on are resumed at the next start.',
  },
} as const
