import type { ConnectionRow, SyncEstimate, SyncView } from '@capstan/protocol'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Spinner } from '../../ui/feedback/spinner.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'
import { Disclosure } from '../../ui/surfaces/disclosure.tsx'
import { useAccountName } from '../account-row.tsx'
import { AskDialog } from '../ask-dialog.tsx'
import type { LimitsDraft } from './limits-draft.ts'
import { countDays, readLimits, toDraft } from './limits-draft.ts'
import { LimitsFields } from './limits-fields.tsx'

/** Shows what a first sync needs, before it is switched on. */
export function SwitchOnDialog({
  account,
  sync,
  onDone,
  onClose,
}: {
  readonly account: ConnectionRow
  readonly sync: SyncView
  readonly onDone: (sync: SyncView) => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const name = useAccountName()(account)
  const [draft, setDraft] = useState(() => toDraft(sync.settings))
  const asked = useLoaded(`estimate ${account.id}`, (signal) => api.estimateSync(account.id, { signal }))
  const limits = readLimits(draft)
  // An app that did not say how much it holds can be synced all the same: the limits hold.
  const isAnswered = asked.data !== undefined || asked.error?.code === 'unavailable'

  async function switchOn(): Promise<void> {
    if (!limits) return
    const expected = asked.data && !asked.data.isAtLeast ? { expected: asked.data.items } : {}
    onDone(await api.switchSyncOn(account.id, { ...limits, ...expected }))
    toast({ text: t('sync.askOn.done', { account: name }) })
  }

  return (
    <AskDialog
      title={t('sync.askOn.title', { account: name })}
      more={
        <div className="sync-ask">
          <EstimatePart asked={asked} draft={draft} />
          <Disclosure summary={t('sync.limits.title')}>
            <LimitsFields draft={draft} onChange={setDraft} />
          </Disclosure>
        </div>
      }
      confirm={t('sync.askOn.confirm')}
      variant="strong"
      isDisabled={!limits || !isAnswered}
      onConfirm={switchOn}
      onClose={onClose}
    >
      {t('sync.askOn.text')}
    </AskDialog>
  )
}

function EstimatePart({
  asked: { data, error, isLoading, reload },
  draft,
}: {
  readonly asked: ReturnType<typeof useLoaded<SyncEstimate>>
  readonly draft: LimitsDraft
}): ReactElement {
  const t = useT()
  const toReason = useReason()
  if (data) return <EstimateList estimate={data} draft={draft} />
  if (!error || isLoading)
    return (
      <p className="connections-soft sync-line" role="status">
        <Spinner /> {t('sync.askOn.asking')}
      </p>
    )
  return (
    <div className="connections-warning" role="alert">
      <p>{error.code === 'unavailable' ? t('sync.askOn.unknown') : toReason(error)}</p>
      <Button size="sm" onClick={reload}>
        {t('ui.retry')}
      </Button>
    </div>
  )
}

function EstimateList({
  estimate,
  draft,
}: {
  readonly estimate: SyncEstimate
  readonly draft: LimitsDraft
}): ReactElement {
  const t = useT()
  const format = useFormatters()
  const limits = readLimits(draft)
  const amount = (value: number): string => {
    const number = format.number(value)
    return estimate.isAtLeast ? t('sync.askOn.atLeast', { amount: number }) : number
  }
  const rows = [
    [t('sync.askOn.items'), amount(estimate.items)],
    [t('sync.askOn.requests'), amount(estimate.requests)],
    [t('sync.askOn.tokens'), amount(estimate.tokens)],
    [t('sync.askOn.days'), limits ? amount(countDays(estimate, limits)) : '…'],
  ] as const
  return (
    <>
      <dl className="sync-estimate" aria-label={t('sync.askOn.estimate')}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="ui-figures">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="connections-soft">
        {estimate.embedder === undefined
          ? t('sync.askOn.free')
          : t('sync.askOn.embedded', { model: estimate.embedder })}
      </p>
    </>
  )
}
