import { Hand, OctagonX } from 'lucide-react'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { ApiError } from '@capstan/client'
import { useProblemWords } from '../i18n/use-problem-words.ts'
import { useT } from '../i18n/use-t.ts'
import { useSettings } from '../settings/settings-context.tsx'
import { useApi } from '../socket/server-context.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { useToast } from '../ui/overlays/toast.tsx'

/** Stops every running turn, after a confirmation. Hidden while everything is stopped. */
export function StopEverything(): ReactElement | null {
  const t = useT()
  const api = useApi()
  const { settings } = useSettings()
  const { isSending, send } = useRequest()
  const [isAsking, setAsking] = useState(false)
  if (settings?.held) return null
  return (
    <>
      <button type="button" className="shell-page-link" onClick={() => setAsking(true)}>
        <OctagonX aria-hidden="true" />
        {t('shell.hold.stop')}
      </button>
      <Dialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('shell.hold.title')}
        actions={
          <>
            <Button onClick={() => setAsking(false)}>{t('ui.cancel')}</Button>
            <Button
              variant="danger"
              disabled={isSending}
              onClick={() => void send(() => api.hold()).then(() => setAsking(false))}
            >
              {t('shell.hold.confirm')}
            </Button>
          </>
        }
      >
        <p>{t('shell.hold.text')}</p>
      </Dialog>
    </>
  )
}

/** Shows that everything is stopped, and the button that releases it. */
export function HoldBanner(): ReactElement {
  const t = useT()
  const api = useApi()
  const { settings } = useSettings()
  const { isSending, isForbidden, send } = useRequest()
  const held = settings?.held
  return (
    <div role="status" className="shell-banner-place">
      {held && (
        <div className="shell-banner" data-kind="held">
          <Hand aria-hidden="true" />
          <p>
            <strong>{t('shell.hold.held')}</strong>{' '}
            {t(isForbidden ? 'shell.hold.hintOwner' : 'shell.hold.hint')}
          </p>
          {!isForbidden && (
            <Button size="sm" disabled={isSending} onClick={() => void send(() => api.release())}>
              {t('shell.hold.release')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

/** Sends one request at a time, and shows why it failed. */
function useRequest() {
  const t = useT()
  const toast = useToast()
  const words = useProblemWords()
  const { reload } = useSettings()
  const [isSending, setSending] = useState(false)
  const [isForbidden, setForbidden] = useState(false)

  async function send(request: () => Promise<void>): Promise<void> {
    setSending(true)
    try {
      await request()
      reload()
    } catch (error) {
      const problem = error instanceof ApiError ? error : undefined
      if (problem?.code === 'forbidden') setForbidden(true)
      else toast({ text: t('shell.threads.changeFailed', { reason: words(problem) }) })
    }
    setSending(false)
  }

  return { isSending, isForbidden, send }
}
