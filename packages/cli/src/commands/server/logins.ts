import type { LoginRow } from '@capstan/protocol'
import type { Column } from '../../render/draw-table.ts'
import { drawTable } from '../../render/draw-table.ts'
import { openPeopleAccess } from '../../server-access/people-access.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'

const HELP = `Usage: capstan logins list              list the browsers that are logged in as the owner
       capstan logins revoke <id>       log one browser out at once
       capstan logins revoke --all      log all of them out

The start of an id is enough, if only one id starts with it. To log a member out, see "capstan members remove".

${HOME_HELP}
  --all                 revoke: every login
  --json                list: one JSON object per line; revoke: one JSON object

Exit codes: 0 done, 1 there is no such login, 2 bad usage`

const OPTIONS = { ...STORE_OPTIONS, all: { type: 'boolean' } } as const

export const logins: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'logins',
      options: OPTIONS,
      allowPositionals: true,
    })
    const [action = 'list', ...words] = positionals
    const people = await openPeopleAccess(homeOf(values.home, shell.env), shell.env)
    if (action === 'list') {
      if (words.length > 0) throw new UsageError('"list" takes no words. See "capstan logins --help".')
      const rows = await people.logins()
      if (values.json) writeJson(shell, ...rows)
      else if (rows.length === 0) writeLines(shell, ['No browser is logged in.'])
      else writeLines(shell, drawTable(rows, COLUMNS, shell))
      return EXIT.done
    }
    if (action !== 'revoke')
      throw new UsageError(`There is no action "${action}". See "capstan logins --help".`)
    const chosen = chooseLogins(await people.logins(), words, values.all ?? false)
    for (const { id } of chosen) await people.revokeLogin(id)
    if (values.json) writeJson(shell, { revoked: chosen.map(({ id }) => id) })
    else
      writeLines(shell, [chosen.length === 1 ? '1 login was ended.' : `${chosen.length} logins were ended.`])
    return EXIT.done
  },
}

function chooseLogins(
  rows: readonly LoginRow[],
  words: readonly string[],
  isAll: boolean,
): readonly LoginRow[] {
  if (isAll && words.length === 0) return rows
  const [id, ...more] = words
  if (isAll || !id || more.length > 0)
    throw new UsageError('Give the id of one login, or --all; "capstan logins list" shows them.')
  const found = rows.filter((row) => row.id.startsWith(id))
  if (found.length === 1) return found
  throw new CommandError(
    found.length === 0
      ? `There is no login "${id}". See "capstan logins list".`
      : `Several logins start with "${id}". Give more of the id.`,
  )
}

const toTime = (at: number): string => new Date(at).toISOString().slice(0, 16).replace('T', ' ')

const COLUMNS: readonly Column<LoginRow>[] = [
  { title: 'ID', cell: ({ id }) => id, paint: () => 'cyan' },
  { title: 'LAST USE (UTC)', cell: ({ usedAt }) => toTime(usedAt) },
  { title: 'FIRST USE (UTC)', cell: ({ createdAt }) => toTime(createdAt) },
  { title: 'DEVICE', cell: ({ device }) => device || 'unknown', fills: true },
]
