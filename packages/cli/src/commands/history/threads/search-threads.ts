import type { ThreadHit } from '@capstan/harness/stores'
import { EXIT } from '../../../shell/exit-code.ts'
import { parseLimit } from '../../../shell/parse-flags.ts'
import type { Shell } from '../../../shell/shell.ts'
import { UsageError } from '../../../shell/shell.ts'
import { writeJson, writeLines } from '../../../shell/write.ts'
import { toShortIds } from '../../../store-access/find-by-id.ts'
import { USER_ID } from '../../../store-access/open-store.ts'
import { withStore } from '../../../store-access/with-store.ts'
import { wrap } from '../../../terminal/display-width.ts'
import { toPrintableLine } from '../../../terminal/printable.ts'
import { paint, styleOf } from '../../../terminal/style.ts'
import type { ThreadAction } from './thread-action.ts'

/** `capstan threads search <words>` */
export const searchThreads: ThreadAction = async (words, flags, shell) => {
  if (words.join('').trim() === '') throw new UsageError('Give one or more words to search for.')
  const limit = parseLimit(flags.limit, 30)
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const hits = await store.threads.search({ userId: USER_ID, words: words.join(' '), limit })
    if (flags.json) writeJson(shell, ...hits)
    else if (hits.length > 0) writeLines(shell, drawHits(hits, shell))
    else
      writeLines(shell, ['No thread contains all the words. Try fewer words, or only the start of a word.'])
    return EXIT.done
  })
}

function drawHits(hits: readonly ThreadHit[], { stdout, env }: Shell): readonly string[] {
  const style = styleOf(stdout, env)
  const ids = toShortIds(hits.map(({ thread }) => thread.id))
  return hits.flatMap(({ thread, excerpt }) => [
    `${paint(style, 'cyan', ids.get(thread.id) ?? thread.id)}  ${paint(style, 'bold', toPrintableLine(thread.title) || '(untitled)')}`,
    ...wrap(toPrintableLine(excerpt), style.width - 2).map((line) => `  ${paint(style, 'dim', line)}`),
  ])
}
