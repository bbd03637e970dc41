import { configure } from '@testing-library/react'
import { ApiError, createApiClient } from '@capstan/client'
import type { ApiClient, ConnectionState, UpdateEvents, LiveConnection } from '@capstan/client'

// Pages and languages load lazily, which may take more than the default second on a busy machine.
configure({ asyncUtilTimeout: 10_000 })

export interface FakeServer {
  readonly api: ApiClient
  readonly socket: LiveConnection
  /** Sends an update to every page. */
  readonly send: <Name extends keyof UpdateEvents>(
    name: Name,
    ...args: Parameters<UpdateEvents[Name]>
  ) => void
  readonly become: (state: ConnectionState) => void
  readonly reconnects: () => number
}

/** A server for a component's test. It answers what it is given and refuses everything else. */
export function createFakeServer(answers: Partial<ApiClient> = {}): FakeServer {
  const refusing = createApiClient({
    fetch: () => Promise.reject(new ApiError({ code: 'not_found', message: 'Not given in this test.' })),
  })
  const listeners = new Map<string, Set<(...args: never[]) => void>>()
  const stateListeners = new Set<(state: ConnectionState) => void>()
  let state: ConnectionState = 'online'
  let reconnects = 0

  return {
    api: { ...refusing, ...answers },
    socket: {
      state: () => state,
      onStateChange(listener) {
        stateListeners.add(listener)
        return () => stateListeners.delete(listener)
      },
      watchThread: () => () => undefined,
      // oxlint-disable-next-line no-empty-function
      async *streamThread() {},
      on(name, listener) {
        const own = listeners.get(name) ?? new Set()
        listeners.set(name, own.add(listener))
        return () => own.delete(listener)
      },
      startTyping: () => undefined,
      reconnect: () => {
        reconnects++
      },
      reportSignedOut: () => undefined,
      close: () => undefined,
    },
    send(name, ...args) {
      for (const listener of listeners.get(name) ?? []) {
        ;(listener as (...given: unknown[]) => void)(...args)
      }
    },
    become(next) {
      state = next
      for (const listener of stateListeners) listener(next)
    },
    reconnects: () => reconnects,
  }
}
