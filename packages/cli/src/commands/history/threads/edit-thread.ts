import { createInterface } from 'node:readline/promises'
import { QUEUE_MODES } from '@capstan/protocol'
import type { ThreadRow } from '@capstan/protocol'
import type { ThreadEditor } from '../../../server-access/thread-editor.ts'
import { withThreadEditor } from '../../../server-access/thread-editor.ts'
import { EXIT } from '../../../shell/exit-code.ts'
import type { Shell } from '../../../shell/shell.ts'
import { UsageError } from '../../../shell/shell.ts'
import { writeJson, writeLines } from '../../../shell/write.ts'
import { findThread } from '../../../store-access/find-by-id.ts'
import { toPrintableLine } from '../../../terminal/printable.ts'
import { isTerminal } from '../../../terminal/style.ts'
import type { ThreadAction, ThreadFlags } from './thread-action.ts'
import { nameOf, parseOneId } from './thread-action.ts'

/** `capstan threads rename <id> <title>` */
export const renameThread: ThreadAction = async ([id, ...words], flags, shell) => {
  const title = words.join(' ').trim()
  if (id === undefined || title === '') throw new UsageError('Give the id of the thread and its new title.')
  return editThread(id, flags, shell, async (editor, thread) => {
    await editor.rename(thread.id, title)
    return `Renamed to "${title}".`
  })
}

/** `capstan threads archive <id>` */
export const archiveThread: ThreadAction = async (words, flags, shell) =>
  editThread(parseOneId(words, 'archive'), flags, shell, async (editor, thread) => {
    await editor.archive(thread.id, true)
    return `Archived ${nameOf(thread)}. "capstan threads --archived" lists it, "unarchive" restores it.`
  })

/** `capstan threads unarchive <id>` */
export const unarchiveThread: ThreadAction = async (words, flags, shell) =>
  editThread(parseOneId(words, 'unarchive'), flags, shell, async (editor, thread) => {
    await editor.archive(thread.id, false)
    return `${nameOf(thread)} is no longer archived.`
  })

/** `capstan threads queue <id> <mode>` */
export const setQueueMode: ThreadAction = async ([id, word], flags, shell) => {
  const mode = QUEUE_MODES.find((known) => known === word)
  if (id === undefined || (!mode && word !== 'default'))
    throw new UsageError(`Give the id of the thread and one of ${QUEUE_MODES.join(', ')}, default.`)
  return editThread(id, flags, shell, async (editor, thread) => {
    await editor.setQueueMode(thread.id, mode)
    return `Messages that wait in ${nameOf(thread)}: ${mode ?? 'as the settings say'}.`
  })
}

/** Applies one change and prints the sentence it answers with; with `--json`, the thread after the change. */
async function editThread(
  id: string,
  { home, json }: ThreadFlags,
  shell: Shell,
  apply: (editor: ThreadEditor, thread: ThreadRow) => Promise<string>,
): Promise<number> {
  return withThreadEditor(shell, home, async (store, editor) => {
    const thread = await findThread(store, id)
    const confirmation = await apply(editor, thread)
    if (json) writeJson(shell, await store.threads.get(thread.id))
    else writeLines(shell, [toPrintableLine(confirmation)])
    return EXIT.done
  })
}

/** `capstan threads delete <id>` */
export const deleteThread: ThreadAction = async (words, flags, shell) => {
  const id = parseOneId(words, 'delete')
  const canAsk = shell.stdin.isTTY && isTerminal(shell.stdout, shell.env) && !flags.json
  if (!flags.yes && !canAsk) throw new UsageError('A deleted thread cannot be restored: add --yes.')
  return withThreadEditor(shell, flags.home, async (store, editor) => {
    const thread = await findThread(store, id)
    if (!flags.yes && !(await confirm(`Delete ${nameOf(thread)} and everything in it?`, shell))) {
      writeLines(shell, ['Nothing was deleted.'])
      return EXIT.done
    }
    await editor.delete(thread.id)
    if (flags.json) writeJson(shell, { id: thread.id, deleted: true })
    else writeLines(shell, [`Deleted ${nameOf(thread)}.`])
    return EXIT.done
  })
}

async function confirm(question: string, { stdin, stdout }: Shell): Promise<boolean> {
  const lines = createInterface({ input: stdin })
  stdout.write(`${question} Type yes to delete: `)
  try {
    for await (const line of lines) return line.trim().toLowerCase() === 'yes'
    return false
  } finally {
    lines.close()
  }
}
