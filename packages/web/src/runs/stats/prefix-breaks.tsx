import type { RunDetail } from '@capstan/protocol'
import { CircleCheck, Scissors } from 'lucide-react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { toRetention } from './day-bars.ts'
import { modelCallsOf } from '../run-cost.ts'

const FIELDS = ['tools', 'system', 'history'] as const

/** Whether every prompt of the run extended the one before, and what broke it. */
export function PrefixBreaks({ detail }: { readonly detail: RunDetail }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { prefixBreaks, tree } = detail
  const retention = toRetention({ calls: modelCallsOf(tree), breaks: prefixBreaks.length })
  if (prefixBreaks.length === 0) {
    return (
      <p className="runs-with-icon">
        <CircleCheck className="runs-tone-icon" data-tone="ok" size={16} aria-hidden="true" />
        {t('runs.prefix.keptAll')}
      </p>
    )
  }
  return (
    <>
      {retention !== undefined && <p>{t('runs.prefix.retention', { percent: format.percent(retention) })}</p>}
      <p>{t('runs.prefix.broken', { count: prefixBreaks.length })}</p>
      <ul role="list" className="runs-breaks">
        {prefixBreaks.map(({ field }, at) => {
          const known = FIELDS.find((name) => name === field) ?? 'other'
          return (
            <li key={at} className="runs-with-icon">
              <Scissors className="runs-tone-icon" data-tone="held" size={16} aria-hidden="true" />
              <span>{t(`runs.prefix.fields.${known}`)}</span>
            </li>
          )
        })}
      </ul>
    </>
  )
}
