import './triggers.css'
import type { TriggerSource, TriggerSourceCreated } from '@capstan/protocol'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { useApi } from '../../socket/server-context.tsx'
import { useReason } from '../../socket/use-reason.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { useToast } from '../../ui/overlays/toast.tsx'
import { AllSourcesCard } from './all-sources-card.tsx'
import type { SourceAction } from './source-card.tsx'
import { SourceCard } from './source-card.tsx'
import type { OpenDialog } from './source-dialogs.tsx'
import { SourceDialogs } from './source-dialogs.tsx'
import { useSources } from './use-sources.ts'

/** Where triggers come from, and what holds for all of them. */
export function TriggersPanel(): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toReason = useReason()
  const { data, error, reload, change } = useSources()
  const [dialog, setDialog] = useState<OpenDialog>()

  const tryTo = async (work: () => Promise<unknown>, done?: string): Promise<void> => {
    const problem = await change(work)
    if (problem !== undefined) toast({ text: problem, tone: 'fail' })
    else if (done !== undefined) toast({ text: done })
  }
  function act(source: TriggerSource, action: SourceAction): void {
    if (action === 'test') void tryTo(() => api.testTriggerSource(source.id), t('triggers.source.tested'))
    else setDialog({ type: action, source })
  }
  const showSecret = (created: TriggerSourceCreated): void => {
    reload()
    setDialog(created.source.path === undefined ? undefined : { type: 'secret', created })
  }

  if (!data)
    return error ? (
      <ErrorState title={t('triggers.loadFailed')} onRetry={reload}>
        {toReason(error)}
      </ErrorState>
    ) : (
      <Skeleton lines={8} />
    )
  const { sources, settings, calls } = data
  const add = (
    <Button variant="strong" icon={<Plus aria-hidden="true" />} onClick={() => setDialog({ type: 'add' })}>
      {t('triggers.add')}
    </Button>
  )
  return (
    <div className="triggers">
      <p className="triggers-soft">
        {t('triggers.intro')} {t('triggers.reach')}
      </p>
      <section className="triggers-list" aria-label={t('triggers.sources')}>
        <div className="triggers-list-head">
          <h2>{t('triggers.sources')}</h2>
          {sources.length > 0 && add}
        </div>
        {sources.length === 0 && (
          <EmptyState
            icon={<Webhook size={20} aria-hidden="true" />}
            title={t('triggers.empty.title')}
            actions={add}
          >
            {t('triggers.empty.text')}
          </EmptyState>
        )}
        {sources.map((source) => (
          <SourceCard
            key={source.id}
            source={source}
            calls={calls.find(({ sourceId }) => sourceId === source.id)}
            areAllOff={settings.isOff}
            onSwitch={(isOff) => void tryTo(() => api.changeTriggerSource(source.id, { isOff }))}
            onAct={(action) => act(source, action)}
          />
        ))}
      </section>
      <AllSourcesCard
        settings={settings}
        onChange={(patch) => change(() => api.changeTriggerSettings(patch))}
      />
      <SourceDialogs
        dialog={dialog}
        onCreated={showSecret}
        onChanged={reload}
        onClose={() => setDialog(undefined)}
      />
    </div>
  )
}
