import { fromAiSdkEmbedding } from '@capstan/harness/models'
import { startEnglishEmbedder } from '../../packages/server/src/memory/vectors/recall/english-embedder.fixture.ts'
import {
  measureRecall,
  readRecallItems,
  readRecallQueries,
  recallOf,
  wronglySure,
} from '../../packages/server/src/memory/vectors/recall/measure-recall.fixture.ts'

// Prints the recall at 5 of memory searches, by words and with the English embedder of the tests.
// node tools/measure-memory/recall.ts <items.jsonl> <queries.jsonl>

const [items = '', queries = ''] = process.argv.slice(2)
const english = startEnglishEmbedder()
const measured = await measureRecall(
  readRecallItems(items),
  readRecallQueries(queries),
  fromAiSdkEmbedding(english.model),
)
await english.stop()

const groups = Map.groupBy(
  measured,
  ({ query: { kind, lang } }) => `${kind}, ${lang === 'en' ? 'en' : 'other'}`,
)
for (const [name, group] of [
  ['all', measured] as const,
  ...[...groups].toSorted(([a], [b]) => a.localeCompare(b)),
]) {
  const count = group.filter(({ query }) => query.want.length > 0).length
  if (count > 0)
    console.log(
      `${name}: ${count} queries, by words ${recallOf(group, 'byWords').toFixed(3)}, with vectors ${recallOf(group, 'withVectors').toFixed(3)}`,
    )
}
const none = measured.filter(({ query }) => query.want.length === 0).length
console.log(
  `confident without an answer: by words ${wronglySure(measured, 'byWords')} of ${none}, with vectors ${wronglySure(measured, 'withVectors')} of ${none}`,
)
