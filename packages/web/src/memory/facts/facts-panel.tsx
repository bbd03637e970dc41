import type { MemoryFact } from '@capstan/protocol'
import { MAX_FACTS } from '@capstan/protocol'
import { useId, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'
import { Disclosure } from '../../ui/surfaces/disclosure.tsx'
import { ForgetDialog } from '../forget-dialog.tsx'
import { useRefocus } from '../use-refocus.ts'
import { AddFact } from './add-fact.tsx'
import { FactRow } from './fact-row.tsx'
import type { Facts } from './use-facts.ts'

/** What the assistant knows about the person: adding, editing and forgetting it. */
export function FactsPanel({ facts }: { readonly facts: Facts }): ReactElement {
  const t = useT()
  const toReason = useReason()
  const format = useFormatters()
  const id = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const refocus = useRefocus(title)
  const [forgetting, setForgetting] = useState<MemoryFact>()
  const { data, error, reload } = facts
  if (!data)
    return error ? (
      <ErrorState title={t('memory.facts.loadFailed')} onRetry={reload}>
        {toReason(error)}
      </ErrorState>
    ) : (
      <Skeleton lines={6} />
    )
  const accepted = data.facts.filter(({ status }) => status === 'accepted')
  const rejected = data.facts.filter(({ status }) => status === 'rejected')
  const rows = (some: readonly MemoryFact[]): ReactElement => (
    <ul role="list" className="memory-fact-rows">
      {some.map((fact) => (
        <FactRow key={fact.id} fact={fact} facts={facts} onForget={() => setForgetting(fact)} />
      ))}
    </ul>
  )

  return (
    <div className="memory-panel">
      <p className="memory-soft">{t('memory.facts.intro')}</p>
      <AddFact isFull={data.facts.length >= MAX_FACTS} onAdded={reload} />
      {data.leftOut > 0 && (
        <p className="memory-note">{t('memory.facts.leftOut', { number: data.leftOut })}</p>
      )}
      <section className="memory-section" aria-labelledby={id}>
        <header className="memory-list-head">
          <h2 id={id} ref={title} tabIndex={-1}>
            {t('memory.facts.accepted')}
          </h2>
          <p className="memory-soft">
            {t('memory.facts.used', { used: data.facts.length, most: MAX_FACTS })}
          </p>
        </header>
        {data.facts.length > accepted.length && <p className="memory-soft">{t('memory.facts.usedHint')}</p>}
        {accepted.length === 0 ? <p className="memory-none">{t('memory.facts.none')}</p> : rows(accepted)}
      </section>
      {rejected.length > 0 && (
        <Disclosure summary={`${t('memory.facts.rejected')} (${format.number(rejected.length)})`}>
          <p className="memory-soft">{t('memory.facts.rejectedHint')}</p>
          {rows(rejected)}
        </Disclosure>
      )}
      {forgetting && (
        <ForgetFact
          fact={forgetting}
          onForgotten={() => {
            refocus()
            reload()
          }}
          onClose={() => setForgetting(undefined)}
        />
      )}
    </div>
  )
}

function ForgetFact({
  fact,
  onForgotten,
  onClose,
}: {
  readonly fact: MemoryFact
  readonly onForgotten: () => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  return (
    <ForgetDialog
      title={t('memory.facts.forgetTitle')}
      onForget={async () => {
        await api.forgetFact(fact.id)
        toast({ text: t('memory.facts.isForgotten') })
        onForgotten()
      }}
      onClose={onClose}
    >
      <blockquote className="memory-quote" dir="auto">
        {fact.text}
      </blockquote>
      <p>{t('memory.facts.forgetKept')}</p>
    </ForgetDialog>
  )
}
