import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SecretVault } from '@capstan/harness/stores'

/** Everything an authorisation server of this process ever handed out, and everything a vault ever held. */
export interface IssuedSecrets {
  /** By value, with what it is. */
  readonly all: ReadonlyMap<string, string>
  /** How often the token endpoint answered well. */
  readonly exchanges: number
  /** The vault, watched. */
  watch(vault: SecretVault): SecretVault
  add(what: string, secret: string): void
  stop(): void
}

const HANDED_OUT = ['access_token', 'refresh_token', 'id_token', 'client_secret', 'registration_access_token']
const REQUEST_START = 'http.server.request.start'

/** Listens at the server's own responses, so that nothing depends on what the client makes of them. */
export function collectSecrets(serverUrl: string): IssuedSecrets {
  const { host } = new URL(serverUrl)
  const all = new Map<string, string>()
  let exchanges = 0

  function onRequest(message: unknown): void {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    const path = request.url?.split('?')[0] ?? ''
    if (request.headers.host !== host || !/^\/oauth\/(?:token|register)$/u.test(path)) return
    const chunks: string[] = []
    const keep = (chunk: unknown): void => {
      if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) chunks.push(chunk.toString())
    }
    const write = response.write.bind(response) as (...args: unknown[]) => boolean
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse
    response.write = (...args: unknown[]) => {
      keep(args[0])
      return write(...args)
    }
    response.end = (...args: unknown[]) => {
      keep(args[0])
      note(path, response.statusCode, chunks.join(''))
      return end(...args)
    }
  }

  function note(path: string, status: number, body: string): void {
    if (status >= 300) return
    if (path.endsWith('/token')) exchanges++
    for (const [name, value] of Object.entries(JSON.parse(body) as Record<string, unknown>))
      if (HANDED_OUT.includes(name) && typeof value === 'string') all.set(value, name)
  }

  subscribe(REQUEST_START, onRequest)
  return {
    all,
    get exchanges() {
      return exchanges
    },
    watch: (vault) => ({
      read: (id) => vault.read(id),
      write(id, secret) {
        collect(secret, all)
        return vault.write(id, secret)
      },
      delete: (id) => vault.delete(id),
    }),
    add: (what, secret) => void all.set(secret, what),
    stop: () => void unsubscribe(REQUEST_START, onRequest),
  }
}

/** By the names under which the vault holds what must not be seen. */
const KEPT = new Set(['access', 'refresh', 'verifier', 'client_secret', 'registration_access_token'])

function collect(value: unknown, all: Map<string, string>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'string' && KEPT.has(name)) all.set(part, all.get(part) ?? name)
    else collect(part, all)
  }
}
