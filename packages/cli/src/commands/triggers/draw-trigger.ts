import type { TriggerDetail, TriggerRow, TriggerSource } from '@capstan/protocol'
import type { Column } from '../../render/draw-table.ts'
import { toFullTime, toWhen } from '../../render/when.ts'

const DECISIONS = {
  drop: 'dropped',
  acknowledge: 'noted',
  react: 'worked on',
  escalate: 'asks you',
} as const
const WAITS = {
  'quiet-hours': 'it is quiet now',
  budget: 'the budget of the day is used up',
  model: 'no model answered',
  busy: 'the conversation is busy',
  held: 'it is stopped',
} as const

/** What was decided, in words. */
function toDecision({ decision, waitsFor, status }: TriggerRow): string {
  if (status === 'failed' || status === 'cancelled' || status === 'paused') return status
  if (waitsFor !== undefined) return 'waits'
  return decision ? DECISIONS[decision.action] : 'being judged'
}

function toReason({ decision, waitsFor }: TriggerRow): string {
  if (waitsFor !== undefined) return WAITS[waitsFor]
  if (decision?.by === 'switch') return 'it was switched off'
  if (decision?.by === 'removed') return 'its source was removed'
  return decision?.reason ?? ''
}

export const toTriggerColumns = (now: number): readonly Column<TriggerRow>[] => [
  { title: 'TRIGGER', cell: ({ id }) => id, paint: () => 'cyan' },
  { title: 'CAME', cell: ({ receivedAt }) => toWhen(receivedAt, now) },
  { title: 'DECISION', cell: toDecision },
  { title: 'OUTCOME', cell: ({ outcome }) => outcome?.type ?? '' },
  { title: 'SOURCE', cell: ({ sourceName }) => sourceName },
  { title: 'WHAT', cell: ({ label }) => label, fills: true },
]

/** One trigger, as lines. What came in was written by others. */
export function drawTrigger(row: TriggerDetail): readonly string[] {
  const { decision, outcome, feedback, failure, costUsd, threadId, nextAt } = row
  const reason = toReason(row)
  return [
    row.label,
    `${row.id} from ${row.sourceName} at ${toFullTime(row.receivedAt)}`,
    `Decision: ${toDecision(row)}${reason === '' ? '' : `: ${reason}`}`,
    ...(row.waitsFor !== undefined && nextAt !== undefined ? [`Next try: ${toFullTime(nextAt)}`] : []),
    ...(decision?.model === undefined ? [] : [`Judged by ${decision.model}`]),
    ...(outcome ? [`Outcome: ${outcome.type}${outcome.text ? `: ${outcome.text}` : ''}`] : []),
    ...(threadId === undefined ? [] : [`Conversation: ${threadId}`]),
    ...(costUsd > 0 ? [`Cost: $${costUsd.toFixed(4)}`] : []),
    ...(feedback ? [`You said: ${feedback.right}${feedback.note ? `: ${feedback.note}` : ''}`] : []),
    ...(failure ? [`${failure.cause} ${failure.next}`] : []),
    'What came in, written by others:',
    ...row.payload.split('\n').map((line) => `  ${line}`),
  ]
}

export const SOURCE_COLUMNS: readonly Column<TriggerSource>[] = [
  { title: 'SOURCE', cell: ({ id }) => id, paint: () => 'cyan' },
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'STATE', cell: ({ isOff }) => (isOff ? 'off' : 'on') },
  { title: 'TODAY', cell: ({ used, budget }) => `$${used.usd.toFixed(2)} of $${budget.usd}` },
  { title: 'RUNS', cell: ({ used, budget }) => `${used.runs} of ${budget.runs}`, align: 'right' },
  { title: 'NAME', cell: ({ name }) => name, fills: true },
]

/** One source, as lines. */
export function drawSource(source: TriggerSource): readonly string[] {
  const { id, name, kind, isOff, rule, quietHours, budget, used, threadId, path, examples } = source
  return [
    `${name} (${id})`,
    `${kind}, ${isOff ? 'off' : 'on'}`,
    `Rule: ${rule === '' ? 'none; the model decides by itself' : rule.replaceAll('\n', ' ')}`,
    `Today: $${used.usd.toFixed(2)} of $${budget.usd}, ${used.runs} of ${budget.runs} runs`,
    ...(quietHours ? [`Quiet from ${quietHours.from} to ${quietHours.to} in ${quietHours.timeZone}`] : []),
    ...(threadId === null ? [] : [`All runs in ${threadId}`]),
    ...(examples === 0 ? [] : [`Examples of what was wrong: ${examples}`]),
    ...(path === undefined ? [] : [`Address: ${path} of the server`]),
  ]
}
