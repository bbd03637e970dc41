export { openPostgresStore } from './open-store.ts'
export type { PostgresStoreOptions } from './open-store.ts'
