import type { Column } from '../../render/draw-table.ts'
import { drawTable } from '../../render/draw-table.ts'
import type { ListedMember, LoginLink } from '../../server-access/people-access.ts'
import { openPeopleAccess } from '../../server-access/people-access.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { LOCAL_ONLY } from './login.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'

const HELP = `Usage: capstan members list             list the members
       capstan members add <name>       add a member and print a login link for them
       capstan members remove <name>    log a member out everywhere and stop their turns

Members have conversations and connections of their own. They can use a folder or an MCP server of the owner only if the
owner shares it. The conversations of a removed member stay stored.

${HOME_HELP}
  --json                list: one JSON object per line; otherwise one JSON object

Exit codes: 0 done, 1 there is no such member, 2 bad usage`

export const members: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'members',
      options: STORE_OPTIONS,
      allowPositionals: true,
    })
    const [action = 'list', ...words] = positionals
    if (!['list', 'add', 'remove'].includes(action))
      throw new UsageError(`There is no action "${action}". See "capstan members --help".`)
    const [name, ...more] = words
    if (action === 'list' ? words.length > 0 : !name || more.length > 0)
      throw new UsageError(`"${action}" takes ${action === 'list' ? 'no words' : 'one name'}.`)
    const people = await openPeopleAccess(homeOf(values.home, shell.env), shell.env)
    if (action === 'list' || name === undefined) {
      const rows = await people.members()
      if (values.json) writeJson(shell, ...rows)
      else if (rows.length === 0) writeLines(shell, ['There are no members.'])
      else writeLines(shell, drawTable(rows, COLUMNS, shell))
      return EXIT.done
    }
    if (action === 'add') {
      const link = await people.addMember(name)
      if (values.json) writeJson(shell, { userId: name, ...link })
      else writeLines(shell, describeLink(name, link))
      return EXIT.done
    }
    if (!(await people.removeMember(name)))
      throw new CommandError(`There is no member "${name}". See "capstan members list".`)
    if (values.json) writeJson(shell, { removed: name })
    else writeLines(shell, [`${name} was removed.`])
    return EXIT.done
  },
}

const describeLink = (name: string, made: LoginLink | undefined): readonly string[] =>
  made === undefined
    ? [`${name} was added. When the server runs, "capstan login --user ${name}" prints a login link.`]
    : [
        `${name} was added. Send them this link. It works once, within an hour:`,
        `  ${made.link}`,
        ...(made.isLocalOnly ? [LOCAL_ONLY] : []),
      ]

const toDay = (at: number | undefined): string =>
  at === undefined ? 'never' : new Date(at).toISOString().slice(0, 10)

const COLUMNS: readonly Column<ListedMember>[] = [
  { title: 'NAME', cell: ({ userId }) => userId, paint: () => 'cyan' },
  { title: 'LOGINS', cell: ({ logins }) => String(logins) },
  { title: 'LAST USE', cell: ({ usedAt }) => toDay(usedAt) },
  { title: 'ADDED', cell: ({ addedAt }) => toDay(addedAt), fills: true },
]
