import './approvals.css'
import { Plug } from 'lucide-react'
import { useId } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useThreadScope } from '../state/thread-scope.ts'
import type { AskedConnection, Call } from '@capstan/client'
import { isOpen, rootOf } from '@capstan/client'
import { Button } from '../ui/controls/button.tsx'
import type { AsksProps } from './asks.tsx'
import { SignInState } from './sign-in-state.tsx'
import type { SignIn } from './sign-in.ts'
import { useSignIn } from './use-sign-in.ts'

/**
 * Asks a person to connect an app. The turn continues by itself when the app is connected, from this page or another.
 * After a turn that ended without the app, the card stays: the person can connect it and send the message again.
 */
export function ConnectCard({
  connection,
  call,
  turn,
  isLast,
}: AsksProps & { readonly connection: AskedConnection; readonly call: Call }): ReactElement {
  const t = useT()
  const titleId = useId()
  const { askAgain } = useThreadScope()
  const { name, toolkit, id } = connection
  const isAsked = isOpen(call)
  const isOver = rootOf(turn).endedAt !== undefined
  const { signIn, start, giveKey, decline } = useSignIn({
    toolkit,
    ...(isAsked ? { connectionId: id } : undefined),
  })
  // The thread's record wins over what this page knows: the app may have been connected elsewhere.
  const isOurs = call.status !== 'ok' && (isAsked || signIn.type !== 'idle')
  const shown = isOurs ? signIn : settledBy(call)
  const mayStart = shown.type === 'idle' || shown.type === 'opening'

  return (
    <section
      className={isAsked ? 'approvals-card' : 'approvals-past'}
      aria-labelledby={titleId}
      data-connection={id}
    >
      <header className={isAsked ? undefined : 'ui-visually-hidden'}>
        <Plug aria-hidden="true" />
        <h2 id={titleId}>{t('approvals.connect.title', { name })}</h2>
      </header>
      {isAsked && (mayStart || shown.type === 'waiting' || shown.type === 'key') && (
        <p>{t('approvals.connect.about', { name })}</p>
      )}
      {mayStart && (
        <div className="approvals-buttons">
          <Button variant="strong" busy={shown.type === 'opening'} onClick={() => start()}>
            {t('approvals.connect.button', { name })}
          </Button>
          {isAsked && (
            <Button variant="quiet" onClick={decline}>
              {t('approvals.connect.not-now')}
            </Button>
          )}
        </div>
      )}
      <SignInState
        signIn={shown}
        name={name}
        onStart={isLast || !isOver ? () => start() : undefined}
        onKey={giveKey}
        onAskAgain={isOver && isLast && askAgain ? () => askAgain(turn) : undefined}
      />
    </section>
  )
}

/** How the request ended, according to the thread. */
function settledBy({ status, failure }: Call): SignIn {
  if (status === 'ok') return { type: 'connected' }
  if (status !== 'failed' || failure?.class === 'denied_by_user') return { type: 'declined' }
  return { type: 'failed' }
}
