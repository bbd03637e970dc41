import { createContext, use, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type { ApiClient, ConnectionState, UpdateEvents, LiveConnection } from '@capstan/client'
import type { Server } from './open-server.ts'

const ServerContext = createContext<Server | undefined>(undefined)

/** Tests pass their own `api` and `socket`. */
export function ServerProvider({
  api,
  socket,
  loginAgain,
  children,
}: Server & { readonly children: ReactNode }): ReactElement {
  const server = useMemo(
    () => ({ api, socket, ...(loginAgain ? { loginAgain } : undefined) }),
    [api, socket, loginAgain],
  )
  return <ServerContext value={server}>{children}</ServerContext>
}

function useServer(): Server {
  const server = use(ServerContext)
  if (!server) throw new Error('There is no ServerProvider above this component')
  return server
}

export function useApi(): ApiClient {
  return useServer().api
}

export function useSocket(): LiveConnection {
  return useServer().socket
}

/** Whether the owner is asked to log in again, and how to answer. */
export function useLoginAgain(): {
  readonly isAsking: boolean
  readonly answer: (hasLoggedIn: boolean) => void
} {
  const { loginAgain } = useServer()
  const isAsking = useSyncExternalStore(
    useCallback((changed) => loginAgain?.onChange(changed) ?? (() => undefined), [loginAgain]),
    () => loginAgain?.isAsking() ?? false,
  )
  return { isAsking, answer: (hasLoggedIn) => loginAgain?.answer(hasLoggedIn) }
}

export function useConnectionState(): ConnectionState {
  const socket = useSocket()
  return useSyncExternalStore(
    useCallback((changed) => socket.onStateChange(changed), [socket]),
    () => socket.state(),
  )
}

/**
 * Calls the newest listener each time the connection comes online while the component is mounted. Updates sent before
 * that moment did not arrive, so what was read until then may be out of date.
 */
export function useOnline(listener: () => void): void {
  const connection = useConnectionState()
  const newest = useRef(listener)
  const wasOnline = useRef(connection === 'online')
  useEffect(() => {
    newest.current = listener
  })
  useEffect(() => {
    const isOnline = connection === 'online'
    if (isOnline && !wasOnline.current) newest.current()
    wasOnline.current = isOnline
  }, [connection])
}

/** Listens to one kind of update while the component is mounted. The newest listener is called. */
export function useServerEvent<Name extends keyof UpdateEvents>(
  name: Name,
  listener: UpdateEvents[Name],
): void {
  const socket = useSocket()
  const newest = useRef(listener)
  useEffect(() => {
    newest.current = listener
  })
  useEffect(() => {
    const onUpdate = (...args: Parameters<UpdateEvents[Name]>): void => {
      ;(newest.current as (...given: Parameters<UpdateEvents[Name]>) => void)(...args)
    }
    return socket.on(name, onUpdate as UpdateEvents[Name])
  }, [socket, name])
}
