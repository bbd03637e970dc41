import type { JobRow } from '@capstan/harness/stores'
import type { JobStatus, JobSummary } from '@capstan/protocol'
import { JOB_STATUSES } from '@capstan/protocol'
import type { Column } from '../../render/draw-table.ts'
import { drawTable } from '../../render/draw-table.ts'
import { toFullTime, toWhen } from '../../render/when.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags, parseLimit } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { HOME_HELP, USER_ID } from '../../store-access/open-store.ts'
import { STORE_OPTIONS, withStore } from '../../store-access/with-store.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import type { JobAction } from './job-access.ts'
import { changeJob, unknownJob } from './job-access.ts'

const HELP = `Usage: capstan jobs [list]            list work without a person, newest first
       capstan jobs show <id>         print one job with what it keeps
       capstan jobs pause <id>        stop it; it keeps its place
       capstan jobs resume <id>       let a paused job go on at the time it had
       capstan jobs run <id>          run it now, also after it failed
       capstan jobs cancel <id>       end it for good

Without a running server a job runs at the next start.

${HOME_HELP}
  --json                list: one JSON object per line; others: one JSON object
  --kind <name>         list: only jobs of this kind, such as sync, schedule or trigger
  --status <name>       list: only jobs in this state: ${JOB_STATUSES.join(', ')}
  --limit <n>           list: the most jobs; default 30

Exit codes: 0 done, 1 no such job, or not possible in its state, 2 bad usage`

const OPTIONS = {
  ...STORE_OPTIONS,
  kind: { type: 'string' },
  status: { type: 'string' },
  limit: { type: 'string' },
} as const

interface Flags {
  readonly home?: string
  readonly json?: boolean
  readonly kind?: string
  readonly status?: string
  readonly limit?: string
}

const ACTIONS: Readonly<Record<string, JobAction>> = {
  pause: 'pause',
  resume: 'resume',
  run: 'run-now',
  cancel: 'cancel',
}

export const jobs: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'jobs',
      options: OPTIONS,
      allowPositionals: true,
    })
    const [name = 'list', id, ...more] = positionals
    if (more.length > 0) throw new UsageError('Too many words. See "capstan jobs --help".')
    if (name === 'list') {
      if (id !== undefined) throw new UsageError('"list" takes no words. See "capstan jobs --help".')
      return list(values, shell)
    }
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action && name !== 'show')
      throw new UsageError(`There is no action "${name}". See "capstan jobs --help".`)
    if (id === undefined) throw new UsageError(`Name the job: capstan jobs ${name} <id>.`)
    if (!action) return show(id, values, shell)
    const job = await changeJob(id, action, values.home, shell)
    if (values.json) writeJson(shell, job)
    else writeLines(shell, [toPrintableLine(`${job.title}: ${job.status}`)])
    return EXIT.done
  },
}

async function list(flags: Flags, shell: Shell): Promise<number> {
  const status = toStatus(flags.status)
  const query = {
    ...(flags.kind !== undefined && { kind: flags.kind }),
    ...(status && { status }),
    limit: parseLimit(flags.limit, 30),
  }
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const rows = await store.jobs.list(USER_ID, query)
    if (flags.json) writeJson(shell, ...rows)
    else if (rows.length === 0) writeLines(shell, ['There are no jobs here.'])
    else writeLines(shell, drawTable(rows, toColumns(Date.now()), shell))
    return EXIT.done
  })
}

function toStatus(given: string | undefined): JobStatus | undefined {
  const status = JOB_STATUSES.find((known) => known === given)
  if (given !== undefined && !status)
    throw new UsageError(`There is no state "${given}". There are: ${JOB_STATUSES.join(', ')}.`)
  return status
}

const toColumns = (now: number): readonly Column<JobSummary>[] => [
  { title: 'JOB', cell: ({ id }) => id, paint: () => 'cyan' },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'STATE', cell: ({ status }) => status },
  { title: 'LAST', cell: ({ lastStartedAt }) => (lastStartedAt ? toWhen(lastStartedAt, now) : '') },
  { title: 'NEXT', cell: ({ nextAt }) => (nextAt === undefined ? '' : toFullTime(nextAt)) },
  { title: 'TITLE', cell: ({ title }) => title, fills: true },
]

async function show(id: string, flags: Flags, shell: Shell): Promise<number> {
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const job = await store.jobs.get(USER_ID, id)
    if (!job) throw unknownJob(id)
    if (flags.json) writeJson(shell, job)
    else writeLines(shell, drawJob(job).map(toPrintableLine))
    return EXIT.done
  })
}

function drawJob(job: JobRow): readonly string[] {
  const time = (name: string, at: number | undefined): string[] =>
    at === undefined ? [] : [`${name}: ${toFullTime(at)}`]
  return [
    job.title,
    `${job.kind}, ${job.status}`,
    ...time('Last start', job.lastStartedAt),
    ...time('Last end', job.lastEndedAt),
    ...time('Next', job.nextAt),
    ...(job.lastFailure
      ? [
          `Failed ${job.attempts} times in a row: ${job.lastFailure.cause}`,
          `What to do: ${job.lastFailure.next}`,
        ]
      : []),
    `What to do each time: ${JSON.stringify(job.body)}`,
    `What it keeps: ${JSON.stringify(job.state)}`,
  ]
}
