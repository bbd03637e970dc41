import type { AskedApproval } from '@capstan/client'
import { useId } from 'react'
import type { ReactElement } from 'react'
import type { ApprovalPost, GrantConstraints } from '@capstan/protocol'
import { markInvisible } from '@capstan/client'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/controls/button.tsx'
import { Kbd } from '../ui/keyboard/kbd.tsx'
import { ANSWER_KEYS } from './use-answer-keys.ts'

export type Decision = ApprovalPost['decision']

/** The answers that a call can get. What administers is asked about every time. */
export const answersFor = (effect: AskedApproval['effect']): readonly Decision[] =>
  effect === 'admin'
    ? ['allow-once', 'deny']
    : ['allow-once', 'allow-thread', 'allow-hour', 'allow-always', 'deny']

/** Whether an answer also allows further calls. */
export const isGrant = (decision: Decision): boolean => decision !== 'allow-once' && decision !== 'deny'

const TEXTS = {
  'allow-once': 'approvals.once',
  'allow-thread': 'approvals.thread',
  'allow-hour': 'approvals.hour',
  'allow-always': 'approvals.always',
  deny: 'approvals.deny',
} as const

const VARIANTS = { 'allow-once': 'strong', deny: 'danger' } as const

export function ApprovalButtons({
  effect,
  sending,
  pressed,
  onDecide,
}: {
  readonly effect: AskedApproval['effect']
  /** The answer that is on its way. */
  readonly sending: Decision | undefined
  /** The answer whose key was pressed. */
  readonly pressed: Decision | undefined
  readonly onDecide: (decision: Decision) => void
}): ReactElement {
  const t = useT()
  return (
    <div className="approvals-buttons">
      {answersFor(effect).map((decision) => (
        <Button
          key={decision}
          variant={decision === 'allow-once' || decision === 'deny' ? VARIANTS[decision] : 'plain'}
          title={isGrant(decision) ? t('approvals.always-about') : undefined}
          busy={sending === decision}
          data-pressed={pressed === decision || undefined}
          aria-keyshortcuts={ANSWER_KEYS[decision]}
          onClick={() => onDecide(decision)}
        >
          {t(TEXTS[decision])}
          <span className="approvals-kbd" aria-hidden="true">
            <Kbd keys={ANSWER_KEYS[decision]} />
          </span>
        </Button>
      ))}
      {effect === 'admin' && <span className="approvals-note">{t('approvals.admin-about')}</span>}
    </div>
  )
}

/** The destinations of constraints on one line. Each keeps its own reading direction, and hides no character. */
export const destinationsIn = (constraints: GrantConstraints): string =>
  Object.values(constraints).flat().map(isolate).join(', ')

/** A text of somebody else inside a sentence: it cannot change the order of the words around it. */
export const isolate = (text: string): string =>
  `\u2068${markInvisible(text)
    .map((part) => ('text' in part ? part.text : part.code))
    .join('')}\u2069`

/** Where further calls may send something. `undefined`: anywhere. */
export function LimitChoice({
  limits,
  chosen,
  onChoose,
}: {
  readonly limits: readonly GrantConstraints[]
  readonly chosen: GrantConstraints | undefined
  readonly onChoose: (limit: GrantConstraints | undefined) => void
}): ReactElement {
  const t = useT()
  const name = useId()
  return (
    <fieldset className="approvals-limits">
      <legend>{t('approvals.limit.title')}</legend>
      {[...limits, undefined].map((limit, index) => (
        <label key={index}>
          <input type="radio" name={name} checked={limit === chosen} onChange={() => onChoose(limit)} />
          <span dir="auto">
            {limit
              ? t('approvals.limit.only', { destinations: destinationsIn(limit) })
              : t('approvals.limit.any')}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
