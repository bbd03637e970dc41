import { ApiError } from '@capstan/client'
import { useState } from 'react'
import type { FormEvent, ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useApi, useLoginAgain } from '../socket/server-context.tsx'
import { useReason } from '../socket/use-reason.ts'
import { Button } from '../ui/controls/button.tsx'
import { CopyButton } from '../ui/controls/copy-button.tsx'
import { TextField } from '../ui/controls/text-field.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { useLoginCommand } from './use-login-command.ts'

/** Asks the owner to log in again before a request that reaches the machine goes on. */
export function LoginAgainDialog(): ReactElement | null {
  const { isAsking, answer } = useLoginAgain()
  return isAsking ? <OpenDialog onAnswer={answer} /> : null
}

function OpenDialog({ onAnswer }: { readonly onAnswer: (hasLoggedIn: boolean) => void }): ReactElement {
  const t = useT()
  const api = useApi()
  const reason = useReason()
  const command = useLoginCommand()
  const [link, setLink] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const ticket = toTicket(link)

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (ticket === '' || isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await api.logInAgain(ticket)
      onAnswer(true)
    } catch (refusal) {
      const isWrong = refusal instanceof ApiError && refusal.code === 'invalid'
      setError(isWrong ? t('people.loginAgain.wrong') : reason(refusal))
      setBusy(false)
    }
  }

  return (
    <Dialog
      open
      onClose={() => onAnswer(false)}
      title={t('people.loginAgain.title')}
      actions={
        <>
          <Button onClick={() => onAnswer(false)}>{t('ui.cancel')}</Button>
          <Button onClick={() => onAnswer(true)}>{t('people.loginAgain.opened')}</Button>
          <Button variant="strong" type="submit" form="login-again" busy={isBusy} disabled={ticket === ''}>
            {t('people.loginAgain.submit')}
          </Button>
        </>
      }
    >
      <form id="login-again" className="shell-login-again" onSubmit={(event) => void submit(event)}>
        <p>{t('people.loginAgain.text')}</p>
        <p className="shell-command">
          <code>{command}</code>
          <CopyButton text={command} />
        </p>
        <p>{t('people.loginAgain.paste')}</p>
        <TextField
          label={t('people.loginAgain.field')}
          error={error}
          value={link}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setLink(event.target.value)}
        />
      </form>
    </Dialog>
  )
}

/** The ticket of a login link, or the text itself. */
function toTicket(text: string): string {
  const trimmed = text.trim()
  return URL.parse(trimmed)?.searchParams.get('ticket') ?? trimmed
}
