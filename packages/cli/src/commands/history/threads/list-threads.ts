import type { RunRow, ThreadRow } from '@capstan/protocol'
import { firstChat } from '../../../agent/choose-model.ts'
import { drawTable } from '../../../render/draw-table.ts'
import { toWhen } from '../../../render/when.ts'
import { EXIT } from '../../../shell/exit-code.ts'
import { parseLimit } from '../../../shell/parse-flags.ts'
import type { Shell } from '../../../shell/shell.ts'
import { UsageError } from '../../../shell/shell.ts'
import { writeJson, writeLines } from '../../../shell/write.ts'
import { toShortIds } from '../../../store-access/find-by-id.ts'
import { USER_ID } from '../../../store-access/open-store.ts'
import { withStore } from '../../../store-access/with-store.ts'
import type { ThreadAction } from './thread-action.ts'

/** `capstan threads list` */
export const listThreads: ThreadAction = async (words, flags, shell) => {
  if (words.length > 0)
    throw new UsageError('"list" takes no words. To find threads, use "capstan threads search".')
  const limit = parseLimit(flags.limit, 30)
  const archived = flags.archived ?? false
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const found = await store.threads.list({ userId: USER_ID, archived, limit: limit + 1 })
    const rows = found.slice(0, limit)
    if (flags.json) writeJson(shell, ...rows)
    else if (rows.length > 0) writeLines(shell, drawThreads(rows, await store.runs.unfinished(), shell))
    else if (archived) writeLines(shell, ['No thread is archived.'])
    else writeLines(shell, [`No threads yet. Start one with "${firstChat(shell.env)}".`])
    if (found.length > limit && !flags.json) writeLines(shell, ['', 'There are more: --limit shows them.'])
    return EXIT.done
  })
}

function drawThreads(
  rows: readonly ThreadRow[],
  unfinished: readonly RunRow[],
  shell: Shell,
): readonly string[] {
  const now = Date.now()
  const ids = toShortIds(rows.map(({ id }) => id))
  const states = new Map(unfinished.map(({ threadId, status }) => [threadId, status]))
  return drawTable(
    rows,
    [
      { title: 'THREAD', cell: ({ id }) => ids.get(id) ?? id, paint: () => 'cyan' },
      { title: 'UPDATED', cell: ({ updatedAt }) => toWhen(updatedAt, now) },
      ...(rows.some(({ id }) => states.has(id))
        ? [
            {
              title: 'STATE',
              cell: ({ id }: ThreadRow) => states.get(id) ?? '',
              paint: () => 'yellow' as const,
            },
          ]
        : []),
      { title: 'TITLE', cell: ({ title }) => title || '(untitled)', fills: true },
    ],
    shell,
  )
}
