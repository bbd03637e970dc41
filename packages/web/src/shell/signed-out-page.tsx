import { KeyRound } from 'lucide-react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useSocket } from '../socket/server-context.tsx'
import { Button } from '../ui/controls/button.tsx'
import { CopyButton } from '../ui/controls/copy-button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { useLoginCommand } from './use-login-command.ts'

/** Shown to a person who is not logged in. */
export function SignedOutPage(): ReactElement {
  const t = useT()
  const socket = useSocket()
  const command = useLoginCommand()
  return (
    <>
      <h1 className="ui-visually-hidden">{t('shell.banner.signedOut')}</h1>
      <EmptyState
        icon={<KeyRound size={20} />}
        title={t('shell.banner.signedOut')}
        actions={
          <Button variant="strong" onClick={() => socket.reconnect()}>
            {t('shell.banner.retry')}
          </Button>
        }
      >
        {hasOldLink() && <p>{t('shell.banner.linkUsed')}</p>}
        <p>{t('shell.banner.signedOutHint')}</p>
        <p className="shell-command">
          <code>{command}</code>
          <CopyButton text={command} />
        </p>
      </EmptyState>
    </>
  )
}

/** The target of a login link that no longer works. */
const hasOldLink = (): boolean => new URLSearchParams(window.location.search).get('login') === 'expired'
