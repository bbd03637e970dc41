import './approvals.css'
import { CircleCheck, CircleX } from 'lucide-react'
import { useId, useState } from 'react'
import type { ReactElement } from 'react'
import { useConnectionReason } from '../i18n/use-connection-reason.ts'
import { useProblemWords } from '../i18n/use-problem-words.ts'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/controls/button.tsx'
import { Spinner } from '../ui/feedback/spinner.tsx'
import type { SignIn } from './sign-in.ts'

export interface SignInStateProps {
  readonly signIn: SignIn
  /** The display name of the app. */
  readonly name: string
  /** Starts a new sign-in. Absent where none is needed any more. */
  readonly onStart: (() => void) | undefined
  readonly onKey: (key: string) => void
  /** Sends the message again that needed the app. Offered once the app is connected. */
  readonly onAskAgain?: (() => void) | undefined
}

/** The state of a sign-in and the next action. Draws nothing before the button was pressed. */
export function SignInState(props: SignInStateProps): ReactElement | null {
  const { signIn, name, onStart, onKey, onAskAgain } = props
  const t = useT()
  switch (signIn.type) {
    case 'idle':
    case 'opening':
      return null
    case 'waiting':
      return (
        <div className="approvals-state" role="status">
          <p>
            <Spinner /> {t('approvals.connect.waiting', { name })}
          </p>
          {signIn.isBlocked && <p>{t('approvals.connect.blocked')}</p>}
          <p>
            <a href={signIn.url} target="_blank" rel="noopener noreferrer">
              {signIn.isBlocked ? t('approvals.connect.open', { name }) : t('approvals.connect.open-again')}
            </a>
          </p>
        </div>
      )
    case 'key':
      return <KeyForm name={name} isRefused={signIn.isRefused} onKey={onKey} />
    case 'connected':
      return (
        <div className="approvals-state" data-tone="ok" role="status">
          <p>
            <CircleCheck aria-hidden="true" /> {t('approvals.connect.connected', { name })}
          </p>
          {onAskAgain && (
            <Button size="sm" variant="strong" onClick={onAskAgain}>
              {t('approvals.connect.ask-again')}
            </Button>
          )}
        </div>
      )
    case 'declined':
    case 'failed':
      return (
        <div
          className="approvals-state"
          data-tone={signIn.type === 'failed' ? 'fail' : undefined}
          role="status"
        >
          <p>
            <CircleX aria-hidden="true" />{' '}
            {t(signIn.type === 'declined' ? 'approvals.connect.declined' : 'approvals.connect.failed', {
              name,
            })}
          </p>
          {signIn.type === 'failed' && <Reason failed={signIn} />}
          {onStart && (
            <Button size="sm" onClick={onStart}>
              {t('approvals.connect.again')}
            </Button>
          )}
        </div>
      )
  }
}

function Reason({
  failed,
}: {
  readonly failed: Extract<SignIn, { readonly type: 'failed' }>
}): ReactElement | null {
  const t = useT()
  const words = useProblemWords()
  const reason = useConnectionReason()(failed)
  const { problem } = failed
  if (problem === 'bad-address') return <p>{t('approvals.connect.bad-address')}</p>
  if (problem !== undefined) return <p>{words({ code: problem })}</p>
  return reason === undefined ? null : <p>{reason}</p>
}

function KeyForm({
  name,
  isRefused,
  onKey,
}: {
  readonly name: string
  readonly isRefused: boolean
  readonly onKey: (key: string) => void
}): ReactElement {
  const t = useT()
  const id = useId()
  const [key, setKey] = useState('')
  return (
    <form
      className="approvals-key"
      onSubmit={(event) => {
        event.preventDefault()
        if (key.trim() !== '') onKey(key.trim())
      }}
    >
      <label htmlFor={id}>{t('approvals.connect.key', { name })}</label>
      <p>{t('approvals.connect.key-about', { name })}</p>
      <div>
        <input
          id={id}
          className="ui-input"
          type="password"
          autoComplete="off"
          value={key}
          aria-invalid={isRefused || undefined}
          onChange={(event) => setKey(event.target.value)}
        />
        <Button type="submit" variant="strong">
          {t('approvals.connect.key-save')}
        </Button>
      </div>
      {isRefused && <p data-tone="fail">{t('approvals.connect.key-refused')}</p>}
    </form>
  )
}
