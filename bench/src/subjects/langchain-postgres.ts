import type { Subject } from '../subject.ts'
import { langchainOnPostgres } from './langchain-on-postgres.ts'

/** A checkpoint is written before the next step begins, and waits for the disk. */
export const subject: Subject = await langchainOnPostgres('on', 'sync')
