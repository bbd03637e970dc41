import { Pool } from 'pg'

/** Connections for a library that keeps tables of its own in the database, with the settings of the server. */
export function openPlainPool(url: string, max: number): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 30_000,
    application_name: 'capstan queue',
    // A node that is frozen within a transaction must not hold its locks for long.
    idle_in_transaction_session_timeout: 10_000,
  })
  // A lost connection is noticed by the request that uses it. Without a listener, the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}
