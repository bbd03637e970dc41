import type { Subject } from '../subject.ts'
import { mastraOnPostgres } from './mastra-on-postgres.ts'

/** Its default: messages are written when the turn is over, and do not wait for the disk. A crash loses the turn. */
export const subject: Subject = await mastraOnPostgres('off', 'at the end')
