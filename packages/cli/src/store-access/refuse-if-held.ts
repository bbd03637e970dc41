import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../shell/shell.ts'
import { USER_ID } from './open-store.ts'

/** Throws a `CommandError` while everything is stopped in this data folder. */
export async function refuseIfHeld(home: string): Promise<void> {
  if (!existsSync(join(home, 'hold.json'))) return // most often: then the server need not be loaded
  const { createFileDocuments, openHolds } = await import('@capstan/server')
  if (openHolds(createFileDocuments(home)).of(USER_ID))
    throw new CommandError('Everything is stopped. Run "capstan release" to let turns start again.')
}
