import type { Settings } from '@capstan/protocol'
import { Download, LogOut, Stethoscope, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { FormEvent, ReactElement, ReactNode } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useRights } from '../socket/me-context.tsx'
import { useApi, useSocket } from '../socket/server-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { CopyButton } from '../ui/controls/copy-button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Link, useRouter } from '../routing/router.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { useToast } from '../ui/overlays/toast.tsx'

export function DataSection({ settings }: { readonly settings: Settings }): ReactElement {
  const t = useT()
  const api = useApi()
  const socket = useSocket()
  const toast = useToast()
  const reason = useReason()
  const [isResetting, setResetting] = useState(false)
  const canSeeMachine = useRights()?.seeDiagnostics ?? false

  async function signOut(): Promise<void> {
    try {
      await api.logout()
      socket.reportSignedOut()
    } catch (refusal) {
      toast({ text: reason(refusal), tone: 'fail' })
    }
  }

  return (
    <Card title={t('settings.data.title')} description={t('settings.data.description')}>
      <dl className="settings-facts">
        {canSeeMachine && (
          <>
            <dt>{t('settings.data.folder')}</dt>
            <dd>
              <code>{settings.dataFolder}</code>
              <CopyButton text={settings.dataFolder} label={t('settings.data.copyFolder')} />
            </dd>
          </>
        )}
        <dt>{t('settings.data.version')}</dt>
        <dd>
          <bdi>{settings.version}</bdi>
        </dd>
      </dl>
      <ActionRow hint={t('settings.data.exportHint')}>
        <a className="ui-button" data-variant="plain" data-size="md" href={api.exportUrl()} download>
          <Download aria-hidden="true" />
          {t('settings.data.export')}
        </a>
      </ActionRow>
      {canSeeMachine && (
        <ActionRow hint={t('settings.data.diagnosticsHint')}>
          <Link className="ui-button" data-variant="plain" data-size="md" to="/diagnostics">
            <Stethoscope aria-hidden="true" />
            {t('settings.data.diagnostics')}
          </Link>
        </ActionRow>
      )}
      <ActionRow hint={t('settings.data.signOutHint')}>
        <Button icon={<LogOut aria-hidden="true" />} onClick={() => void signOut()}>
          {t('settings.data.signOut')}
        </Button>
      </ActionRow>
      <ActionRow hint={t('settings.data.resetHint')}>
        <Button variant="danger" icon={<Trash2 aria-hidden="true" />} onClick={() => setResetting(true)}>
          {t('settings.data.reset')}
        </Button>
      </ActionRow>
      <ResetDialog open={isResetting} onClose={() => setResetting(false)} />
    </Card>
  )
}

function ActionRow({
  hint,
  children,
}: {
  readonly hint: string
  readonly children: ReactNode
}): ReactElement {
  return (
    <div className="settings-action-row">
      <p className="settings-small">{hint}</p>
      {children}
    </div>
  )
}

/** The word to type. The server checks it, so it is the same in every language. */
const WORD = 'reset'

function ResetDialog({
  open,
  onClose,
}: {
  readonly open: boolean
  readonly onClose: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const reason = useReason()
  const { navigate } = useRouter()
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const isConfirmed = typed.trim() === WORD

  function close(): void {
    setTyped('')
    setError(undefined)
    onClose()
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (!isConfirmed || isBusy) return
    setBusy(true)
    try {
      await api.reset()
      close()
      toast({ text: t('settings.data.resetDone') })
      navigate('/')
    } catch (refusal) {
      setError(reason(refusal))
    }
    setBusy(false)
  }

  return (
    <Dialog
      open={open}
      onClose={close}
      title={t('settings.data.resetTitle')}
      actions={
        <>
          <Button onClick={close}>{t('ui.cancel')}</Button>
          <Button variant="danger" type="submit" form="settings-reset" busy={isBusy} disabled={!isConfirmed}>
            {t('settings.data.resetConfirm')}
          </Button>
        </>
      }
    >
      <form id="settings-reset" className="settings-reset" onSubmit={(event) => void submit(event)}>
        <p>{t('settings.data.resetText')}</p>
        <TextField
          label={t('settings.data.resetField', { word: WORD })}
          error={error}
          value={typed}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
