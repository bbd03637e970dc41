import { join } from 'node:path'
import { LibSQLStore } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import { storeFolder } from '../lanes/store-folder.ts'
import type { Subject } from '../subject.ts'
import { mastraOn } from './mastra.ts'

const storage = new LibSQLStore({ id: 'bench', url: `file:${join(storeFolder(), 'mastra.db')}` })
await storage.init()

/**
 * With its memory on a libSQL file. Messages are written when the turn is over, as is its default; after a crash in
 * the middle of a turn nothing of that turn is left.
 */
export const subject: Subject = mastraOn(new Memory({ storage }))
