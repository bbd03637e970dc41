import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useSettings } from '../settings/settings-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { AskDialog } from './ask-dialog.tsx'

/** The key of Composio. It is sent to the server and never read back. */
export function ComposioCard({
  isOffline,
  onChange,
}: {
  readonly isOffline: boolean
  readonly onChange: () => void
}): ReactElement {
  const t = useT()
  const toast = useToast()
  const toReason = useReason()
  const { settings, change } = useSettings()
  const [key, setKey] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const isSet = settings?.composio.isSet ?? false

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy) return
    if (key.trim() === '') {
      setError(t('connections.composio.empty'))
      return
    }
    setBusy(true)
    setError(undefined)
    try {
      await change({ composioKey: key.trim() })
      setKey('')
      toast({ text: t('connections.composio.saved') })
      onChange()
    } catch (failed) {
      setError(toReason(failed))
    } finally {
      setBusy(false)
    }
  }

  async function remove(): Promise<void> {
    await change({ composioKey: '' })
    toast({ text: t('connections.composio.removed') })
    onChange()
  }

  return (
    <Card
      title={t('connections.composio.title')}
      description={t('connections.composio.text')}
      actions={
        isSet && (
          <Badge tone="ok" icon={<KeyRound aria-hidden="true" />}>
            {t('connections.composio.set')}
          </Badge>
        )
      }
    >
      <form className="connections-form" noValidate onSubmit={(event) => void save(event)}>
        <TextField
          label={isSet ? t('connections.composio.labelNew') : t('connections.composio.label')}
          hint={t('connections.composio.hint')}
          error={error}
          type="password"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          disabled={isOffline}
          value={key}
          onChange={(event) => {
            setKey(event.target.value)
            setError(undefined)
          }}
        />
        <div className="connections-form-actions">
          <Button type="submit" busy={isBusy} disabled={isOffline}>
            {t('connections.composio.save')}
          </Button>
          {isSet && (
            <Button variant="quiet" disabled={isOffline} onClick={() => setRemoving(true)}>
              {t('connections.composio.remove')}
            </Button>
          )}
        </div>
      </form>
      {isRemoving && (
        <AskDialog
          title={t('connections.composio.removeAsk.title')}
          confirm={t('connections.composio.removeAsk.confirm')}
          onConfirm={remove}
          onClose={() => setRemoving(false)}
        >
          {t('connections.composio.removeAsk.text')}
        </AskDialog>
      )}
    </Card>
  )
}
