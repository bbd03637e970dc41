import { readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import { makeFolder } from '@capstan/harness/stores'
import type { Documents } from './documents.ts'
import { createOneByOne } from './one-by-one.ts'
import { writeWhole } from './write-whole.ts'

/** Documents as files of a data folder, which one process uses. Throws a `StoreError` when it cannot be made. */
export function createFileDocuments(folder: string): Documents {
  const texts = new Map<string, string | undefined>()
  const oneByOne = createOneByOne()
  const fileOf = (name: string): string => `${name}.json`
  const explain = (name: string, error: unknown): StoreError => toStoreError(error, folder, fileOf(name))

  try {
    makeFolder(folder)
  } catch (error) {
    throw explain('documents', error)
  }

  function read(name: string): string | undefined {
    if (!texts.has(name)) texts.set(name, readFile(name))
    return texts.get(name)
  }

  function readFile(name: string): string | undefined {
    try {
      return readFileSync(join(folder, fileOf(name)), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw explain(name, error)
    }
  }

  /** An unreadable file may be replaced, by those who know what to do with a damaged one. */
  function readForChange(name: string): string | undefined {
    try {
      return read(name)
    } catch {
      return ''
    }
  }

  return {
    load: async () => {},
    read,
    change: (name, work) =>
      oneByOne(name, async () => {
        const next = work(readForChange(name))
        if (next === undefined) return
        try {
          await writeWhole(join(folder, fileOf(name)), next)
        } catch (error) {
          throw explain(name, error)
        }
        texts.set(name, next)
      }),
    watch: () => () => {},
    setAside(name, at) {
      const aside = `${name}.damaged-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}.json`
      try {
        renameSync(join(folder, fileOf(name)), join(folder, aside))
      } catch (error) {
        throw explain(name, error)
      }
      texts.set(name, undefined)
      return aside
    },
  }
}

function toStoreError(error: unknown, folder: string, file: string): StoreError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return code === 'ENOSPC'
    ? new StoreError('full', `There is no space left on the disk, so ${file} was not stored.`)
    : new StoreError('io', `The folder ${folder} cannot be used for ${file} (${code}).`)
}
