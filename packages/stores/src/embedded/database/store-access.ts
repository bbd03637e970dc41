import { StoreError } from '@capstan/harness'
import type { Connection } from './connection.ts'
import { toStoreError } from './store-errors.ts'

/** Every request goes through it: it refuses requests once the store is closed, and turns every error into a `StoreError`. */
export interface StoreAccess {
  readonly read: <Value>(work: () => Value) => Value
  /** In one transaction; refused when the store was opened for reading. */
  readonly write: <Value>(work: () => Value) => Value
  refuseIfClosed(): void
  refuseIfReadOnly(): void
  explain(error: unknown): StoreError
  /** True once damaged data was read. */
  hasSeenDamage(): boolean
  close(): void
}

/** `onDamage` is called at the first damage, because the process may end at any time. */
export function createStoreAccess(connection: Connection, onDamage: () => void): StoreAccess {
  let isClosed = false
  let isDamaged = false
  const refuseIfClosed = (): void => {
    if (isClosed) throw new StoreError('closed', 'The store is closed.')
  }
  const refuseIfReadOnly = (): void => {
    if (connection.isReadOnly) throw new StoreError('invalid', 'The store was opened for reading only.')
  }
  const explain = (error: unknown): StoreError => {
    const explained = toStoreError(error)
    if (explained.kind === 'damaged' && !isDamaged) {
      isDamaged = true
      onDamage()
    }
    return explained
  }
  return {
    refuseIfClosed,
    refuseIfReadOnly,
    explain,
    hasSeenDamage: () => isDamaged,
    read(work) {
      refuseIfClosed()
      try {
        return work()
      } catch (error) {
        throw explain(error)
      }
    },
    write(work) {
      refuseIfClosed()
      refuseIfReadOnly()
      try {
        return connection.transaction(work)
      } catch (error) {
        throw explain(error)
      }
    },
    close() {
      isClosed = true
    },
  }
}
