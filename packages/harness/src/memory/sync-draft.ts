import type { SyncSource } from '../ports/sync-source.ts'
import { toErrorText } from '../turn/error-message.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import { scrubSecrets } from '../tool-path/scrub/scrub-secrets.ts'
import type { SyncCounts, SyncPass, SyncState } from './sync-state.ts'
import { NO_COUNTS } from './sync-state.ts'

const PROBLEM_CHARS = 300
const ITEM_CHARS = 100
const CLEANED_CHARS = 2_000
const MOST_PROBLEMS = 20
const WHOLE_EVERY_MS = 24 * 60 * 60_000

/** A state that a run works on. Only this run changes it. */
export type SyncDraft = { -readonly [Field in keyof SyncState]: SyncState[Field] } & { pass: SyncPass }

/** Goes on with the sync that is under way, or begins one. */
export function toDraft(state: SyncState, source: SyncSource, now: number): SyncDraft {
  const { end: _, ...kept } = state
  if (kept.pass) return { ...kept, pass: kept.pass }
  const { lastWholeAt } = kept
  const isQuick =
    source.isNewestFirst === true && lastWholeAt !== undefined && now - lastWholeAt < WHOLE_EVERY_MS
  return {
    ...kept,
    pass: { startedAt: now, isQuick, seen: '' },
    counts: NO_COUNTS,
    problems: [],
  }
}

/** Adds to one of the counts. */
export function count(draft: SyncDraft, what: keyof SyncCounts, by = 1): void {
  draft.counts = { ...draft.counts, [what]: draft.counts[what] + by }
}

/** Keeps what went wrong, in one line and without secrets. */
export function noteProblem(draft: SyncDraft, error: unknown, at: number, item?: string): void {
  // Cleaned first: a hidden character could split a secret. Cut last: a part of a secret is not recognised.
  const toLine = (text: string, most: number): string =>
    sanitizeLine(scrubSecrets(sanitizeLine(text, CLEANED_CHARS)), most)
  const message = toLine(toErrorText(error), PROBLEM_CHARS)
  const problem = { at, ...(item !== undefined && { item: toLine(item, ITEM_CHARS) }), message }
  draft.problems = [problem, ...draft.problems].slice(0, MOST_PROBLEMS)
}
