import type { Borrowed, Query, Requests } from './requests.ts'
import { isConnectionLoss, isSerializationFailure } from './store-errors.ts'

/** How a transaction runs. */
export interface TransactionOptions {
  /** All statements see the same moment, and change nothing. */
  readonly isSnapshot?: boolean
}

const MAX_ATTEMPTS = 5

/**
 * Runs the work in one transaction, whole or not at all, and waits for the disk. The work may be called again when nothing of it was stored. When
 * the connection is lost while it is committed, the database is asked whether it was.
 */
export async function runTransaction<Value>(
  requests: Requests,
  work: (query: Query) => Promise<Value>,
  { isSnapshot = false }: TransactionOptions = {},
): Promise<Value> {
  const begin = isSnapshot
    ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
    : 'BEGIN; SET LOCAL synchronous_commit TO on; SELECT pg_current_xact_id() AS xid'
  for (let attempt = 1; ; attempt++) {
    try {
      return await requests.persist(() =>
        requests.borrow((client) => attemptOnce(requests, client, work, begin)),
      )
    } catch (error) {
      if (!isSerializationFailure(error) || attempt >= MAX_ATTEMPTS) throw error
    }
  }
}

async function attemptOnce<Value>(
  requests: Requests,
  client: Borrowed,
  work: (query: Query) => Promise<Value>,
  begin: string,
): Promise<Value> {
  const [started] = await client.run<{ xid?: string }>(begin)
  let value: Value
  try {
    value = await work(client.query)
  } catch (error) {
    await client.run('ROLLBACK').catch(() => client.markBroken())
    throw error
  }
  await client.run('COMMIT').catch(async (error: unknown) => {
    client.markBroken()
    const isSettled = isConnectionLoss(error) && started?.xid !== undefined
    if (!isSettled || !(await isCommitted(requests, started.xid!))) throw error
  })
  return value
}

/** The outcome of a transaction whose connection was lost while it was committed. */
const isCommitted = ({ persist, send }: Requests, xid: string): Promise<boolean> =>
  persist(async () => {
    const [row] = await send<{ status: string | null }>('SELECT pg_xact_status($1::xid8) AS status', [xid])
    // The server has not noticed yet. It is asked again, as after a lost connection.
    if (row?.status === 'in progress') throw Object.assign(new Error('not settled yet'), { code: '08006' })
    return row?.status === 'committed'
  })
