import './state.css'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'

/** A placeholder for text. Announces "Loading" once to a screen reader. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }): ReactElement {
  const t = useT()
  return (
    <div className="ui-skeleton" role="status">
      <span className="ui-visually-hidden">{t('ui.loading')}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="ui-skeleton-line" aria-hidden="true" />
      ))}
    </div>
  )
}
