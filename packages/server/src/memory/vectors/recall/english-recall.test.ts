import { fromAiSdkEmbedding } from '@capstan/harness/models'
import { afterAll, expect, it } from 'vitest'
import { startEnglishEmbedder } from './english-embedder.fixture.ts'
import {
  measureRecall,
  readRecallItems,
  readRecallQueries,
  recallOf,
  wronglySure,
} from './measure-recall.fixture.ts'
import type { Measured } from './measure-recall.fixture.ts'

const OWN = new URL('.', import.meta.url)
const HARNESS = new URL('../../../../../harness/src/ports/item-search/recall/', import.meta.url)
const PLAIN = ['exact', 'inflected', 'id', 'person', 'date']

const english = startEnglishEmbedder()
const embedder = fromAiSdkEmbedding(english.model)
afterAll(() => english.stop())

const isEnglish = ({ lang }: { readonly lang: string }): boolean => lang === 'en'

/** The English items and queries of the folders, together. */
const measured: readonly Measured[] = await measureRecall(
  [OWN, HARNESS].flatMap((folder) => readRecallItems(new URL('items.jsonl', folder)).filter(isEnglish)),
  [OWN, HARNESS].flatMap((folder) => readRecallQueries(new URL('queries.jsonl', folder)).filter(isEnglish)),
  embedder,
)
const ofKinds = (kinds: readonly string[]) => measured.filter(({ query }) => kinds.includes(query.kind))

it('with an embedder, at least a tenth more of the English paraphrases is found', () => {
  const paraphrases = ofKinds(['paraphrase'])
  expect(paraphrases.length).toBeGreaterThan(30)
  const gain = recallOf(paraphrases, 'withVectors') - recallOf(paraphrases, 'byWords')
  expect(gain).toBeGreaterThanOrEqual(0.1)
})

it('with an embedder, words, their forms, references, people and dates are found as before', () => {
  for (const kind of PLAIN) {
    const group = ofKinds([kind])
    expect(recallOf(group, 'withVectors'), kind).toBeGreaterThanOrEqual(recallOf(group, 'byWords'))
  }
})

it('with an embedder, a query that nothing answers gets no confident hit', () => {
  expect(wronglySure(measured, 'withVectors')).toBe(0)
  // Nor does a hit that is there by its meaning alone.
  for (const { byWords, withVectors } of ofKinds(['paraphrase']))
    expect(withVectors[0]?.score ?? 0).toBeLessThanOrEqual(Math.max(0.499, byWords[0]?.score ?? 0))
})
