import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { MoveProgress, MoveReport } from '@capstan/stores/postgres'
import { drawTable } from '../../render/draw-table.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { databaseUrlOf, KEY_HELP, keyFileOf } from './database-url.ts'

const HELP = `Usage: capstan migrate --to postgres://user@host/database [options]

Moves everything in a data folder to an empty PostgreSQL database: threads, runs, usage,
approvals, connections and their secrets, artifacts, the audit log, settings and logins.
Then reads both sides and compares them, and prints a checksum for each kind. The folder is
only read, and gets a note that says where its contents are. Stop the server first.

A move that was cut leaves the folder as it was, and a database that no server uses: run the
command again, and it starts over.

  --to <address>        the database; default: DATABASE_URL, which keeps a password out of
                        the list of processes
${KEY_HELP}
                        The key of the folder is read from its secret.key
  --dry-run             check both sides and count; write nothing
  --accept-problems     move although the audit log is not intact, or secrets cannot be
                        opened. The new log says so, and such secrets are left behind
${HOME_HELP}
  --json                print the result as one line of JSON

Artifacts go to the bucket in CAPSTAN_ARTIFACTS, if it is set. The files config.json and
agents/ belong to a machine: copy them to each node.

Exit codes: 0 everything is there, 1 not moved or something differs, 2 bad usage`

const OPTIONS = {
  ...STORE_OPTIONS,
  to: { type: 'string' },
  'key-file': { type: 'string' },
  'dry-run': { type: 'boolean' },
  'accept-problems': { type: 'boolean' },
} as const

export const migrate: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'migrate', options: OPTIONS })
    const url = databaseUrlOf(values.to, 'to', shell.env)
    const keyFile = keyFileOf(values['key-file'], shell.env)
    const folder = homeOf(values.home, shell.env)
    if (!existsSync(join(folder, 'capstan.db')))
      throw new CommandError(`There is no data in ${folder} to move.`)
    const { moveToPostgres } = await import('@capstan/stores/postgres')
    const progress = createProgress(shell)
    const report = await moveToPostgres({
      folder,
      url,
      env: shell.env,
      isDryRun: values['dry-run'] ?? false,
      acceptProblems: values['accept-problems'] ?? false,
      onProgress: (step) => progress.note(step),
      ...(keyFile !== undefined && { keyFile }),
    })
    progress.end()
    if (values.json) writeJson(shell, report)
    else writeLines(shell, draw(report, folder, shell))
    return report.isMoved || report.isDryRun ? EXIT.done : EXIT.failed
  },
}

/** A line on standard error for each table and kind, once it is done. */
function createProgress({ stderr }: Shell) {
  let last: MoveProgress | undefined
  const end = (): void => {
    if (last) stderr.write(`${last.step} ${last.what}: ${last.count.toLocaleString('en')}\n`)
    last = undefined
  }
  return {
    note(progress: MoveProgress): void {
      const isSame = last?.step === progress.step && last.what === progress.what
      if (!isSame) end()
      last = { ...progress, count: progress.count + (isSame ? last!.count : 0) }
    },
    end,
  }
}

function draw(report: MoveReport, folder: string, shell: Shell): readonly string[] {
  const columns = [
    { title: 'Kind', cell: ({ kind }: Kind) => kind },
    {
      title: 'Values',
      cell: ({ source }: Kind) => source.count.toLocaleString('en'),
      align: 'right' as const,
    },
    { title: 'SHA-256', cell: ({ source }: Kind) => source.sha256.slice(0, 16) },
    ...(report.isDryRun ? [] : [{ title: 'In the database', cell: toResult }]),
  ]
  return [...drawTable(report.kinds, columns, shell), '', ...toSentences(report, folder).map(toPrintableLine)]
}

type Kind = MoveReport['kinds'][number]

const toResult = ({ target, isEqual }: Kind): string =>
  isEqual || !target
    ? 'the same'
    : `DIFFERENT: ${target.count.toLocaleString('en')}, ${target.sha256.slice(0, 16)}`

function toSentences(
  { to, isDryRun, isMoved, audit, unreadableSecrets }: MoveReport,
  folder: string,
): string[] {
  const problems = [
    ...(audit.ok
      ? []
      : [`The audit log of the folder has problems: ${audit.problems.length}. See "capstan audit verify".`]),
    ...(unreadableSecrets.length > 0
      ? [`Secrets that cannot be opened: ${unreadableSecrets.join(', ')}.`]
      : []),
  ]
  if (isDryRun) return [...problems, `Nothing was written. Without --dry-run this would be moved to ${to}.`]
  if (isMoved)
    return [
      ...problems,
      `Everything in ${folder} is in ${to} now. Start the server with DATABASE_URL. Keep the folder until you have a backup.`,
    ]
  return [
    ...problems,
    `The database does not hold what is in ${folder}. It is marked as unfinished, and no server uses it. Run the command again.`,
  ]
}
