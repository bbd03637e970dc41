import type { AmountSpent } from '@capstan/protocol'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { readSpending, SpendingFields } from './spending-fields.tsx'

/** What this user has spent and may spend. The owner sets it; a member sees it. */
export function SpendingSection(): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const reason = useReason()
  const format = useFormatters()
  const [isBusy, setBusy] = useState(false)
  const { data, error, reload } = useLoaded('spending', (signal) => api.spending({ signal }))
  const show = ({ usd, tokens }: AmountSpent): string =>
    format.list([format.currency(usd), t('ui.tokens', { count: tokens })])

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const limits = readSpending(new FormData(event.currentTarget))
    setBusy(true)
    try {
      await api.changeSpending(limits)
      toast({ text: t('people.spending.saved') })
      reload()
    } catch (refusal) {
      toast({ text: reason(refusal), tone: 'fail' })
    }
    setBusy(false)
  }

  return (
    <Card title={t('people.spending.title')} description={t('people.spending.description')}>
      {!data && !error && <Skeleton lines={2} />}
      {error && (
        <div className="settings-failed" role="alert">
          <p>{reason(error)}</p>
          <Button size="sm" onClick={reload}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
      {data && (
        <form className="settings-line" onSubmit={(event) => void save(event)}>
          <p>{t('people.spending.used', { day: show(data.used.day), month: show(data.used.month) })}</p>
          <fieldset className="settings-columns" disabled={!data.mayChange}>
            <SpendingFields limits={data.limits} />
          </fieldset>
          {data.mayChange ? (
            <div className="settings-actions">
              <Button type="submit" busy={isBusy}>
                {t('people.spending.save')}
              </Button>
            </div>
          ) : (
            <p className="settings-small">{t('people.spending.byOwner')}</p>
          )}
        </form>
      )}
    </Card>
  )
}
