import { EventEmitter, once } from 'node:events'
import { toItemLine } from '@capstan/harness/memory'
import type { MemoryItem, MemoryQuery, UserMemory } from '@capstan/harness/stores'
import { drawTable } from '../../render/draw-table.ts'
import { toFullTime, toWhen } from '../../render/when.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseLimit } from '../../shell/parse-flags.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { USER_ID } from '../../store-access/open-store.ts'
import { withStore } from '../../store-access/with-store.ts'
import { toJsonLine, toPrintable, toPrintableLine } from '../../terminal/printable.ts'
import type { MemoryAction, MemoryFlags } from './memory-action.ts'
import { refuseWords } from './memory-action.ts'

/** `capstan memory list` */
export const listItems: MemoryAction = async (words, flags, shell) => {
  refuseWords(words, 'list')
  const limit = parseLimit(flags.limit, 30)
  return withStore(shell, { home: flags.home, readOnly: true }, async ({ memory }) => {
    const items = await memory.list(USER_ID, { ...toQuery(flags), limit })
    if (flags.json) writeJson(shell, ...items.map(toItemLine))
    else if (items.length === 0)
      writeLines(shell, [
        'Nothing is remembered here.',
        'Fill it with "capstan sync on <account>" or "capstan memory import --jsonl <file>".',
      ])
    else {
      const now = Date.now()
      const columns = [
        { title: 'ITEM', cell: ({ id }: MemoryItem) => id, paint: () => 'cyan' as const },
        { title: 'APP', cell: ({ app, account }: MemoryItem) => (account ? `${app} (${account})` : app) },
        { title: 'WHEN', cell: ({ at }: MemoryItem) => toWhen(at, now) },
        { title: 'TITLE', cell: ({ title }: MemoryItem) => title || '(untitled)', fills: true as const },
      ]
      writeLines(shell, drawTable(items, columns, shell))
    }
    return EXIT.done
  })
}

/** `capstan memory show <id>` */
export const showItem: MemoryAction = async ([id, ...more], flags, shell) => {
  if (!id || more.length > 0) throw new UsageError('Give the id of one item: capstan memory show <id>.')
  return withStore(shell, { home: flags.home, readOnly: true }, async ({ memory }) => {
    const item = await memory.get(USER_ID, id)
    if (!item)
      throw new CommandError(`There is no item "${id}".`, {
        class: 'not_found',
        next: '"capstan memory list" lists those that there are.',
      })
    if (flags.json) writeJson(shell, toItemLine(item))
    else writeLines(shell, drawItem(item))
    return EXIT.done
  })
}

function drawItem({ title, app, account, at, people, link, seenAt, text }: MemoryItem): readonly string[] {
  return [
    toPrintableLine(title) || '(untitled)',
    toPrintableLine(`${app}${account ? ` (${account})` : ''}, ${toFullTime(at)}, seen ${toFullTime(seenAt)}`),
    ...(people.length > 0 ? [toPrintableLine(people.join(', '))] : []),
    ...(link ? [toPrintableLine(link)] : []),
    '',
    toPrintable(text),
  ]
}

/** `capstan memory export`: lines that `import` reads. */
export const exportItems: MemoryAction = async (words, flags, shell) => {
  refuseWords(words, 'export')
  return withStore(shell, { home: flags.home, readOnly: true }, async ({ memory }) => {
    for await (const item of allItems(memory, toQuery(flags))) {
      const isFull = shell.stdout.write(`${toJsonLine(toItemLine(item))}\n`) === false
      if (isFull && shell.stdout instanceof EventEmitter) await once(shell.stdout, 'drain')
    }
    return EXIT.done
  })
}

const PAGE = 500

async function* allItems(memory: UserMemory, query: MemoryQuery): AsyncGenerator<MemoryItem> {
  for (let cursor: MemoryItem | undefined; ;) {
    const items = await memory.list(USER_ID, { ...query, limit: PAGE, ...(cursor && { cursor }) })
    yield* items
    cursor = items.at(-1)
    if (!cursor) return
  }
}

const toQuery = ({ app, account }: MemoryFlags): MemoryQuery => ({
  ...(app !== undefined && { app }),
  ...(account !== undefined && { account }),
})
