import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'

/** The arguments of a call, unchanged. */
export function ArgumentsView({ value }: { readonly value: unknown }): ReactElement {
  const t = useT()
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  const isEmpty = value === undefined || text === '{}' || text === ''
  return (
    <section className="timeline-part">
      <header>
        <p>{t('timeline.arguments')}</p>
      </header>
      {isEmpty ? (
        <p>{t('timeline.no-arguments')}</p>
      ) : (
        <pre className="timeline-code" tabIndex={0}>
          {text}
        </pre>
      )}
    </section>
  )
}
