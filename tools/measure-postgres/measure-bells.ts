import { Client } from 'pg'
import { serverTimeMs } from './processor-time.ts'
import type { Report } from './report.ts'
import { percentile, toDigits } from './report.ts'

/** What a ring costs the server, and how long it takes until the last of the listening nodes has heard it. */
export async function measureBells(
  url: string,
  listeners: number,
  rings: number,
  report: Report,
): Promise<void> {
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: url })
    await client.connect()
    return client
  }
  const sender = await connect()
  const { rows } = await sender.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const all = await Promise.all(Array.from({ length: listeners }, connect))
  let heard = 0
  let onAll = (): void => {}
  for (const client of all) {
    client.on('notification', () => {
      if (++heard === listeners) onAll()
    })
    await client.query('LISTEN bells')
  }
  const payload = JSON.stringify(['node_1', [['thread', 'thread_00000000-0000-4000-8000-000000000000', 42]]])
  const ring = async (): Promise<number> => {
    heard = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    onAll = resolve
    const before = performance.now()
    await sender.query({ name: 'ring', text: `SELECT pg_notify('bells', $1)`, values: [payload] })
    if (listeners > 0) await promise
    return performance.now() - before
  }
  for (let n = 0; n < 100; n++) await ring()
  const cpuMs = serverTimeMs(rows[0]!.pid)
  const took: number[] = []
  for (let n = 0; n < rings; n++) took.push(await ring())
  report(`a ring with ${listeners} listeners`, {
    'µs of PostgreSQL': toDigits((1_000 * (serverTimeMs(rows[0]!.pid) - cpuMs)) / rings, 0),
    'p50 ms': percentile(took, 50),
    'p99 ms': percentile(took, 99),
  })
  await Promise.all([sender, ...all].map((client) => client.end()))
}
