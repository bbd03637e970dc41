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

/** Hears one kind of news for as long as the component is there. The newest listener is the one that is called. */
export function useServerEvent<Name extends keyof UpdateEvents>(name: Name, listener: UpdateEvents[Name]): void {
  const socket = useSocket()
  const newest = useRef(listener)
  useEffect(() => {
    newest.current = listener
  })
  useEffect(() => {
    const hear = (...args: Parameters<UpdateEvents[Name]>): void => {
      ;(newest.current as (...given: Parameters<UpdateEvents[Name]>) => void)(...args)
    }
    return socket.on(name, hear as UpdateEvents[Name])
  }, [socket, name])
}
