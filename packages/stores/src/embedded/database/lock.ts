import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreError } from '@capstan/harness'
import { isDamage, toStoreError } from './store-errors.ts'

/**
 * Makes this the one owner of the folder until the result is called. The lock is the operating system's, held through
 * an open transaction on a file of its own, so it ends with the process however that ends. The number of the process
 * is written beside it only for the message of the next one.
 */
export function lockFolder(folder: string): () => void {
  const pidFile = join(folder, 'lock.pid')
  let lock: DatabaseSync
  try {
    lock = takeLock(join(folder, 'lock'))
  } catch (error) {
    if (toStoreError(error).kind !== 'locked') throw error
    throw new StoreError(
      'locked',
      `Another process (${readPid(pidFile)}) is using the store in ${folder}. Stop it first, or use another folder.`,
      { cause: error },
    )
  }
  try {
    writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 })
  } catch {
    // On a full disk the lock still holds; only the message of the next process names no pid.
  }
  return () => {
    rmSync(pidFile, { force: true })
    lock.close()
  }
}

function takeLock(path: string): DatabaseSync {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (!isDamage(error)) throw error
    // No process holds it, or the error would be another. It is emptied and not replaced, so that it stays the same file.
    truncateSync(path)
    return takeLock(path)
  }
}

function readPid(file: string): string {
  try {
    const pid = readFileSync(file, 'utf8').trim()
    return pid === '' ? 'unknown' : `pid ${pid}`
  } catch {
    return 'unknown'
  }
}
