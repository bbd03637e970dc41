import type { FailureRemedy } from '@capstan/protocol'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { AskDialog } from '../connections/ask-dialog.tsx'
import { useT } from '../i18n/use-t.ts'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { useToast } from '../ui/overlays/toast.tsx'
import { useAllow } from './use-allow.ts'

/** Allows the kind of action that was refused, in its app. Administration asks for confirmation first. */
export function AllowButton({
  remedy,
  onRetry,
}: {
  readonly remedy: FailureRemedy
  readonly onRetry: (() => void) | undefined
}): ReactElement {
  const t = useT()
  const toast = useToast()
  const toReason = useReason()
  const { state, allow } = useAllow(remedy)
  const [isAsking, setAsking] = useState(false)
  const { name, effect } = remedy
  const facts = { kind: t(`connections.scopes.${effect}.name`), name }

  if (state === 'allowed')
    return (
      <>
        <p role="status">{t('failures.allow.done', facts)}</p>
        {onRetry && (
          <Button size="sm" onClick={onRetry}>
            {t('failures.buttons.retry')}
          </Button>
        )}
      </>
    )
  const allowNow = (): void =>
    void allow().catch((error: unknown) => toast({ text: toReason(error), tone: 'fail' }))
  return (
    <>
      <Button
        size="sm"
        variant="strong"
        busy={state === 'busy'}
        onClick={effect === 'admin' ? () => setAsking(true) : allowNow}
      >
        {t('failures.allow.button', facts)}
      </Button>
      {isAsking && (
        <AskDialog
          title={t('connections.scopes.adminAsk.title', { name })}
          confirm={t('connections.scopes.adminAsk.confirm')}
          onConfirm={allow}
          onClose={() => setAsking(false)}
        >
          {t('connections.scopes.adminAsk.text', { name })}
        </AskDialog>
      )}
    </>
  )
}
