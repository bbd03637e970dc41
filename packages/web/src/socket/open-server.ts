import type { ApiClient, LiveConnection } from '@capstan/client'
import { createClient } from '@capstan/client'
import type { LoginAgain } from './login-again.ts'
import { createLoginAgain } from './login-again.ts'

/** The two ways to a server: commands over HTTP, events over the socket. */
export interface Server {
  readonly api: ApiClient
  readonly socket: LiveConnection
  /** Absent: a request that needs a fresh login is refused. */
  readonly loginAgain?: LoginAgain
}

/** Connects to the server the page came from. */
export function openServer(): Server {
  const loginAgain = createLoginAgain()
  const client = createClient({ onLoginAgain: () => loginAgain.ask() })
  return { api: client.api, socket: client, loginAgain }
}
