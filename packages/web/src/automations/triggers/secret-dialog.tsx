import type { TriggerSourceCreated } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../../i18n/use-t.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { isOfApp } from './source-draft.ts'

/** The address and the secret of a source, and where the service wants them. The only place that shows the secret. */
export function SecretDialog({
  created: { source, secret },
  onClose,
}: {
  readonly created: TriggerSourceCreated
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const address = new URL(source.path ?? '/', window.location.href).href
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('triggers.secret.title')}
      actions={
        <Button variant="strong" onClick={onClose}>
          {t('triggers.secret.done')}
        </Button>
      }
    >
      <div className="triggers-form">
        <Copied label={t('triggers.secret.address')} text={address} copy={t('triggers.secret.copyAddress')} />
        {secret === undefined ? (
          <p className="triggers-soft">{t('triggers.secret.given')}</p>
        ) : (
          <div className="triggers-secret">
            <Copied
              label={t('triggers.secret.secret')}
              text={secret}
              copy={t('triggers.secret.copySecret')}
            />
            <p className="triggers-note">{t('triggers.secret.once')}</p>
          </div>
        )}
        {!isOfApp(source.kind) && <p>{t(`triggers.how.${source.kind}`)}</p>}
        <p className="triggers-soft">{t('triggers.reach')}</p>
      </div>
    </Dialog>
  )
}

function Copied({
  label,
  text,
  copy,
}: {
  readonly label: string
  readonly text: string
  readonly copy: string
}): ReactElement {
  return (
    <div className="triggers-copied">
      <span className="ui-field-label">{label}</span>
      <span className="triggers-line">
        <code dir="ltr">{text}</code>
        <CopyButton text={text} label={copy} />
      </span>
    </div>
  )
}
