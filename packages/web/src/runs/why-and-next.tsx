import type { Failure } from '@capstan/protocol'
import type { ReactElement } from 'react'
import type { FailureStage } from '../i18n/use-failure-words.ts'
import { useFailureWords } from '../i18n/use-failure-words.ts'
import { useT } from '../i18n/use-t.ts'

/** Why something failed, and what can be done. */
export function WhyAndNext({
  failure,
  of,
  stage,
}: {
  readonly failure: Failure
  readonly of: 'call' | 'model'
  readonly stage: FailureStage
}): ReactElement {
  const t = useT()
  const { why, next } = useFailureWords()(failure, of, stage)
  return (
    <dl className="runs-failure">
      <dt>{t('failures.why')}</dt>
      <dd>{why}</dd>
      <dt>{t('failures.next')}</dt>
      <dd>{next}</dd>
    </dl>
  )
}
