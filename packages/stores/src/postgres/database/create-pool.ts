import { Pool, types } from 'pg'

const INT8 = 20

/** The pool of connections of one node. */
export function createPool(url: string, max: number): Pool {
  const pool = new Pool({
    connectionString: withSettings(url),
    max,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 30_000,
    // A new connection parses every statement again.
    idleTimeoutMillis: 300_000,
    query_timeout: 60_000,
    application_name: 'capstan',
    types: {
      getTypeParser: ((oid: number, format: never) =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  })
  // A lost connection is noticed by the request that uses it. Without a listener, the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/**
 * A commit does not wait for the disk: `sync` does. A node that is frozen within a transaction must not hold its locks for
 * long, because another node is waiting to take over.
 */
const SETTINGS =
  '-c synchronous_commit=off -c lock_timeout=30s -c idle_in_transaction_session_timeout=10s -c client_min_messages=warning'

/** The address with our settings behind its own: the driver takes them from there. */
function withSettings(url: string): string {
  const address = new URL(url)
  const own = address.searchParams.get('options')
  address.searchParams.set('options', own === null ? SETTINGS : `${own} ${SETTINGS}`)
  return address.href
}
