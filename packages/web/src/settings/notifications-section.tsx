import { useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { notificationState, switchNotifications } from '../notifications/browser-notifications.ts'
import { Card } from '../ui/surfaces/card.tsx'
import { Switch } from '../ui/controls/switch.tsx'

export function NotificationsSection(): ReactElement {
  const t = useT()
  const [state, setState] = useState(notificationState)
  return (
    <Card title={t('shell.notifications.title')}>
      <Switch
        label={t('shell.notifications.browser')}
        hint={t(state === 'blocked' ? 'shell.notifications.blocked' : 'shell.notifications.browserHint')}
        checked={state === 'on'}
        disabled={state === 'blocked'}
        onCheckedChange={(isOn) => void switchNotifications(isOn).then(setState)}
      />
    </Card>
  )
}
