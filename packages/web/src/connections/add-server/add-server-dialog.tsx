import type { McpServerRow } from '@capstan/protocol'
import { useId } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { ConfirmCommand } from './confirm-command.tsx'
import { ServerFields } from './server-fields.tsx'
import { useAddServer } from './use-add-server.ts'
import { useServerForm } from './use-server-form.ts'

/**
 * Adds an MCP server, by address or by command. A command is shown exactly as it would run and runs only after the
 * person confirms it. What was typed stays when something fails.
 */
export function AddServerDialog({
  onAdded,
  onClose,
}: {
  readonly onAdded: (server: McpServerRow) => void
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const formId = useId()
  const form = useServerForm()
  const adding = useAddServer(form, (server) => {
    onAdded(server)
    onClose()
  })
  const { offer, problem } = adding

  if (offer) {
    return (
      <ConfirmCommand
        offer={offer}
        isSure={adding.isSure}
        isBusy={adding.isBusy}
        problem={problem}
        onSure={adding.setSure}
        onProfile={adding.setProfile}
        onBack={adding.back}
        onRun={() => adding.confirm(offer)}
        onClose={onClose}
      />
    )
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title={t('connections.addServer.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="strong" type="submit" form={formId} busy={adding.isBusy}>
            {form.draft.way === 'url' ? t('connections.addServer.add') : t('connections.addServer.next')}
          </Button>
        </>
      }
    >
      <form
        ref={form.form}
        id={formId}
        className="connections-form"
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          adding.submit()
        }}
      >
        <p className="connections-soft">{t('connections.addServer.intro')}</p>
        <ServerFields
          draft={form.draft}
          errors={form.errors}
          onChange={(part) => {
            form.change(part)
            adding.clearProblem()
          }}
        />
        {problem !== undefined && (
          <p className="connections-problem" role="alert">
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  )
}
