import type { SyncEstimate, SyncProgress, SyncView } from '@capstan/protocol'
import type { Column } from '../../render/draw-table.ts'
import { toFullTime, toWhen } from '../../render/when.ts'

/** The accounts that can be synced, as a table. */
export const toColumns = (now: number): readonly Column<SyncView>[] => [
  { title: 'CONNECTION', cell: ({ connectionId }) => connectionId, paint: () => 'cyan' },
  { title: 'APP', cell: ({ toolkit }) => toolkit },
  { title: 'STATE', cell: toState },
  { title: 'LAST', cell: ({ lastDoneAt }) => (lastDoneAt === undefined ? '' : toWhen(lastDoneAt, now)) },
  { title: 'NEXT', cell: toNext },
  { title: 'ACCOUNT', cell: ({ label }) => label, fills: true },
]

const toState = ({ isOn, job }: SyncView): string => {
  if (!isOn || !job) return 'off'
  return job.status === 'waiting' && job.lastFailure ? 'waiting (problem)' : job.status
}

const toNext = ({ job }: SyncView): string =>
  job?.status === 'waiting' && job.nextAt !== undefined ? toFullTime(job.nextAt) : ''

/** How a sync stands, as lines. */
export function drawSync(sync: SyncView): readonly string[] {
  const { toolkit, label, job, progress, lastDoneAt, usedUp, settings, problems } = sync
  const next = toNext(sync)
  return [
    `${toolkit}${label === '' ? '' : `, ${label}`}: ${toState(sync)}`,
    ...(progress ? [`Items: ${drawCounts(progress)}`] : []),
    ...(lastDoneAt === undefined ? [] : [`Everything was seen: ${toFullTime(lastDoneAt)}`]),
    ...(next === '' ? [] : [`Next: ${next}`]),
    ...(usedUp ? [`The ${usedUp} of today are used up.`] : []),
    ...(job?.lastFailure ? [`Why: ${job.lastFailure.cause}`, `What to do: ${job.lastFailure.next}`] : []),
    ...problems.map(
      ({ at, item, message }) => `- ${toFullTime(at)}${item === undefined ? '' : ` ${item}`}: ${message}`,
    ),
    `Every ${settings.intervalMinutes} minutes; ${settings.days === 0 ? 'all days' : `${settings.days} days`}, ` +
      `${settings.items} items in one go, ${settings.requestsPerDay} requests and ${settings.tokensPerDay} tokens of text per day`,
  ]
}

const drawCounts = ({ added, changed, unchanged, removed, tooOld, failed }: SyncProgress): string =>
  [
    `${added} added`,
    `${changed} changed`,
    `${unchanged} unchanged`,
    `${removed} removed`,
    ...(tooOld > 0 ? [`${tooOld} too old`] : []),
    ...(failed > 0 ? [`${failed} not read`] : []),
  ].join(', ')

/** One line about a sync that is under way. */
export function drawProgress({ job, progress, lastDoneAt }: SyncView): string {
  if (job?.status !== 'running') return 'Waits for its turn …'
  if (!progress) return 'Syncing …'
  const seen = progress.added + progress.changed + progress.unchanged + progress.tooOld + progress.failed
  const isFirst = lastDoneAt === undefined
  const total = isFirst && progress.expected !== undefined ? ` of ${progress.expected}` : ''
  return `Syncing … ${isFirst ? `${seen}${total} items` : drawCounts(progress)}`
}

/** What a first sync needs, as lines. */
export function drawEstimate(estimate: SyncEstimate): readonly string[] {
  const { items, requests, tokens, days, isAtLeast, embedder } = estimate
  const least = isAtLeast ? 'at least ' : ''
  return [
    `Items:    ${least}${items}`,
    `Requests: ${least}${requests}`,
    `Tokens:   ${least}${tokens}, of text`,
    `Days:     ${least}${days}`,
    embedder === undefined
      ? 'No AI model reads it, so it costs no money.'
      : `${embedder} makes vectors of the text. Its provider may charge for that.`,
  ]
}
