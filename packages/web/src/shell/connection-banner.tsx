import { CloudOff, LogOut, Power } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactElement } from 'react'
import { useT } from '../i18n/use-t.ts'
import { useLoginCommand } from './use-login-command.ts'
import { useConnectionState, useServerEvent, useSocket } from '../socket/server-context.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Spinner } from '../ui/feedback/spinner.tsx'
import { useToast } from '../ui/overlays/toast.tsx'

/** Shorter interruptions show no banner. */
const PATIENCE_MS = 900

/** Shows that the connection to the server is lost, and what to do. Shows nothing while it is open. */
export function ConnectionBanner(): ReactElement {
  const t = useT()
  const socket = useSocket()
  const state = useConnectionState()
  const toast = useToast()
  const isLong = useIsLong(state)
  const [isStopping, setStopping] = useState(false)
  useServerEvent('server-stop', () => setStopping(true))
  useEffect(() => {
    if (state === 'online') setStopping(false)
  }, [state])
  useReturnToServer()

  const shown =
    state === 'signed-out'
      ? 'signedOut'
      : isStopping
        ? 'stopping'
        : state !== 'online' && isLong
          ? state
          : undefined

  const wasShown = useRef(false)
  useEffect(() => {
    if (shown === 'offline' || shown === 'stopping') wasShown.current = true
    if (state !== 'online' || shown !== undefined || !wasShown.current) return
    wasShown.current = false
    toast({ text: t('shell.banner.back'), stayMs: 3000 })
  }, [shown, state, t, toast])

  return (
    <div role="status" className="shell-banner-place">
      {shown !== undefined && (
        <div className="shell-banner" data-kind={shown}>
          {shown === 'connecting' ? (
            <Spinner />
          ) : shown === 'signedOut' ? (
            <LogOut aria-hidden="true" />
          ) : shown === 'stopping' ? (
            <Power aria-hidden="true" />
          ) : (
            <CloudOff aria-hidden="true" />
          )}
          <p>
            <strong>{t(`shell.banner.${shown}`)}</strong>
            {shown !== 'connecting' && <> {t(`shell.banner.${shown}Hint`)}</>}
            {shown === 'signedOut' && (
              <>
                {' '}
                <LoginCommand />
              </>
            )}
          </p>
          {state !== 'online' && shown !== 'connecting' && (
            <Button size="sm" onClick={() => socket.reconnect()}>
              {t('shell.banner.retry')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function useIsLong(state: string): boolean {
  const [long, setLong] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setLong(state), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [state])
  return long === state
}

/** Reconnects when the network is back or the page becomes visible. */
function useReturnToServer(): void {
  const socket = useSocket()
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible' && socket.state() !== 'online') socket.reconnect()
    }
    window.addEventListener('online', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.removeEventListener('online', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [socket])
}

function LoginCommand(): ReactElement {
  return <code>{useLoginCommand()}</code>
}
