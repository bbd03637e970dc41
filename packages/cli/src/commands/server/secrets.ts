import { existsSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import type { AuditLine, SecretPut, SecretRow } from '@capstan/protocol'
import type { Column } from '../../render/draw-table.ts'
import { drawTable } from '../../render/draw-table.ts'
import { openServerApi } from '../../server-access/call-server.ts'
import { findServer } from '../../server-access/server-file.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import {
  HOME_HELP,
  homeOf,
  openStoreAsOwner,
  refuseBesideNodes,
  USER_ID,
} from '../../store-access/open-store.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'
import type { Environment } from '../../terminal/style.ts'

const HELP = `Usage: capstan secrets list
       capstan secrets set <name> --host <host>     read the value from standard input
       capstan secrets remove <name>

A call may name a secret as {{secret:name}}. The tool gets the value only in calls to the
hosts it is bound to. The model, the events and the log never see it.

  --host <host>         set: a host it may be sent to, such as api.example.com or
                        *.example.com; can be given several times
${HOME_HELP}
  --json                list: one line of JSON per secret; otherwise: one line of JSON

Exit codes: 0 done, 1 failed or no such secret, 2 bad usage`

const OPTIONS = { ...STORE_OPTIONS, host: { type: 'string', multiple: true } } as const

interface SecretAccess {
  list(): Promise<readonly SecretRow[]>
  put(name: string, secret: SecretPut): Promise<SecretRow>
  remove(name: string): Promise<boolean>
}

export const secrets: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'secrets',
      options: OPTIONS,
      allowPositionals: true,
    })
    const [action = 'list', name, ...more] = positionals
    if (more.length > 0) throw new UsageError('Too many words. See "capstan secrets --help".')
    const home = homeOf(values.home, shell.env)
    const print = (result: SecretRow | { readonly removed: string }, line: string): number => {
      if (values.json) writeJson(shell, result)
      else writeLines(shell, [line])
      return EXIT.done
    }
    switch (action) {
      case 'list':
        return withSecrets(home, shell.env, async (access) =>
          list(await access.list(), values.json === true, shell),
        )
      case 'set': {
        if (name === undefined)
          throw new UsageError('Name the secret: capstan secrets set <name> --host <host>.')
        const hosts = values.host ?? []
        if (hosts.length === 0) throw new UsageError('Name at least one host with --host.')
        const value = (await readAll(shell.stdin)).trim()
        if (value === '') throw new UsageError('There is no value: write it to standard input.')
        return withSecrets(home, shell.env, async (access) => {
          const row = await access.put(name, { value, hosts })
          return print(row, `Stored. A call to ${row.hosts.join(', ')} may name it as {{secret:${name}}}.`)
        })
      }
      case 'remove':
        if (name === undefined) throw new UsageError('Name the secret: capstan secrets remove <name>.')
        return withSecrets(home, shell.env, async (access) => {
          if (!(await access.remove(name))) throw new CommandError(`There is no secret named "${name}".`)
          return print({ removed: name }, `"${name}" was removed.`)
        })
      default:
        throw new UsageError(`There is no action "${action}". See "capstan secrets --help".`)
    }
  },
}

const COLUMNS: readonly Column<SecretRow>[] = [
  { title: 'NAME', cell: ({ name }) => name, paint: () => 'cyan' },
  { title: 'HOSTS', cell: ({ hosts }) => hosts.join(', '), fills: true },
]

function list(rows: readonly SecretRow[], isJson: boolean, shell: Shell): number {
  if (isJson) writeJson(shell, ...rows)
  else if (rows.length === 0) writeLines(shell, ['No secret is stored.'])
  else writeLines(shell, drawTable(rows, COLUMNS, shell))
  return EXIT.done
}

/** Through the running server, or in the data folder when there is none. */
async function withSecrets<Result>(
  home: string,
  env: Environment,
  use: (access: SecretAccess) => Promise<Result>,
): Promise<Result> {
  const server = findServer(home)
  if (server) {
    const call = await openServerApi(home, server)
    return use({
      list: async () => (await call((api) => api.secrets())).secrets,
      put: (name, secret) => call((api) => api.putSecret(name, secret)),
      async remove(name) {
        const isThere = (await call((api) => api.secrets())).secrets.some((row) => row.name === name)
        if (isThere) await call((api) => api.removeSecret(name))
        return isThere
      },
    })
  }
  refuseBesideNodes(env)
  if (!existsSync(home))
    throw new CommandError(`There is no data in ${home} yet. Start with "capstan serve".`)
  const { createVaultDocuments, openNamedSecrets } = await import('@capstan/server')
  const store = openStoreAsOwner(home)
  try {
    const stored = await openNamedSecrets(createVaultDocuments(store.connections.vault), () => {})
    const record = (line: Pick<AuditLine, 'action' | 'subject' | 'facts'>) =>
      store.audit.record({ at: Date.now(), userId: USER_ID, ...line })
    return await use({
      list: async () => stored.list(USER_ID),
      async put(name, secret) {
        const row = await stored.put(USER_ID, name, secret, Date.now())
        await record({ action: 'secret-put', subject: name, facts: { hosts: row.hosts.join(', ') } })
        return row
      },
      async remove(name) {
        const isGone = await stored.remove(USER_ID, name)
        if (isGone) await record({ action: 'secret-remove', subject: name })
        return isGone
      },
    })
  } finally {
    await store.close()
  }
}
