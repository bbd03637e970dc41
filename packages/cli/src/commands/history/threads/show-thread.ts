import { explainThread } from '@capstan/harness/ledger'
import { drawThread } from '../../../render/draw-thread.ts'
import { EXIT } from '../../../shell/exit-code.ts'
import { writeJson, writeLines } from '../../../shell/write.ts'
import { findThread } from '../../../store-access/find-by-id.ts'
import { withStore } from '../../../store-access/with-store.ts'
import { toPrintableLine } from '../../../terminal/printable.ts'
import { paint, styleOf } from '../../../terminal/style.ts'
import type { ThreadAction } from './thread-action.ts'
import { parseOneId } from './thread-action.ts'

/** `capstan threads show <id>` */
export const showThread: ThreadAction = async (words, flags, shell) => {
  const id = parseOneId(words, 'show')
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const thread = await findThread(store, id)
    const turns = explainThread(await store.ledger.read(thread.id))
    if (flags.json) {
      writeJson(shell, { thread, turns })
      return EXIT.done
    }
    const style = styleOf(shell.stdout, shell.env)
    writeLines(shell, [
      paint(style, 'bold', toPrintableLine(thread.title) || '(untitled)'),
      paint(style, 'dim', thread.id),
      '',
      ...(turns.length > 0 ? drawThread(turns, style) : ['This thread has no messages yet.']),
    ])
    return EXIT.done
  })
}
