import type { ForgottenApp } from '@capstan/protocol'
import { EXIT } from '../../shell/exit-code.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { withMemoryEditor } from './change-memory.ts'
import type { MemoryAction } from './memory-action.ts'

/** `capstan memory forget <id …>`, or all of an app. */
export const forgetItems: MemoryAction = async (ids, flags, shell) => {
  const { app, account } = flags
  if ((ids.length === 0) === (app === undefined))
    throw new UsageError('Give the ids of items, or --app <name> for all items of an app.')
  if (!flags.yes) throw new UsageError('What is forgotten cannot be restored: add --yes.')
  return withMemoryEditor(shell, flags.home, async (memory) => {
    const { forgotten, stillSynced = [] }: ForgottenApp =
      app === undefined
        ? { forgotten: await memory.forget(ids) }
        : await memory.forgetAll({ app, ...(account !== undefined && { account }) })
    if (forgotten === 0)
      throw new CommandError('There is no such item. Nothing was forgotten.', { class: 'not_found' })
    if (flags.json) writeJson(shell, { forgotten, ...(stillSynced.length > 0 && { stillSynced }) })
    else
      writeLines(shell, [
        `Forgot ${forgotten} ${forgotten === 1 ? 'item' : 'items'}.`,
        ...(stillSynced.length > 0 ? ['Its sync is still on, so they come back. To switch it off:'] : []),
        ...stillSynced.map((id) => `  capstan sync off ${id}`),
      ])
    return EXIT.done
  })
}
