import { Client } from 'pg'
import { createMessages } from './bell-messages.ts'
import { keepConnected } from './keep-connected.ts'

/**
 * Tells other nodes that something has changed: a topic, an id and sometimes a number, never contents. What has changed they
 * read from the tables. A ring may be lost with a connection; then `onGap` tells everybody to read again.
 */
export interface Bell {
  /** Rings of one moment are merged. Of several numbers, the highest arrives. Never throws. */
  ring(topic: string, id: string, no?: number): void
  /** Calls the listener with the rings of other nodes. The result unsubscribes. */
  on(topic: string, listener: (id: string, no: number | undefined) => void): () => void
  /** Calls the listener when rings may have been missed. The result unsubscribes. */
  onGap(listener: () => void): () => void
  close(): Promise<void>
}

interface BellOptions {
  readonly url: string
  /** Rings of this node are not reported to it. */
  readonly nodeId: string
  /** How long rings are collected. Default 10 milliseconds. */
  readonly mergeMs?: number
  /** Called with an error of a listener, or of the connection. */
  readonly onProblem: (error: unknown) => void
}

type Listener = (id: string, no: number | undefined) => void

/** Opens the bell. Settles when this node hears the others. */
export async function openBell({ url, nodeId, mergeMs = 10, onProblem }: BellOptions): Promise<Bell> {
  const listeners = new Map<string, Set<Listener>>()
  const gapListeners = new Set<() => void>()
  const messages = createMessages(nodeId)
  /** Payloads of which it is not known whether they were sent. To ring twice does no harm. */
  const unsent: string[] = []
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function safely(work: () => void): void {
    try {
      work()
    } catch (error) {
      onProblem(error)
    }
  }
  const hear = (payload: string | undefined): void => {
    for (const { topic, id, no } of messages.read(payload))
      for (const listener of listeners.get(topic) ?? []) safely(() => listener(id, no))
  }

  const connection = keepConnected({
    create: () => new Client({ connectionString: url, keepAlive: true, application_name: 'capstan bell' }),
    async prepare(client) {
      client.on('notification', ({ payload }) => hear(payload))
      await client.query('LISTEN capstan')
    },
    onReconnected() {
      gapListeners.forEach(safely)
      schedule()
    },
    onProblem,
  })
  await connection.ready

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), mergeMs)
  }

  /** Sends what was rung meanwhile, one request at a time. */
  async function flush(): Promise<void> {
    const client = connection.current
    if (client) {
      const payloads = [...unsent.splice(0), ...messages.take()]
      if (payloads.length > 0)
        await client.query(NOTIFY, [payloads]).catch(() => void unsent.push(...payloads))
    }
    timer = undefined
    // Without a connection it waits for the next one: those who hear all the time would not know that they missed it.
    const isMore = unsent.length > 0 || !messages.isEmpty
    if (isMore && connection.current && !isClosed) schedule()
  }

  return {
    ring(topic, id, no) {
      messages.add(topic, id, no)
      schedule()
    },
    on(topic, listener) {
      const own = listeners.get(topic) ?? new Set()
      listeners.set(topic, own.add(listener))
      return () => void own.delete(listener)
    },
    onGap(listener) {
      gapListeners.add(listener)
      return () => void gapListeners.delete(listener)
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await flush()
      await connection.close()
    },
  }
}

const NOTIFY = `SELECT pg_notify('capstan', payload) FROM unnest($1::text[]) AS payload`
