import { useMemo, useState } from 'react'
import type { ReactElement } from 'react'
import { markInvisible } from '@capstan/client'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/controls/button.tsx'

/** Longer texts get a button that shows them in full height. */
const LONG_CHARS = 1_200
const LONG_LINES = 16

/** The arguments of a call, unchanged and complete. Characters that a screen would not show are shown as codes. */
export function ExactArguments({ value }: { readonly value: unknown }): ReactElement {
  const t = useT()
  const format = useFormatters()
  const [isWhole, setIsWhole] = useState(false)
  const text = useMemo(
    () => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')),
    [value],
  )
  const parts = useMemo(() => markInvisible(text), [text])
  const invisible = parts.filter((part) => 'code' in part).length
  const isLong = text.length > LONG_CHARS || text.split('\n', LONG_LINES + 1).length > LONG_LINES
  return (
    <section className="timeline-part">
      <header>
        <p>{t('approvals.exactly')}</p>
      </header>
      {text === '' || text === '{}' ? (
        <p>{t('timeline.no-arguments')}</p>
      ) : (
        <pre className="timeline-code approvals-exact" data-whole={isWhole || undefined} tabIndex={0}>
          {parts.map((part, index) =>
            'text' in part ? (
              part.text
            ) : (
              <mark key={index} className="approvals-invisible">
                {part.code}
              </mark>
            ),
          )}
        </pre>
      )}
      {invisible > 0 && (
        <p className="approvals-warning">{t('approvals.invisible', { number: invisible })}</p>
      )}
      {isLong && (
        <Button size="sm" variant="quiet" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole
            ? t('approvals.show-less')
            : t('approvals.show-all', { chars: format.number(text.length) })}
        </Button>
      )}
    </section>
  )
}
