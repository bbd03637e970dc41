import type { ApiClient, LiveConnection } from '@capstan/client'
import { createClient } from '@capstan/client'

/** The two ways to a server: commands over HTTP, events over the socket. */
export interface Server {
  readonly api: ApiClient
  readonly socket: LiveConnection
}

/** Connects to the server the page came from. */
export function openServer(): Server {
  const client = createClient()
  return { api: client.api, socket: client }
}
