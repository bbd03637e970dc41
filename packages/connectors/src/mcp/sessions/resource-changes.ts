import type { Client, McpSubscription } from '@modelcontextprotocol/client'
import type { CallLimits } from './session.ts'

/** What a server tells of its resources while a session is open. */
export interface ResourceChanges {
  /** Whether the server says that it tells of changes of a resource, and of their list. */
  readonly tells: { readonly updates: boolean; readonly list: boolean }
  /** Calls the listener with the address of a resource that changed, and without one when the list did. */
  listen(listener: ResourceListener): () => void
  /** Asks to be told of these resources. Rejects when the server refuses all of them. `onEnd`: the server tells no longer. */
  subscribe(uris: readonly string[], limits: CallLimits, onEnd: () => void): Promise<void>
}

type ResourceListener = (uri: string | undefined) => void

export type ResourceListeners = Set<ResourceListener>

/** Notifications of the server reach these listeners. */
export function listenToResources(client: Client): ResourceListeners {
  const listeners: ResourceListeners = new Set()
  const notify = (uri: string | undefined): void => {
    for (const listener of listeners) listener(uri)
  }
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => notify(params.uri))
  client.setNotificationHandler('notifications/resources/list_changed', () => notify(undefined))
  return listeners
}

export function createResourceChanges(client: Client, listeners: ResourceListeners): ResourceChanges {
  const { subscribe, listChanged } = client.getServerCapabilities()?.resources ?? {}
  const tells = { updates: subscribe === true, list: listChanged === true }
  let subscription: McpSubscription | undefined

  /** One stream for all, with the newer revision. */
  async function listenTo(
    uris: readonly string[],
    { signal, timeoutMs }: CallLimits,
    onEnd: () => void,
  ): Promise<void> {
    const next = await client.listen(
      { resourceSubscriptions: [...uris], resourcesListChanged: true },
      { signal, timeout: timeoutMs },
    )
    const before = subscription
    subscription = next
    await before?.close()
    void next.closed.then((how) => {
      if (how !== 'local') onEnd()
    })
  }

  async function subscribeEach(uris: readonly string[], { signal, timeoutMs }: CallLimits): Promise<void> {
    let refusal: unknown
    let count = 0
    for (const uri of tells.updates ? uris : []) {
      try {
        await client.subscribeResource({ uri }, { signal, timeout: timeoutMs })
        count++
      } catch (error) {
        signal.throwIfAborted()
        refusal = error
      }
    }
    if (count === 0 && refusal !== undefined) throw refusal as Error
  }

  return {
    tells,
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    subscribe: (uris, limits, onEnd) =>
      client.getProtocolEra() === 'modern' ? listenTo(uris, limits, onEnd) : subscribeEach(uris, limits),
  }
}
