import type { Subject } from '../subject.ts'
import { mastraOnPostgres } from './mastra-on-postgres.ts'

/** Messages are written after steps (`savePerStep`: in `loop10`, three times in a turn), and wait for the disk. */
export const subject: Subject = await mastraOnPostgres('on', 'each step')
