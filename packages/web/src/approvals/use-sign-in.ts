import type { ToolkitRow } from '@capstan/protocol'
import { useRef, useState } from 'react'
import { ApiError } from '@capstan/client'
import type { ApiClient } from '@capstan/client'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import type { SignIn } from './sign-in.ts'
import { IDLE, openSignInWindow, takeConnection, takeReply } from './sign-in.ts'

export interface SignInOptions {
  readonly toolkit: string
  readonly auth?: ToolkitRow['auth']
  /** The connection that a turn waits for. Without it a new connection is created. */
  readonly connectionId?: string
  /** Signs in to the account whose sign-in was lost, if there is one. */
  readonly isReconnect?: boolean
}

export interface UseSignIn {
  readonly signIn: SignIn
  /** The connection of this sign-in; undefined until the server has created it. */
  readonly connectionId: string | undefined
  /** Signs in to a known account, else to a new one. Call it from a press: browsers open a window only then. */
  readonly start: (account?: string) => void
  readonly giveKey: (key: string) => void
  readonly decline: () => void
  /** Hides the state of the sign-in. The sign-in itself is not changed. */
  readonly forget: () => void
}

/** One sign-in at a time for one app. A new one replaces the old one. */
export function useSignIn(options: SignInOptions): UseSignIn {
  const { toolkit, auth, connectionId: awaited, isReconnect = false } = options
  const api = useApi()
  const [signIn, setSignIn] = useState<SignIn>(IDLE)
  const [connectionId, setConnectionId] = useState(awaited)
  const current = useRef(0)

  useServerEvent('connection-change', (connection) => {
    if (connection.id === connectionId) setSignIn((now) => takeConnection(now, connection))
  })

  async function run(work: () => Promise<SignIn>): Promise<void> {
    const own = ++current.current
    try {
      const next = await work()
      if (own === current.current) setSignIn(next)
    } catch (error) {
      const problem = error instanceof ApiError ? error.code : 'internal'
      if (own === current.current) setSignIn({ type: 'failed', problem })
    }
  }

  return {
    signIn,
    connectionId,
    start(account) {
      // A key is typed here: no window is needed.
      const opened = auth === 'key' ? undefined : openSignInWindow()
      // A failed connection cannot be used again; the next try creates a new one.
      const isUsed = signIn.type === 'failed' || signIn.type === 'declined'
      const known = account ?? (isUsed ? undefined : awaited)
      setSignIn({ type: 'opening' })
      setConnectionId(known)
      void run(async () => {
        try {
          const lost = known === undefined && isReconnect ? await findLost(api, toolkit) : undefined
          const id = known ?? lost ?? (await api.connect(toolkit)).id
          setConnectionId(id)
          return takeReply(await api.signIn(id), opened)
        } catch (error) {
          opened?.close()
          throw error
        }
      })
    },
    giveKey(key) {
      if (connectionId === undefined) return
      void run(async () => {
        try {
          return takeConnection({ type: 'key', isRefused: true }, await api.giveKey(connectionId, key))
        } catch (error) {
          if (error instanceof ApiError && error.code === 'invalid') return { type: 'key', isRefused: true }
          throw error
        }
      })
    },
    decline() {
      if (connectionId === undefined) return
      void run(async () => {
        await api.disconnect(connectionId)
        return { type: 'declined' }
      })
    },
    forget() {
      current.current++
      setSignIn(IDLE)
      setConnectionId(undefined)
    },
  }
}

async function findLost(api: ApiClient, slug: string): Promise<string | undefined> {
  const { toolkits } = await api.toolkits()
  const lost = toolkits
    .find((toolkit) => toolkit.slug === slug)
    ?.connections.filter(({ status }) => status === 'expired' || status === 'revoked')
  return (lost?.find(({ isDefault }) => isDefault) ?? lost?.at(-1))?.id
}
