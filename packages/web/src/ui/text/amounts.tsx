import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'

/** A short count ("12K") with the exact count as a title. */
export function Tokens({ count }: { readonly count: number }): ReactElement {
  const t = useT()
  return (
    <span className="ui-figures" title={t('ui.tokens', { count })}>
      {useFormatters().compact(count)}
    </span>
  )
}

export function Duration({ ms }: { readonly ms: number }): ReactElement {
  return <span className="ui-figures">{useFormatters().duration(ms)}</span>
}
