import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres'
import { databaseUrl } from '../lanes/database-url.ts'
import type { SynchronousCommit } from '../lanes/database-url.ts'
import type { Subject } from '../subject.ts'
import { langchainOn } from './langchain.ts'
import type { LangchainPersistence } from './langchain.ts'

/** With its PostgreSQL checkpointer, one for all threads. A thread begins with its first checkpoint. */
export async function langchainOnPostgres(
  synchronousCommit: SynchronousCommit,
  durability: LangchainPersistence['durability'],
): Promise<Subject> {
  const checkpointer = PostgresSaver.fromConnString(databaseUrl(synchronousCommit))
  await checkpointer.setup()
  return langchainOn({ checkpointer, durability })
}
