import './mapping.css'
import type { McpServerRow } from '@capstan/protocol'
import { useId, useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../../../i18n/use-t.ts'
import { useApi } from '../../../socket/server-context.tsx'
import { useReason } from '../../../socket/use-reason.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Spinner } from '../../../ui/feedback/spinner.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { MappingChoice } from './mapping-choice.tsx'
import type { MappingWay } from './mapping-choice.tsx'
import { toMappingDraft } from './mapping-draft.ts'
import { MappingFields } from './mapping-fields.tsx'
import { RemoveMappingDialog } from './remove-mapping-dialog.tsx'
import { useMappingForm } from './use-mapping-form.ts'
import type { MappingOffers } from './use-mapping-offers.ts'
import { useMappingOffers } from './use-mapping-offers.ts'

/** How the items of an added MCP server become items in memory: proposed, chosen, changed, removed. */
export function MappingDialog({
  server,
  onSaved,
  onRemoved,
  onClose,
}: {
  readonly server: McpServerRow
  readonly onSaved: () => Promise<void>
  readonly onRemoved: () => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const toReason = useReason()
  const formId = useId()
  const offers = useMappingOffers(server.slug)
  const [isBusy, setBusy] = useState(false)
  const [isRemoving, setRemoving] = useState(false)

  if (isRemoving)
    return <RemoveMappingDialog server={server} onDone={onRemoved} onClose={() => setRemoving(false)} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('sync.mapping.title', { name: server.name })}
      width="lg"
      actions={
        <>
          {server.sync && (
            <Button variant="danger" onClick={() => setRemoving(true)}>
              {t('sync.mapping.remove.open')}
            </Button>
          )}
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="strong" type="submit" form={formId} busy={isBusy} disabled={!offers.data}>
            {t('sync.mapping.save')}
          </Button>
        </>
      }
    >
      <p>{t('sync.mapping.intro')}</p>
      {offers.data && (
        <MappingEditor
          formId={formId}
          server={server}
          offers={offers.data}
          onBusy={setBusy}
          onSaved={onSaved}
        />
      )}
      {!offers.data && !offers.error && (
        <p className="connections-soft sync-line" role="status">
          <Spinner /> {t('sync.mapping.looking')}
        </p>
      )}
      {!offers.data && offers.error && (
        <div className="connections-warning" role="alert">
          <p>{toReason(offers.error)}</p>
          <Button size="sm" busy={offers.isLoading} onClick={offers.reload}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function MappingEditor({
  formId,
  server,
  offers: { proposals, why, actions },
  onBusy,
  onSaved,
}: {
  readonly formId: string
  readonly server: McpServerRow
  readonly offers: MappingOffers
  readonly onBusy: (isBusy: boolean) => void
  readonly onSaved: () => Promise<void>
}): ReactElement {
  const t = useT()
  const api = useApi()
  const [way, setWay] = useState<MappingWay>(server.sync ? 'set' : proposals.length > 0 ? 0 : 'own')
  const form = useMappingForm(async (sync) => {
    await api.changeMcpServer(server.slug, { sync })
    await onSaved()
  })
  const proposal = typeof way === 'number' ? proposals[way] : undefined
  const draft = form.draft ?? toMappingDraft(way === 'set' ? server.sync : proposal?.mapping)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (form.isBusy) return
    onBusy(true)
    await form.submit(draft)
    onBusy(false)
  }

  return (
    <form
      ref={form.form}
      id={formId}
      className="connections-form mapping-form"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      {proposals.length === 0 && (
        <p className="connections-warning" role="status">
          {t(`sync.mapping.none.${why ?? 'unclear'}`)}
        </p>
      )}
      {(proposals.length > 0 || server.sync) && (
        <MappingChoice
          set={server.sync}
          proposals={proposals}
          way={way}
          onChoose={(next) => {
            setWay(next)
            form.clear()
          }}
        />
      )}
      <p className="connections-soft">{t('sync.mapping.paths')}</p>
      <MappingFields
        key={String(way)}
        draft={draft}
        actions={actions}
        unsure={proposal?.unsure ?? []}
        errors={form.errors}
        onChange={(part) => form.change({ ...draft, ...part })}
      />
      {form.problem !== undefined && (
        <p className="connections-problem" role="alert">
          {form.problem}
        </p>
      )}
    </form>
  )
}
