import type { LedgerRecord } from '@capstan/harness/stores'
import type { Finding } from '../counts.ts'
import type { Effect } from '../services.ts'

/** A thread was claimed or released. `pages` is how many it had then. */
export interface Move {
  readonly thread: string
  readonly owner: string | null
  readonly pages: number
  readonly at: number
}

/** One commit: who wrote it, when, and what is in it. */
export interface Page {
  readonly thread: string
  readonly page: number
  readonly node: string
  readonly at: number
  readonly records: readonly LedgerRecord[]
}

/** What the database noted beside the ledger, oldest first. */
export interface MoveLog {
  readonly moves: readonly Move[]
  readonly pages: readonly Page[]
}

/** A request that was sent before a move may arrive so much later. */
const ON_ITS_WAY_MS = 250

/** Nothing is stored, and no call starts, by a node whose thread had moved to another. */
export function* judgeMoves(log: MoveLog, effects: readonly Effect[]): Generator<Finding> {
  for (const { thread, page, node } of log.pages) {
    const owner = log.moves.findLast((move) => move.thread === thread && move.pages < page)?.owner
    if (owner != null && owner !== node)
      yield stale(`${node} stored page ${page} of ${thread}, which had moved to ${owner}`)
  }
  for (const effect of effects) {
    const owner = findOtherOwner(log, effect)
    if (owner !== undefined)
      yield stale(`${effect.node} did ${effect.tool} ${effect.tag} for a thread that had moved to ${owner}`)
  }
}

/**
 * Effects of calls that a node had started before its thread moved, and that happened after. Nobody can take such a call
 * back; the ledger names it as one of which nobody knows.
 */
export const countLateEffects = (log: MoveLog, effects: readonly Effect[]): number =>
  effects.filter((effect) => isLate(log, effect) !== undefined && wasStarted(log, effect)).length

function findOtherOwner(log: MoveLog, effect: Effect): string | undefined {
  const owner = isLate(log, effect)
  return owner === undefined || wasStarted(log, effect) ? undefined : owner
}

/** The node that had the thread when the effect happened, if that was another one. */
function isLate({ moves, pages }: MoveLog, { node, at, key }: Effect): string | undefined {
  if (node === undefined || at === undefined) return undefined
  const runId = key.slice(0, key.indexOf('/'))
  const thread = pages.find(({ records }) =>
    records.some((record) => record.type === 'run-start' && record.run.runId === runId),
  )?.thread
  const owner = moves.findLast((move) => move.thread === thread && move.at < at - ON_ITS_WAY_MS)?.owner
  return owner == null || owner === node ? undefined : owner
}

/** Whether this node has written that the call starts, while the thread was its own. */
const wasStarted = ({ pages }: MoveLog, { node, key }: Effect): boolean =>
  pages.some(
    (page) =>
      page.node === node &&
      page.records.some(
        (record) => record.type === 'call-intent' && `${record.runId}/${record.callId}` === key,
      ),
  )

const stale = (text: string): Finding => ({ count: 'staleWrites', text })
