import type { ScopeSettings, ToolkitView } from '@capstan/protocol'
import { ShieldAlert } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useReason } from '../socket/use-reason.ts'
import { Switch } from '../ui/controls/switch.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { AskDialog } from './ask-dialog.tsx'

const SCOPES = ['read', 'write', 'admin'] as const satisfies readonly (keyof ScopeSettings)[]

/** What the assistant may do in an app. Allowing administration asks for confirmation; taking it back does not. */
export function ScopeSwitches({
  toolkit,
  isOffline,
  onChange,
}: {
  readonly toolkit: ToolkitView
  readonly isOffline: boolean
  readonly onChange: (scopes: ScopeSettings) => Promise<void>
}): ReactElement {
  const t = useT()
  const toReason = useReason()
  const toast = useToast()
  const [isAsking, setAsking] = useState(false)
  const { name, scopes } = toolkit

  async function change(next: ScopeSettings): Promise<void> {
    try {
      await onChange(next)
    } catch (error) {
      toast({ text: toReason(error), tone: 'fail' })
    }
  }

  return (
    <div className="connections-scopes" role="group" aria-label={t('connections.scopes.titleOf', { name })}>
      {SCOPES.map((scope) => (
        <Switch
          key={scope}
          label={t(`connections.scopes.${scope}.name`)}
          hint={t(`connections.scopes.${scope}.hint`)}
          checked={scopes[scope]}
          disabled={isOffline}
          onCheckedChange={(checked) => {
            if (scope === 'admin' && checked) setAsking(true)
            else void change({ ...scopes, [scope]: checked })
          }}
        />
      ))}
      {scopes.admin && (
        <p className="connections-warning">
          <ShieldAlert size={16} aria-hidden="true" />
          {t('connections.scopes.adminOn', { name })}
        </p>
      )}
      {!scopes.read && !scopes.write && !scopes.admin && (
        <p className="connections-warning">{t('connections.scopes.noneAllowed', { name })}</p>
      )}
      {isAsking && (
        <AskDialog
          title={t('connections.scopes.adminAsk.title', { name })}
          confirm={t('connections.scopes.adminAsk.confirm')}
          onConfirm={() => onChange({ ...scopes, admin: true })}
          onClose={() => setAsking(false)}
        >
          {t('connections.scopes.adminAsk.text', { name })}
        </AskDialog>
      )}
    </div>
  )
}
