import type { ToolkitRow } from '@capstan/protocol'
import { useRef, useState } from 'react'
import type { SignIn } from '../approvals/sign-in.ts'
import { IDLE, openSignInWindow, takeConnection, takeReply } from '../approvals/sign-in.ts'
import { ApiError } from '../socket/api-error.ts'
import { useApi, useServerEvent } from '../socket/server-context.tsx'

export interface ToolkitSignIn {
  readonly signIn: SignIn
  /** Which account it is about; undefined until the server has named it. */
  readonly connectionId: string | undefined
  /** Signs in to an account that is there, or to a new one. Call it from a press: a window can only be opened then. */
  readonly start: (connectionId?: string) => void
  readonly giveKey: (key: string) => void
  /** Takes away what is said of it. The sign-in itself is not touched. */
  readonly forget: () => void
}

/** One sign-in at a time for one app. A later one takes its place. */
export function useToolkitSignIn({ slug, auth }: Pick<ToolkitRow, 'slug' | 'auth'>): ToolkitSignIn {
  const api = useApi()
  const [signIn, setSignIn] = useState<SignIn>(IDLE)
  const [connectionId, setConnectionId] = useState<string>()
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
    start(known) {
      // A key is typed here: no window is needed.
      const opened = auth === 'key' ? undefined : openSignInWindow()
      setSignIn({ type: 'opening' })
      setConnectionId(known)
      void run(async () => {
        try {
          const id = known ?? (await api.connect(slug)).id
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
    forget() {
      current.current++
      setSignIn(IDLE)
      setConnectionId(undefined)
    },
  }
}
