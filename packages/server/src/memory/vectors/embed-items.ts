import type { Embedder } from '@capstan/harness/models'
import { ModelError } from '@capstan/harness'
import { scrubLongText } from '@capstan/harness/stages'
import { toPassages, toUnit } from '@capstan/harness/stores'
import type { ItemVectors, MemoryItem } from '@capstan/harness/stores'
import { NO_USAGE, sumUsage } from '@capstan/protocol'
import type { Usage } from '@capstan/protocol'

const TIMEOUT_MS = 60_000
/** What a provider answers when it does not like a text. */
const REFUSALS = [400, 413, 422]

/** Vectors of items, and what they cost. */
export interface EmbeddedItems {
  readonly embedded: readonly ItemVectors[]
  readonly usage: Usage
}

/**
 * Embeds items. One that the model refuses gets no vectors, so that it stops no other. Rejects when the model cannot be
 * reached, or fails otherwise.
 */
export async function embedItems(
  embedder: Embedder,
  items: readonly MemoryItem[],
  signal: AbortSignal,
): Promise<EmbeddedItems> {
  try {
    return await embedTogether(embedder, items, signal)
  } catch (error) {
    if (!isRefusal(error)) throw error
    if (items.length === 1) return { embedded: items.map((item) => ({ item, vectors: [] })), usage: NO_USAGE }
  }
  let usage = NO_USAGE
  const embedded: ItemVectors[] = []
  for (const item of items) {
    const one = await embedItems(embedder, [item], signal)
    embedded.push(...one.embedded)
    usage = sumUsage(usage, one.usage)
  }
  // A model that refuses everything is set up wrongly.
  if (embedded.every(({ vectors }) => vectors.length === 0)) await embedTogether(embedder, items, signal)
  return { embedded, usage }
}

async function embedTogether(
  embedder: Embedder,
  items: readonly MemoryItem[],
  signal: AbortSignal,
): Promise<EmbeddedItems> {
  const passages = items.map((item) => toPassages(item).map((passage) => scrubLongText(passage)))
  const texts = passages.flat()
  const most = await embedder.maxTexts()
  const vectors: (Float32Array | undefined)[] = []
  let usage = NO_USAGE
  for (let from = 0; from < texts.length; from += most) {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
    const answer = await embedder.embed(texts.slice(from, from + most), limited)
    vectors.push(...answer.vectors.map(toUnit))
    usage = sumUsage(usage, answer.usage)
  }
  let at = 0
  const embedded = items.map((item, index) => {
    const from = at
    at += passages[index]?.length ?? 0
    return { item, vectors: vectors.slice(from, at).filter((vector) => vector !== undefined) }
  })
  return { embedded, usage }
}

const isRefusal = (error: unknown): boolean =>
  error instanceof ModelError && REFUSALS.includes(error.facts.httpStatus ?? 0)
