import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'

/** One connection of its own, made again whenever it is lost. */
export interface KeptConnection {
  /** Undefined while there is none. */
  readonly current: Client | undefined
  /** Settles with the first connection. Rejects when there is none at first. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

interface KeepOptions {
  readonly create: () => Client
  /** Makes a new connection usable. */
  readonly prepare: (client: Client) => Promise<void>
  readonly onLost?: () => void
  readonly onReconnected?: () => void
  readonly onProblem: (error: unknown) => void
}

const MAX_PAUSE_MS = 1_000

export function keepConnected(options: KeepOptions): KeptConnection {
  const { create, prepare, onLost, onReconnected, onProblem } = options
  let current: Client | undefined
  let isClosed = false

  async function connect(): Promise<void> {
    const client = create()
    client.on('error', () => {}) // `end` follows
    client.on('end', () => {
      if (current !== client) return
      current = undefined
      onLost?.()
      if (!isClosed) void reconnect()
    })
    try {
      await client.connect()
      await prepare(client)
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    if (isClosed) return void client.end().catch(() => {})
    current = client
  }

  async function reconnect(): Promise<void> {
    for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      if (isClosed) return
      try {
        await connect()
        if (!isClosed) onReconnected?.()
        return
      } catch (error) {
        if (pauseMs === MAX_PAUSE_MS) onProblem(error)
        await sleep(pauseMs)
      }
    }
  }

  return {
    get current() {
      return current
    },
    ready: connect(),
    async close() {
      isClosed = true
      const client = current
      current = undefined
      await client?.end().catch(() => {})
    },
  }
}
