import { toCost, toDuration } from '@capstan/harness/ledger'
import type { RunRow, RunStatus } from '@capstan/protocol'
import { firstChat } from '../../agent/choose-model.ts'
import { drawTable } from '../../render/draw-table.ts'
import type { Paint } from '../../terminal/style.ts'
import { toWhen } from '../../render/when.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { findThread, toShortIds } from '../../store-access/find-by-id.ts'
import { HOME_HELP, USER_ID } from '../../store-access/open-store.ts'
import { parseFlags, parseLimit } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS, withStore } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const COLOURS: Readonly<Record<RunStatus, Paint>> = {
  running: 'cyan',
  waiting: 'yellow',
  done: 'green',
  halted: 'yellow',
  capped: 'yellow',
  'needs-input': 'yellow',
  failed: 'red',
  aborted: 'dim',
}
const STATUSES = Object.keys(COLOURS) as readonly RunStatus[]

const HELP = `Usage: capstan runs [options]

Lists runs, newest first, with their prompt, status, duration and cost.
"capstan explain <run>" prints a report on one.

${HOME_HELP}
  --thread <id>         only runs of this thread; the start of an id is enough
  --status <name>       ${STATUSES.slice(0, 4).join(', ')},
                        ${STATUSES.slice(4).join(', ')}
  --limit <n>           the most runs to print; default 30
  --sub-agents          also list the runs of sub-agents
  --json                one JSON object per line

Exit codes: 0 done, 1 failed, 2 bad usage`

const OPTIONS = {
  ...STORE_OPTIONS,
  thread: { type: 'string' },
  status: { type: 'string' },
  limit: { type: 'string' },
  'sub-agents': { type: 'boolean' },
} as const

export const runs: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'runs', options: OPTIONS })
    const limit = parseLimit(values.limit, 30)
    const status = toStatus(values.status)
    return withStore(shell, { home: values.home, readOnly: true }, async (store) => {
      const thread = values.thread === undefined ? undefined : await findThread(store, values.thread)
      const found = await store.runs.list({
        userId: USER_ID,
        limit: limit + 1,
        ...(thread ? { threadId: thread.id } : undefined),
        ...(status ? { status } : undefined),
        ...(values['sub-agents'] ? undefined : { depth: 0 }),
      })
      const rows = found.slice(0, limit)
      if (values.json) writeJson(shell, ...rows)
      else if (rows.length > 0) writeLines(shell, drawRuns(rows, shell))
      else if (thread || status) writeLines(shell, ['No run matches.'])
      else writeLines(shell, [`There are no runs yet. Start one with "${firstChat(shell.env)}".`])
      if (found.length > limit && !values.json) writeLines(shell, ['', 'There are more: --limit shows them.'])
      return EXIT.done
    })
  },
}

function toStatus(name: string | undefined): RunStatus | undefined {
  const status = STATUSES.find((known) => known === name)
  if (name !== undefined && !status)
    throw new UsageError(`--status is one of ${STATUSES.join(', ')}, not "${name}".`)
  return status
}

function drawRuns(rows: readonly RunRow[], shell: Shell): readonly string[] {
  const now = Date.now()
  const ids = toShortIds(rows.map(({ id }) => id))
  return drawTable(
    rows,
    [
      { title: 'RUN', cell: ({ id }) => ids.get(id) ?? id, paint: () => 'cyan' },
      { title: 'STATUS', cell: ({ status }) => status, paint: ({ status }) => COLOURS[status] },
      { title: 'BEGAN', cell: ({ startedAt }) => toWhen(startedAt, now) },
      {
        title: 'ASKED',
        cell: ({ text, agent, depth }) => (depth > 0 ? `${agent}: ${text}` : text),
        fills: true,
      },
      { title: 'TOOK', cell: toTook, align: 'right' },
      { title: 'COST', cell: toShortCost, align: 'right' },
    ],
    shell,
  )
}

const toTook = ({ startedAt, endedAt }: RunRow): string =>
  endedAt === undefined ? '' : toDuration(endedAt - startedAt)

/** A table column is too narrow for words such as "about". */
function toShortCost({ outcome }: RunRow): string {
  return outcome
    ? toCost(outcome.usage).replace('about ', '~').replace('under ', '<').replace('cost unknown', '?')
    : ''
}
