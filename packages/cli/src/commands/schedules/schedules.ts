import type { ScheduleRow } from '@capstan/protocol'
import type { Column } from '../../render/draw-table.ts'
import { drawTable } from '../../render/draw-table.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { HOME_HELP } from '../../store-access/open-store.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { drawSchedule, toLocalTime } from './draw-schedule.ts'
import type { ScheduleAccess, ScheduleAction } from './schedule-access.ts'
import { withSchedules } from './schedule-access.ts'
import type { Flags } from './schedule-flags.ts'
import { SCHEDULE_OPTIONS, toPatch, toPost, zoneOf } from './schedule-flags.ts'

const HELP = `Usage: capstan schedules [list]            list schedules with their next runs
       capstan schedules add <when> --prompt <text>
       capstan schedules preview <when>    when that would run; nothing is stored
       capstan schedules edit <id>         change what the flags name; new times count from now on
       capstan schedules show <id>         print one, with what became of its runs
       capstan schedules pause <id>        stop it; due times do not count until it is resumed
       capstan schedules resume <id>
       capstan schedules run <id>          run it once, now
       capstan schedules remove <id>       delete it; the threads of its runs stay

<when> is plain English or a cron line with five fields:
  "every weekday at 8", "mondays and thursdays at 17:30", "every 2 hours from 8 to 18",
  "on the 1st of every month at 9", "0 8 * * 1-5". At most every 15 minutes.

Without a running server a schedule runs after the next start.

${HOME_HELP}
  --json                list: one JSON object per line; others: one JSON object
  --when <text>         edit: as <when>
  --prompt <text>       add, edit: what to do each time
  --zone <name>         add, edit, preview: an IANA time zone; default: the one of this machine
  --title <text>        add, edit: default: the beginning of the prompt
  --misfire <rule>      add, edit: after missed times: skip, once (default) or all
  --usd <n>             add, edit: the most money for a run; default 1
  --minutes <n>         add, edit: the most time for a run; default 30
  --thread <id>         add, edit: all runs in this thread; "own" (default): one of its own for each

Exit codes: 0 done, 1 no such schedule, not possible, or not clear when, 2 bad usage`

const ACTIONS: Readonly<Record<string, ScheduleAction>> = {
  pause: 'pause',
  resume: 'resume',
  run: 'run-now',
}
const READS: ReadonlySet<string> = new Set(['list', 'show', 'preview'])

export const schedules: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'schedules',
      options: SCHEDULE_OPTIONS,
      allowPositionals: true,
    })
    const [name = 'list', word, ...more] = positionals
    if (more.length > 0)
      throw new UsageError('Too many words; put quotes around <when>. See "capstan schedules --help".')
    const act = toAct(name, word, values, shell)
    return withSchedules(shell, { home: values.home, readOnly: READS.has(name) }, async (access) => {
      await act(access)
      return EXIT.done
    })
  },
}

/** Checks the usage before anything is opened. */
function toAct(
  name: string,
  word: string | undefined,
  flags: Flags,
  shell: Shell,
): (access: ScheduleAccess) => Promise<void> {
  if (name === 'list') {
    if (word !== undefined) throw new UsageError('"list" takes no words. See "capstan schedules --help".')
    return async (access) => writeList(await access.list(), flags, shell)
  }
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (!action && !['show', 'add', 'edit', 'preview', 'remove'].includes(name))
    throw new UsageError(`There is no action "${name}". See "capstan schedules --help".`)
  if (word === undefined)
    throw new UsageError(
      name === 'add' || name === 'preview'
        ? `Say when: capstan schedules ${name} "every weekday at 8".`
        : `Name the schedule: capstan schedules ${name} <id>.`,
    )
  const write = (row: ScheduleRow): void => writeRow(row, flags, shell)
  if (action) return async (access) => write(await access.steer(word, action))
  if (name === 'show') return async (access) => write(await access.get(word))
  if (name === 'preview') return (access) => preview(access, word, flags, shell)
  if (name === 'remove')
    return async (access) => {
      await access.remove(word)
      if (flags.json) writeJson(shell, { removed: word })
      else writeLines(shell, ['Removed.'])
    }
  if (name === 'edit') {
    const patch = toPatch(flags)
    return async (access) => write(await access.change(word, patch))
  }
  const post = toPost(word, flags)
  return async (access) => write(await access.add(post))
}

async function preview(access: ScheduleAccess, when: string, flags: Flags, shell: Shell): Promise<void> {
  const found = await access.preview(when, zoneOf(flags))
  if (flags.json) return writeJson(shell, found)
  const runs = found.nextRuns.map((at) => `- ${toLocalTime(at, found.zone)}`)
  writeLines(shell, [`${found.cron} in ${found.zone}`, 'Next runs:', ...runs].map(toPrintableLine))
}

function writeRow(row: ScheduleRow, { json }: Flags, shell: Shell): void {
  if (json) writeJson(shell, row)
  else writeLines(shell, drawSchedule(row).map(toPrintableLine))
}

function writeList(rows: readonly ScheduleRow[], { json }: Flags, shell: Shell): void {
  if (json) writeJson(shell, ...rows)
  else if (rows.length === 0)
    writeLines(shell, [
      'There are no schedules here.',
      'Add one: capstan schedules add "every weekday at 8" --prompt "Summarise my mail."',
    ])
  else writeLines(shell, drawTable(rows, COLUMNS, shell))
}

const COLUMNS: readonly Column<ScheduleRow>[] = [
  { title: 'SCHEDULE', cell: ({ id }) => id, paint: () => 'cyan' },
  { title: 'STATE', cell: ({ status }) => status },
  {
    title: 'NEXT',
    cell: ({ nextRuns: [next], zone }) => (next === undefined ? '' : toLocalTime(next, zone)),
  },
  { title: 'LAST', cell: ({ runs: [last] }) => last?.outcome ?? '' },
  { title: 'TITLE', cell: ({ title }) => title, fills: true },
]
