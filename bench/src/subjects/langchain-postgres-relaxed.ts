import type { Subject } from '../subject.ts'
import { langchainOnPostgres } from './langchain-on-postgres.ts'

/** A checkpoint is written before the next step begins, and does not wait for the disk. */
export const subject: Subject = await langchainOnPostgres('off', 'sync')
