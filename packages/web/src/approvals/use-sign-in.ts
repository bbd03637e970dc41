import { useRef, useState } from 'react'
import { ApiError } from '../socket/api-error.ts'
import { useApi, useServerEvent } from '../socket/server-context.tsx'
import type { SignIn } from './sign-in.ts'
import { IDLE, openSignInWindow, takeConnection, takeReply } from './sign-in.ts'

export interface UseSignIn {
  readonly signIn: SignIn
  /** Call it from a press: a window can only be opened then. */
  readonly start: () => void
  readonly giveKey: (key: string) => void
  readonly decline: () => void
}

/** Signs in at an app: one that a turn waits for (`connectionId`), or one to be connected anew. */
export function useSignIn({
  toolkit,
  connectionId,
}: {
  readonly toolkit: string
  readonly connectionId?: string
}): UseSignIn {
  const api = useApi()
  const [signIn, setSignIn] = useState<SignIn>(IDLE)
  const waitsFor = useRef(connectionId)

  useServerEvent('connection-change', (connection) => {
    if (connection.id === waitsFor.current) setSignIn((now) => takeConnection(now, connection))
  })

  async function run(work: () => Promise<SignIn>): Promise<void> {
    try {
      setSignIn(await work())
    } catch (error) {
      setSignIn({ type: 'failed', problem: error instanceof ApiError ? error.code : 'internal' })
    }
  }

  function start(): void {
    const opened = openSignInWindow()
    setSignIn({ type: 'opening' })
    void run(async () => {
      try {
        // A connection that was tried and failed is over; the next try is another one.
        const isUsed = signIn.type === 'failed' || signIn.type === 'declined'
        waitsFor.current =
          connectionId !== undefined && !isUsed ? connectionId : (await api.connect(toolkit)).id
        return takeReply(await api.signIn(waitsFor.current), opened)
      } catch (error) {
        opened?.close()
        throw error
      }
    })
  }

  return {
    signIn,
    start,
    giveKey(key) {
      const id = waitsFor.current
      if (id === undefined) return
      void run(async () => {
        try {
          return takeConnection({ type: 'key', isRefused: true }, await api.giveKey(id, key))
        } catch (error) {
          if (error instanceof ApiError && error.code === 'invalid') return { type: 'key', isRefused: true }
          throw error
        }
      })
    },
    decline() {
      const id = waitsFor.current
      if (id !== undefined)
        void run(async () => {
          await api.disconnect(id)
          return { type: 'declined' }
        })
    },
  }
}
