import type { TriggerRow } from '@capstan/protocol'
import { useFailureWords } from '../../i18n/use-failure-words.ts'
import { useT } from '../../i18n/use-t.ts'
import { useSettings } from '../../settings/settings-context.tsx'
import type { Tone } from '../../ui/feedback/badge.tsx'

/** What became of a trigger, in words. */
interface DecisionWords {
  readonly name: string
  readonly tone: Tone
  /** The words of the model are untrusted. */
  readonly reason: string | undefined
}

const TONES = { drop: 'neutral', acknowledge: 'info', react: 'ok', escalate: 'accent' } as const

export function useDecisionWords(): (row: TriggerRow) => DecisionWords {
  const t = useT()
  const toFailureWords = useFailureWords()
  const { settings } = useSettings()

  function toReason({ decision, waitsFor, failure, status }: TriggerRow): string | undefined {
    if (waitsFor === 'model') return toModelReason(failure)
    if (waitsFor) return t(`activity.waits.${waitsFor}`)
    if (status === 'failed' && failure) return toFailureWords(failure, 'model', 'given-up').why
    if (!decision) return undefined
    if (decision.by === 'switch' || decision.by === 'removed') return t(`activity.reasons.${decision.by}`)
    return decision.reason === '' ? t('activity.reasons.none') : decision.reason
  }

  function toModelReason(failure: TriggerRow['failure']): string {
    if (failure && failure.class !== 'unknown') return toFailureWords(failure, 'model').why
    return t(settings?.modelInUse.isDemo ? 'triggers.noModel' : 'activity.waits.model')
  }

  return (row) => {
    const { decision, status, waitsFor } = row
    const reason = toReason(row)
    if (status === 'failed') return { name: t('activity.states.failed'), tone: 'fail', reason }
    if (decision && !waitsFor)
      return { name: t(`activity.decisions.${decision.action}`), tone: TONES[decision.action], reason }
    if (status === 'paused' || status === 'cancelled')
      return { name: t(`activity.states.${status}`), tone: 'neutral', reason }
    if (waitsFor) return { name: t('activity.states.waits'), tone: 'warn', reason }
    return { name: t('activity.states.judging'), tone: 'neutral', reason }
  }
}
