import './approvals.css'
import { CircleCheck, CircleX, Plug } from 'lucide-react'
import { useId } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import type { AskedConnection, Call } from '../state/thread-state.ts'
import { isOpen } from '../state/thread-state.ts'
import { Button } from '../ui/button.tsx'
import { SignInState } from './sign-in-state.tsx'
import { useSignIn } from './use-sign-in.ts'

/** Asks a person to connect an app. The turn goes on by itself when that is done, wherever it is done. */
export function ConnectCard({
  connection,
  call,
}: {
  readonly connection: AskedConnection
  readonly call: Call
}): ReactElement {
  const t = useT()
  const titleId = useId()
  const { name, toolkit, id } = connection
  const { signIn, start, giveKey, decline } = useSignIn({ toolkit, connectionId: id })
  const isSettled = signIn.type === 'connected' || signIn.type === 'declined' || signIn.type === 'failed'

  if (!isOpen(call) && !(signIn.type === 'failed' && call.status === 'failed'))
    return <SettledConnection name={name} status={call.status} />

  return (
    <section className="approvals-card" aria-labelledby={titleId} data-connection={id}>
      <header>
        <Plug aria-hidden="true" />
        <h2 id={titleId}>{t('approvals.connect.title', { name })}</h2>
      </header>
      {!isSettled && <p>{t('approvals.connect.about', { name })}</p>}
      {(signIn.type === 'idle' || signIn.type === 'opening') && (
        <div className="approvals-buttons">
          <Button variant="strong" busy={signIn.type === 'opening'} onClick={start}>
            {t('approvals.connect.button', { name })}
          </Button>
          <Button variant="quiet" onClick={decline}>
            {t('approvals.connect.not-now')}
          </Button>
        </div>
      )}
      <SignInState signIn={signIn} name={name} onStart={start} onKey={giveKey} />
    </section>
  )
}

function SettledConnection({
  name,
  status,
}: {
  readonly name: string
  readonly status: Call['status']
}): ReactElement {
  const t = useT()
  const how = status === 'ok' ? 'connected' : status === 'failed' ? 'failed' : 'declined'
  return (
    <p className="approvals-settled" data-tone={status === 'ok' ? 'ok' : 'neutral'} role="status">
      {status === 'ok' ? <CircleCheck aria-hidden="true" /> : <CircleX aria-hidden="true" />}
      {t(`approvals.connect.${how}`, { name })}
    </p>
  )
}
