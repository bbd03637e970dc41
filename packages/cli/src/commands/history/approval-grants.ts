import type { GrantConstraints } from '@capstan/protocol'
import { drawGrant } from '../../render/draw-grant.ts'
import { openServerApi } from '../../server-access/call-server.ts'
import { findServer } from '../../server-access/server-file.ts'
import { EXIT } from '../../shell/exit-code.ts'
import type { Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { homeOf, USER_ID } from '../../store-access/open-store.ts'
import { withStore } from '../../store-access/with-store.ts'
import { styleOf } from '../../terminal/style.ts'

interface Flags {
  readonly home?: string
  readonly json?: boolean
}

/** `capstan approvals grants list|revoke`: what runs without a question. */
export function runGrants(words: readonly string[], flags: Flags, shell: Shell): Promise<number> {
  const [action = 'list', id, ...more] = words
  if (action === 'list' && id === undefined) return listGrants(flags, shell)
  if (action === 'revoke' && id !== undefined && id !== '' && more.length === 0)
    return revokeGrant(id, flags, shell)
  throw new UsageError(
    'Use "capstan approvals grants list" or "capstan approvals grants revoke <id>" with one id.',
  )
}

function listGrants(flags: Flags, shell: Shell): Promise<number> {
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const now = Date.now()
    const grants = await store.approvals.listGrants(USER_ID, now)
    if (flags.json) writeJson(shell, ...grants)
    else if (grants.length === 0)
      writeLines(shell, ['There are no grants: every call that changes something asks.'])
    else {
      const style = styleOf(shell.stdout, shell.env)
      for (const [index, grant] of grants.entries()) {
        const thread = await store.threads.get(grant.threadId)
        writeLines(shell, [...(index > 0 ? [''] : []), ...drawGrant(grant, thread?.title, style)])
      }
      writeLines(shell, ['', 'Take one back with "capstan approvals grants revoke <id>".'])
    }
    return EXIT.done
  })
}

function revokeGrant(id: string, flags: Flags, shell: Shell): Promise<number> {
  const home = homeOf(flags.home, shell.env)
  const server = findServer(home)
  return withStore(shell, { home: flags.home, readOnly: server !== undefined }, async (store) => {
    const matching = (await store.approvals.listGrants(USER_ID, Date.now())).filter((grant) =>
      grant.id.startsWith(id),
    )
    const grant = matching.find((one) => one.id === id) ?? matching[0]
    if (!grant) throw new CommandError(`There is no grant "${id}". See "capstan approvals grants list".`)
    if (matching.length > 1 && grant.id !== id)
      throw new CommandError(`Several grants start with "${id}". Give more of the id.`)
    if (server) await (await openServerApi(home, server))((api) => api.revokeGrant(grant.id))
    else await store.approvals.revokeGrant(USER_ID, grant.id)
    if (flags.json) writeJson(shell, { revoked: true, ...grant })
    else writeLines(shell, [`Revoked. ${grant.tool} asks again.`])
    return EXIT.done
  })
}

/** Reads `--only argument=pattern`, which may be repeated. Throws `UsageError` for another form. */
export function parseOnly(given: readonly string[] | undefined): GrantConstraints | undefined {
  if (given === undefined) return undefined
  const patterns = new Map<string, string[]>()
  for (const one of given) {
    const at = one.indexOf('=')
    if (at < 1 || at === one.length - 1)
      throw new UsageError(`--only is argument=pattern, such as --only "to=*@example.com", not "${one}".`)
    const argument = one.slice(0, at)
    patterns.set(argument, [...(patterns.get(argument) ?? []), one.slice(at + 1)])
  }
  return Object.fromEntries(patterns)
}
