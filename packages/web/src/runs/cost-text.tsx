import type { Usage } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { Tokens } from '../ui/text/amounts.tsx'
import { toRunCost } from './run-cost.ts'

/** A cost, marked as an estimate where it is one. Nothing charged and nothing estimated is no price of zero. */
export function CostText({ usage }: { readonly usage: Usage }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const { usd, isEstimated } = toRunCost(usage)
  if (usd === 0) return <span>{t('runs.costUnknown')}</span>
  const amount = format.currency(usd)
  if (!isEstimated) return <span className="ui-figures">{amount}</span>
  return (
    <span className="ui-figures" title={t('runs.costHint')}>
      {t('runs.aboutCost', { amount })}
    </span>
  )
}

/** Input and output tokens together, with the exact count as a title. */
export function TokensText({ usage }: { readonly usage: Usage }): ReactElement {
  return <Tokens count={usage.inputTokens + usage.outputTokens} />
}
