import type { Subject } from '../subject.ts'
import { langchainOnPostgres } from './langchain-on-postgres.ts'

/** Its default: a checkpoint is written while the next step runs, which a crash may lose. It does not wait for the disk. */
export const subject: Subject = await langchainOnPostgres('off', 'async')
