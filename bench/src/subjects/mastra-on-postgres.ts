import { Memory } from '@mastra/memory'
import { PostgresStore } from '@mastra/pg'
import { databaseUrl } from '../lanes/database-url.ts'
import type { SynchronousCommit } from '../lanes/database-url.ts'
import type { Subject } from '../subject.ts'
import { mastraOn } from './mastra.ts'

/** With its memory on PostgreSQL. The thread is created within the measured time. */
export async function mastraOnPostgres(
  synchronousCommit: SynchronousCommit,
  saves: 'each step' | 'at the end',
): Promise<Subject> {
  const storage = new PostgresStore({ id: 'bench', connectionString: databaseUrl(synchronousCommit) })
  await storage.init()
  return mastraOn(new Memory({ storage }), { createsThread: 'in time', savePerStep: saves === 'each step' })
}
