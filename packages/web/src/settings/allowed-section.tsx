import { X } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import { useLoaded } from '../socket/use-loaded.ts'
import { useReason } from '../socket/use-reason.ts'
import { toName } from '@capstan/client'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/surfaces/card.tsx'
import { IconButton } from '../ui/controls/icon-button.tsx'
import { Skeleton } from '../ui/feedback/skeleton.tsx'
import { useToast } from '../ui/overlays/toast.tsx'

export function AllowedSection(): ReactElement {
  const t = useT()
  const api = useApi()
  const toast = useToast()
  const reason = useReason()
  const { data, error, reload, setData } = useLoaded('always-allowed', (signal) =>
    api.alwaysAllowed({ signal }),
  )
  // A conversation may have added an allowed call in the meantime.
  useServerEvent('approval-change', (approval) => {
    if (approval.decision === 'allow-always') reload()
  })

  async function remove(tool: string): Promise<void> {
    try {
      await api.removeAlwaysAllowed(tool)
      if (data) setData({ tools: data.tools.filter((other) => other !== tool) })
      toast({ text: t('settings.allowed.removed', { tool }) })
    } catch (refusal) {
      toast({ text: reason(refusal), tone: 'fail' })
    }
  }

  return (
    <Card title={t('settings.allowed.title')} description={t('settings.allowed.description')}>
      {data === undefined && !error && <Skeleton lines={2} />}
      {error && (
        <div className="settings-failed" role="alert">
          <p>{t('settings.allowed.failed', { reason: reason(error) })}</p>
          <Button size="sm" onClick={reload}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
      {data?.tools.length === 0 && <p className="settings-empty">{t('settings.allowed.empty')}</p>}
      {data !== undefined && data.tools.length > 0 && (
        <ul role="list" className="settings-rows">
          {data.tools.map((tool) => (
            <li key={tool} className="settings-row">
              <span className="settings-row-name">
                {toName(tool)} <code>{tool}</code>
              </span>
              <IconButton
                label={t('settings.allowed.remove', { tool })}
                size="sm"
                onClick={() => void remove(tool)}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
