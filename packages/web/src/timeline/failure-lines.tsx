import './timeline.css'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { AppName, Failure } from '@capstan/protocol'
import type { ReactElement } from 'react'
import { useSignIn } from '../approvals/use-sign-in.ts'
import { SignInState } from '../approvals/sign-in-state.tsx'
import type { FailureStage } from '../i18n/use-failure-words.ts'
import { useFailureWords } from '../i18n/use-failure-words.ts'
import { useT } from '../i18n/use-t.ts'
import { Button } from '../ui/controls/button.tsx'
import { toPath } from '../routing/route.ts'
import { Link } from '../routing/router.tsx'
import { AllowButton } from './allow-button.tsx'
import { failureActions } from './failure-action.ts'
import type { FailureAction } from './failure-action.ts'

export interface FailureLinesProps {
  readonly failure: Failure
  /** Whether an action failed, or the AI model. */
  readonly of?: 'call' | 'model'
  readonly stage: FailureStage
  /** The app of the failed call, if it is known. */
  readonly app?: AppName | undefined
  /** Sends the message again. */
  readonly onRetry?: (() => void) | undefined
  /** The cause of the failure was resolved later. */
  readonly isSettled?: boolean
}

/** Why something failed, what to do next, and the button for it. */
export function FailureLines(props: FailureLinesProps): ReactElement {
  const { failure, of = 'call', stage, app, onRetry, isSettled = false } = props
  const t = useT()
  const { why, next } = useWords(failure, of, stage)
  const actions = isSettled ? [] : failureActions(failure, { of, mayRetry: onRetry !== undefined })
  return (
    <div className="timeline-failure">
      <dl>
        <div>
          <dt className="timeline-why">{t('failures.why')}</dt>
          <dd>{why}</dd>
        </div>
        <div>
          <dt>{t('failures.next')}</dt>
          <dd>{next}</dd>
        </div>
      </dl>
      {actions.length > 0 && (
        <div className="timeline-failure-actions">
          {actions.map((action) => (
            <ActionButton key={action} action={action} app={app} remedy={failure.remedy} onRetry={onRetry} />
          ))}
        </div>
      )}
    </div>
  )
}

/** The text of the class in the user's language; for what an older or newer server wrote, the text of the payload. */
function useWords(
  failure: Failure,
  of: 'call' | 'model',
  stage: FailureStage,
): { readonly why: string; readonly next: string } {
  const words = useFailureWords()
  const isSpecial = failure.evidence?.rule === 'attachment' && !failure.detail
  if (isSpecial || !Object.hasOwn(FAILURE_CATEGORIES, failure.class))
    return { why: failure.cause, next: failure.next }
  return words(failure, of, stage)
}

function ActionButton({
  action,
  app,
  remedy,
  onRetry,
}: {
  readonly action: FailureAction
  readonly app: AppName | undefined
  readonly remedy: Failure['remedy']
  readonly onRetry: (() => void) | undefined
}): ReactElement {
  const t = useT()
  switch (action) {
    case 'connect':
    case 'reconnect':
      return app === undefined ? (
        <Link className="ui-button" data-size="sm" to={toPath({ page: 'connections' })}>
          {t(`failures.buttons.${action}`)}
        </Link>
      ) : (
        <ConnectButton app={app} action={action} onRetry={onRetry} />
      )
    case 'allow':
      return remedy ? (
        <AllowButton remedy={remedy} onRetry={onRetry} />
      ) : (
        <Link className="ui-button" data-size="sm" to={toPath({ page: 'connections' })}>
          {t('failures.buttons.allow')}
        </Link>
      )
    case 'settings':
      return (
        <Link className="ui-button" data-size="sm" to={toPath({ page: 'settings' })}>
          {t('failures.buttons.openSettings')}
        </Link>
      )
    case 'diagnostics':
      return (
        <Link className="ui-button" data-size="sm" to={toPath({ page: 'diagnostics' })}>
          {t('failures.buttons.runDiagnostics')}
        </Link>
      )
    case 'retry':
      return (
        <Button size="sm" onClick={onRetry}>
          {t('failures.buttons.retry')}
        </Button>
      )
  }
}

function ConnectButton({
  app: { toolkit, name },
  action,
  onRetry,
}: {
  readonly app: AppName
  readonly action: 'connect' | 'reconnect'
  readonly onRetry: (() => void) | undefined
}): ReactElement {
  const t = useT()
  const { signIn, start, giveKey } = useSignIn({ toolkit, isReconnect: action === 'reconnect' })
  const isIdle = signIn.type === 'idle' || signIn.type === 'opening'
  return (
    <>
      {isIdle && (
        <Button size="sm" variant="strong" busy={signIn.type === 'opening'} onClick={() => start()}>
          {t(`failures.buttons.${action}`)}
        </Button>
      )}
      <SignInState signIn={signIn} name={name} onStart={() => start()} onKey={giveKey} onAskAgain={onRetry} />
    </>
  )
}
