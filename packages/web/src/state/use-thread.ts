import { useSyncExternalStore } from 'react'
import type { ApiClient, LiveConnection } from '@capstan/client'
import { ApiError } from '@capstan/client'
import { useApi, useSocket } from '../socket/server-context.tsx'
import type { KeptMessage, SendProblem } from './outbox.ts'
import { createOutbox } from './outbox.ts'
import type { ThreadSnapshot, ThreadStore } from './thread-store.ts'
import { createThreadStore } from './thread-store.ts'

const PAGE_LIMIT = 1000
/** How many threads are kept, so that going back to one is instant. The oldest is dropped. */
const MAX_KEPT = 12

const kept = new WeakMap<ApiClient, Map<string, ThreadStore>>()

/** The store of a thread. All components of a page share one. */
export function useThreadStore(threadId: string): ThreadStore {
  return openThreadStore(threadId, useApi(), useSocket())
}

export function useThread(threadId: string): ThreadSnapshot {
  const { subscribe, snapshot } = useThreadStore(threadId)
  return useSyncExternalStore(subscribe, snapshot)
}

export function openThreadStore(threadId: string, api: ApiClient, socket: LiveConnection): ThreadStore {
  const stores = kept.get(api) ?? new Map<string, ThreadStore>()
  kept.set(api, stores)
  const store = stores.get(threadId) ?? createStore(threadId, api, socket)
  // The one used last is dropped last.
  stores.delete(threadId)
  stores.set(threadId, store)
  const [oldest] = stores.keys()
  if (stores.size > MAX_KEPT && oldest !== undefined) stores.delete(oldest)
  return store
}

function createStore(threadId: string, api: ApiClient, socket: LiveConnection): ThreadStore {
  return createThreadStore({
    loadPage: (after, signal) => api.events(threadId, { after, limit: PAGE_LIMIT, signal }),
    isUnknown: (error) => error instanceof ApiError && error.code === 'not_found',
    watch: (after, onEvent, onUnknown) =>
      socket.watchThread(threadId, {
        after,
        onEvent,
        onState: (state) => {
          if (state === 'unknown') onUnknown()
        },
      }),
    createOutbox: (onChange) =>
      createOutbox({
        post: (message) => api.sendMessage(threadId, message),
        toProblem,
        onChange,
        storage: keptMessages(threadId),
      }),
  })
}

/** An error as the outbox shows it. */
function toProblem(error: unknown): SendProblem {
  if (!(error instanceof ApiError)) return { code: 'internal' }
  const { code, field, retryAfterMs } = error
  return {
    code,
    ...(field === undefined ? undefined : { field }),
    ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
  }
}

function keptMessages(threadId: string): {
  read(): readonly KeptMessage[]
  write(messages: readonly KeptMessage[]): void
} {
  const name = `capstan.outbox.${threadId}`
  return {
    read() {
      try {
        const list: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
        return Array.isArray(list) ? list.filter(isKeptMessage) : []
      } catch {
        return []
      }
    },
    // Storage may be full or switched off; the page itself still holds the message.
    write(messages) {
      try {
        if (messages.length === 0) localStorage.removeItem(name)
        else localStorage.setItem(name, JSON.stringify(messages))
      } catch {
        return
      }
    },
  }
}

function isKeptMessage(value: unknown): value is KeptMessage {
  return (
    typeof value === 'object' &&
    value !== null &&
    'messageId' in value &&
    typeof value.messageId === 'string' &&
    'text' in value &&
    typeof value.text === 'string' &&
    'mode' in value &&
    typeof value.mode === 'string'
  )
}
