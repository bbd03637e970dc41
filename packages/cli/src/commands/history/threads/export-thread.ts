import { writeFile } from 'node:fs/promises'
import { toJsonl, toMarkdown } from '@capstan/harness/ledger'
import { scrubLongText } from '@capstan/harness/stages'
import { EXIT } from '../../../shell/exit-code.ts'
import { CommandError, UsageError } from '../../../shell/shell.ts'
import { findThread } from '../../../store-access/find-by-id.ts'
import { withStore } from '../../../store-access/with-store.ts'
import { toPrintable, toPrintableLine } from '../../../terminal/printable.ts'
import { isTerminal } from '../../../terminal/style.ts'
import type { ThreadAction } from './thread-action.ts'
import { parseOneId } from './thread-action.ts'

/** `capstan threads export <id>` */
export const exportThread: ThreadAction = async (words, flags, shell) => {
  const id = parseOneId(words, 'export')
  const format = flags.format ?? (flags.json ? 'jsonl' : 'md')
  if (format !== 'md' && format !== 'jsonl') throw new UsageError(`--format is md or jsonl, not "${format}".`)
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const thread = await findThread(store, id)
    const records = await store.ledger.read(thread.id)
    const text = scrubLongText((format === 'md' ? toMarkdown : toJsonl)(thread, records))
    if (flags.out === undefined) {
      shell.stdout.write(isTerminal(shell.stdout, shell.env) ? toPrintable(text) : text)
      return EXIT.done
    }
    await writeOut(flags.out, text)
    shell.stderr.write(`Written to ${toPrintableLine(flags.out)}.\n`)
    return EXIT.done
  })
}

async function writeOut(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new CommandError(`"${file}" could not be written (${code}).`)
  }
}
