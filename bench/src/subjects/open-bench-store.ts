import type { Store } from '@capstan/harness/stores'
import { openPostgresStore } from '@capstan/stores/postgres'
import { databaseUrl } from '../lanes/database-url.ts'

/** The store on the database of this lane, opened once for all conversations. */
export const openBenchStore = (): Promise<Store> =>
  openPostgresStore({ url: databaseUrl(), env: { CAPSTAN_SECRET_KEY: '00'.repeat(32) } })
