import type { Usage } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { costOf } from '@capstan/client'

/** A cost; draws nothing for zero. "about" when a part of it is estimated. */
export function Cost({ usage }: { readonly usage: Usage | undefined }): ReactElement | null {
  const t = useT()
  const format = useFormatters()
  const { usd, isEstimate } = costOf(usage)
  if (usd === 0) return null
  const cost = format.currency(usd)
  return (
    <span className="ui-figures timeline-cost">{isEstimate ? t('timeline.about-cost', { cost }) : cost}</span>
  )
}
