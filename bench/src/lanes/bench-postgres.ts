import { Client } from 'pg'
import { startPostgres } from '../../../packages/stores/src/postgres/fixtures/start-postgres.fixture.ts'

/** The PostgreSQL server of one run. All subjects use it, each with a database of its own. */
export interface BenchPostgres {
  /** The address of a new database. */
  createDatabase(name: string): Promise<string>
  /** Stops the server and deletes everything. */
  close(): Promise<void>
}

/** Starts a server from npm with its own settings for the disk: it flushes, and a commit waits for it unless told otherwise. */
export async function startBenchPostgres(): Promise<BenchPostgres> {
  const server = await startPostgres()
  return {
    async createDatabase(name) {
      const database = name.replaceAll('-', '_')
      const client = new Client({ connectionString: server.url })
      await client.connect()
      try {
        await client.query(`CREATE DATABASE ${database}`)
      } finally {
        await client.end()
      }
      return Object.assign(new URL(server.url), { pathname: `/${database}` }).href
    },
    close: () => server.close(),
  }
}
