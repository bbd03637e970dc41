import { createContext, use, useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { ReactElement, ReactNode } from 'react'
import type { ApiClient, ConnectionState, UpdateEvents, LiveConnection } from '@capstan/client'
import type { Server } from './open-server.ts'

const ServerContext = createContext<Server | undefined>(undefined)

/** Tests pass their own `api` and `socket`. */
export function ServerProvider({
  api,
  socket,
  children,
}: Server & { readonly children: ReactNode }): ReactElement {
  const server = useMemo(() => ({ api, socket }), [api, socket])
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
