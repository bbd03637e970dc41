import type { ToolkitView } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi } from '../socket/server-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { Switch } from '../ui/controls/switch.tsx'
import { useToast } from '../ui/overlays/toast.tsx'

/** Whether what a server says about its actions counts. */
export function TrustSwitch({
  toolkit: { slug, isTrusted = false },
  isOffline,
  onChange,
}: {
  readonly toolkit: ToolkitView
  readonly isOffline: boolean
  readonly onChange: () => void
}): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const toReason = useReason()

  async function change(next: boolean): Promise<void> {
    try {
      await api.changeMcpServer(slug, { isTrusted: next })
      onChange()
    } catch (error) {
      toast({ text: toReason(error), tone: 'fail' })
    }
  }

  return (
    <Switch
      label={t('connections.actions.trust.name')}
      hint={t('connections.actions.trust.hint')}
      checked={isTrusted}
      disabled={isOffline}
      onCheckedChange={(checked) => void change(checked)}
    />
  )
}
