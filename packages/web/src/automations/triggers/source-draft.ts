import type { ThreadId, TriggerSource, TriggerSourceFields, TriggerSourceKind } from '@capstan/protocol'

/** What is typed in the form of a source. */
export interface SourceDraft {
  readonly kind: TriggerSourceKind
  readonly name: string
  readonly rule: string
  readonly secret: string
  readonly connectionId: string
  /** Empty: a thread of its own each time. */
  readonly threadId: string
  readonly usd: string
  readonly runs: string
  readonly isQuiet: boolean
  readonly from: string
  readonly to: string
  readonly timeZone: string
}

/** A source that is bound to an account, and has no address. */
export const isOfApp = (kind: TriggerSourceKind): kind is 'sync' | 'resource' =>
  kind === 'sync' || kind === 'resource'

export const emptyDraft = (): SourceDraft => ({
  kind: 'github',
  name: '',
  rule: '',
  secret: '',
  connectionId: '',
  threadId: '',
  usd: '2',
  runs: '20',
  isQuiet: false,
  from: '22:00',
  to: '07:00',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
})

export function toDraft(source: TriggerSource): SourceDraft {
  const { kind, name, rule, threadId, budget, quietHours, connectionId } = source
  const empty = emptyDraft()
  return {
    ...empty,
    ...(quietHours ?? undefined),
    kind,
    name,
    rule,
    threadId: threadId ?? '',
    connectionId: connectionId ?? '',
    usd: String(budget.usd),
    runs: String(budget.runs),
    isQuiet: quietHours !== null,
  }
}

/** The fields as the server takes them. */
export function toFields(draft: SourceDraft): Omit<TriggerSourceFields, 'isOff'> {
  const { name, rule, threadId, usd, runs, isQuiet, from, to, timeZone } = draft
  return {
    name: name.trim(),
    rule: rule.trim(),
    threadId: threadId === '' ? null : (threadId as ThreadId),
    budget: { usd: Number(usd), runs: Number(runs) },
    quietHours: isQuiet ? { from, to, timeZone: timeZone.trim() } : null,
  }
}
