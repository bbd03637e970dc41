import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONFIDENT_SCORE } from '@capstan/harness/stores'
import type { MemoryHit, Store } from '@capstan/harness/stores'
import { EXIT } from '../../shell/exit-code.ts'
import { parseLimit } from '../../shell/parse-flags.ts'
import type { Shell } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { drawTable } from '../../render/draw-table.ts'
import { toWhen } from '../../render/when.ts'
import { USER_ID, homeOf } from '../../store-access/open-store.ts'
import { withStore } from '../../store-access/with-store.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { answerLines, textField } from '../jsonl/answer-lines.ts'
import type { MemoryAction } from './memory-action.ts'
import { refuseWords } from './memory-action.ts'

/** `capstan memory search <words>`, or queries as JSON lines. */
export const searchItems: MemoryAction = async (words, flags, shell) => {
  const limit = parseLimit(flags.limit, 5)
  if (flags.jsonl) refuseWords(words, 'search --jsonl')
  else if (words.join('').trim() === '') throw new UsageError('Give one or more words to search for.')
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const find = await openSearch(store, flags.home, shell)
    const search = async (query: string) => find(USER_ID, { words: query, limit })
    if (flags.jsonl) {
      return answerLines(shell, async (line) => ({
        id: line['id'] ?? null,
        hits: (await search(textField(line, 'q'))).map(toHit),
      }))
    }
    const hits = await search(words.join(' '))
    if (flags.json)
      writeJson(shell, ...hits.map((hit) => ({ ...toHit(hit), title: hit.item.title, app: hit.item.app })))
    else if (hits.length > 0) writeLines(shell, drawHits(hits, shell))
    else writeLines(shell, ['Nothing was found.'])
    return EXIT.done
  })
}

/** By words; also by meaning, if an embedding model is set. */
async function openSearch(
  store: Store,
  home: string | undefined,
  { env, stderr }: Shell,
): Promise<Store['memory']['search']> {
  if (!mayHaveModel(homeOf(home, env), env)) return (user, query) => store.memory.search(user, query)
  // Loaded only now: it takes longer than a search.
  const { openStoredSearch } = await import('@capstan/server')
  return openStoredSearch({
    store,
    ...(!env['DATABASE_URL'] && { folder: homeOf(home, env) }),
    userId: USER_ID,
    env,
    onProblem: (problem) =>
      void stderr.write(
        `capstan: ${toPrintableLine(problem instanceof Error ? problem.message : String(problem))}\n`,
      ),
  })
}

function mayHaveModel(home: string, env: Shell['env']): boolean {
  if (env['CAPSTAN_EMBEDDING_MODEL']) return true
  const settings = join(home, 'settings.json')
  return existsSync(settings) && /"embeddingModel":\s*"[^"]/.test(readFileSync(settings, 'utf8'))
}

const toHit = ({ item, score }: MemoryHit) => ({ id: item.id, score: Number(score.toFixed(4)) })

function drawHits(hits: readonly MemoryHit[], shell: Shell): readonly string[] {
  const now = Date.now()
  return drawTable(
    hits,
    [
      { title: 'ITEM', cell: ({ item }) => item.id, paint: () => 'cyan' },
      { title: 'SCORE', cell: ({ score }) => score.toFixed(2) + (score < CONFIDENT_SCORE ? ' weak' : '') },
      { title: 'APP', cell: ({ item }) => item.app },
      { title: 'WHEN', cell: ({ item }) => toWhen(item.at, now) },
      { title: 'TITLE', cell: ({ item }) => item.title || '(untitled)', fills: true },
    ],
    shell,
  )
}
