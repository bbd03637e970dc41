import type { SyncEntry, SyncExpectation, SyncSource } from '@capstan/harness/memory'
import type { SyncEstimate, SyncSettings } from '@capstan/protocol'

/** Texts that are read to guess the length of the others. */
const SAMPLE = 5
const CHARS_PER_TOKEN = 4

/** Asks an app what a first sync needs. Stores nothing. A few requests; rejects when the app does not answer. */
export async function estimateSync(
  source: SyncSource,
  settings: SyncSettings,
  signal: AbortSignal,
): Promise<SyncEstimate> {
  const expected = toSane(await source.expect?.(signal))
  const page = await source.page(undefined, signal)
  const listed = page.entries.length
  const items = expected?.items ?? listed
  const requests = expected?.requests ?? 1 + (source.read ? listed : 0)
  const average = await averageTokens(source, page.entries, signal)
  const tokens = Math.min(Number.MAX_SAFE_INTEGER, Math.ceil(items * average))
  return {
    items,
    requests,
    tokens,
    days: Math.max(
      1,
      Math.ceil(Math.max(requests / settings.requestsPerDay, tokens / settings.tokensPerDay)),
    ),
    isAtLeast: expected === undefined && page.next !== undefined,
  }
}

/** What the app says of itself, unless it is no count. */
const toSane = (expected: SyncExpectation | undefined): SyncExpectation | undefined =>
  expected && [expected.items, expected.requests].every((one) => Number.isSafeInteger(one) && one >= 0)
    ? expected
    : undefined

async function averageTokens(
  source: SyncSource,
  entries: readonly SyncEntry[],
  signal: AbortSignal,
): Promise<number> {
  const sample = entries.slice(0, SAMPLE)
  const whole = await Promise.all(
    sample.map(async (entry) =>
      entry.text === undefined && source.read ? source.read(entry, signal) : entry,
    ),
  )
  const chars = whole.reduce((sum, entry) => sum + (entry?.text?.length ?? 0), 0)
  return sample.length === 0 ? 0 : chars / sample.length / CHARS_PER_TOKEN
}
