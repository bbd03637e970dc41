import type { TriggerDetail } from '@capstan/protocol'
import type { Finding } from '../counts.ts'
import type { Begun } from './judge-unattended.ts'
import { readMark } from './mark.ts'
import type { Occurrence } from './send-hook.ts'

/** Each accepted occurrence is one trigger, is decided as it is labelled or waits for a model, and starts at most one turn. */
export function* judgeTriggers(
  triggers: readonly TriggerDetail[],
  accepted: ReadonlyMap<number, Occurrence>,
  begun: readonly Begun[],
): Generator<Finding> {
  const byNumber = new Map<number, TriggerDetail[]>()
  for (const trigger of triggers) {
    const n = readMark(trigger.payload)?.n ?? 0
    byNumber.set(n, [...(byNumber.get(n) ?? []), trigger])
  }
  const turns = new Map<string, number>()
  for (const { messageId } of begun) turns.set(messageId, (turns.get(messageId) ?? 0) + 1)
  for (const [n, occurrence] of accepted) {
    const found = byNumber.get(n) ?? []
    if (found.length === 0) yield lost(`hook ${n} was accepted and is nowhere`)
    if (found.length > 1) yield doubled(`hook ${n} became ${found.length} triggers`)
    for (const trigger of found) yield* judgeTrigger(trigger, occurrence, turns.get(trigger.id) ?? 0)
  }
  for (const [n, found] of byNumber)
    if (!accepted.has(n)) yield doubled(`${found[0]!.id} is stored, and nobody has sent it`)
  const known = new Set(triggers.map(({ id }) => id))
  for (const [messageId, count] of turns)
    if (messageId.startsWith('trigger_') && !known.has(messageId))
      yield doubled(`${count} turns began for ${messageId}, which is no trigger`)
}

const lost = (text: string): Finding => ({ count: 'triggersLost', text })
const doubled = (text: string): Finding => ({ count: 'triggersDoubled', text })

function* judgeTrigger(
  { id, status, decision, waitsFor, outcome }: TriggerDetail,
  { n, label, trouble }: Occurrence,
  turns: number,
): Generator<Finding> {
  const name = `hook ${n} (${label}, ${trouble}, ${id})`
  if (turns > 1) yield doubled(`${name} began ${turns} turns`)
  if (trouble === 'dead') {
    if (status !== 'waiting' || waitsFor !== 'model') yield lost(`${name} is ${status}, and no model answers`)
    if (turns > 0) yield doubled(`${name} began a turn without a decision`)
    return
  }
  const starts = label === 'react' || label === 'escalate'
  if (status !== 'done' || decision?.action !== label)
    yield lost(`${name} is ${status}, decided as ${decision?.action}, waits for ${waitsFor}`)
  else if (starts && turns === 0) yield lost(`${name} began no turn`)
  else if (starts && (outcome === undefined || outcome.type === 'running' || outcome.type === 'gone'))
    yield lost(`${name} is told as ${outcome?.type}`)
  if (!starts && turns > 0) yield doubled(`${name} began a turn`)
}
