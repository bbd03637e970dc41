import { join } from 'node:path'
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite'
import { storeFolder } from '../lanes/store-folder.ts'
import type { Subject } from '../subject.ts'
import { langchainOn } from './langchain.ts'

const checkpointer = SqliteSaver.fromConnString(join(storeFolder(), 'checkpoints.sqlite'))
// What its driver chooses for a file that is already in WAL, and what every SQLite subject here is given.
checkpointer.db.pragma('synchronous = NORMAL')

/**
 * With its SQLite checkpointer, one file for all threads, in the mode that promises what a ledger does: a checkpoint
 * is written before the next step begins.
 */
export const subject: Subject = langchainOn({ checkpointer, durability: 'sync' })
