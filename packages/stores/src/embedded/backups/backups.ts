import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { backup } from 'node:sqlite'
import { makeFolder } from '@capstan/harness/stores'
import type { Connection } from '../database/connection.ts'

const KEPT = 3
const NAME = /^capstan-(.+T\d\d)-(\d\d)-(\d\d)-(\d+Z)\.db$/

/** Copies of the file. Each is a whole database by itself. Only the newest few are kept. */
export interface Backups {
  /** Newest first. */
  list(): readonly string[]
  newestAt(): number | undefined
  /**
   * Copies the file in small steps while it is in use. It is read through the owner's connection: SQLite then adds what
   * is committed meanwhile to the copy, and no long read keeps the write-ahead log from being started over.
   */
  take(connection: Connection): Promise<void>
  /** Copies it at once. Answers with the name of the copy. */
  copy(connection: Connection): string
  restore(name: string): void
}

export function createBackups(folder: string, path: string, now: () => number): Backups {
  const list = (): string[] => {
    makeFolder(folder)
    // The name is a time, so they sort by age.
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .toSorted()
      .toReversed()
  }
  const keep = (unfinished: string): string => {
    const name = basename(unfinished, '.part')
    renameSync(unfinished, join(folder, name))
    for (const old of list().slice(KEPT)) rmSync(join(folder, old), { force: true })
    return name
  }
  const begin = (): string => {
    makeFolder(folder)
    for (const left of readdirSync(folder)) {
      if (left.includes('.part')) rmSync(join(folder, left), { force: true })
    }
    return join(folder, `capstan-${toFileTime(now())}.db.part`)
  }
  return {
    list,
    newestAt() {
      const [newest] = list()
      return newest === undefined ? undefined : fromFileTime(newest)
    },
    async take({ db }) {
      const unfinished = begin()
      try {
        await backup(db, unfinished)
        keep(unfinished)
      } finally {
        rmSync(unfinished, { force: true })
      }
    },
    copy({ db }) {
      const unfinished = begin()
      db.prepare('VACUUM INTO ?').run(unfinished)
      return keep(unfinished)
    },
    restore(name) {
      copyFileSync(join(folder, name), path)
    },
  }
}

/** A time as a file name that every file system allows. */
export function toFileTime(ms: number): string {
  return new Date(ms).toISOString().replaceAll(':', '-').replace('.', '-')
}

function fromFileTime(name: string): number | undefined {
  const [, hour, minute, second, rest] = NAME.exec(name) ?? []
  const ms = Date.parse(`${hour}:${minute}:${second}.${rest}`)
  return Number.isNaN(ms) ? undefined : ms
}
