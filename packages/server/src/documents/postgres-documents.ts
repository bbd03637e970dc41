import { StoreError } from '@capstan/harness'
import type { Bell, DocumentRow, DocumentRows } from '@capstan/stores/postgres'
import type { Documents } from './documents.ts'
import { createOneByOne } from './one-by-one.ts'

const TOPIC = 'documents'

/** Documents that nodes share. */
export interface SharedDocuments extends Documents {
  /** Stops following other nodes. */
  close(): Promise<void>
}

interface SharedDocumentsOptions {
  readonly rows: DocumentRows
  readonly bell: Bell
  /** How often versions are compared, in case a ring was lost. Default 5 seconds. */
  readonly compareMs?: number
  readonly onProblem: (error: unknown) => void
}

/**
 * Opens the documents in a shared database: all of them are read into memory. A change of another node counts here when its
 * ring arrives, and at the latest when versions are compared.
 */
export async function openPostgresDocuments(options: SharedDocumentsOptions): Promise<SharedDocuments> {
  const { rows, bell, compareMs = 5_000, onProblem } = options
  const known = new Map<string, Omit<DocumentRow, 'name'>>()
  const listeners = new Set<(name: string) => void>()
  const oneByOne = createOneByOne()
  const versionOf = (name: string): number => known.get(name)?.version ?? 0

  /** An older row is ignored: answers of the database may overtake each other. */
  function apply({ name, version, text }: DocumentRow): void {
    if (version <= versionOf(name)) return
    known.set(name, { version, text })
    for (const listener of listeners) {
      try {
        listener(name)
      } catch (error) {
        onProblem(error)
      }
    }
  }

  async function refresh(names: readonly string[]): Promise<void> {
    for (const row of await rows.read(names)) apply(row)
  }

  async function compare(): Promise<void> {
    const versions = await rows.versions()
    await refresh([...versions].filter(([name, version]) => version > versionOf(name)).map(([name]) => name))
  }

  /** A database that cannot be reached is reported once. */
  let isReported = false
  async function follow(work: Promise<void>): Promise<void> {
    try {
      await work
      isReported = false
    } catch (error) {
      if (!isReported) onProblem(error)
      isReported = true
    }
  }
  let comparing: Promise<void> | undefined
  const compareSoon = (): void => {
    comparing ??= follow(compare()).finally(() => (comparing = undefined))
  }

  const stops = [
    bell.on(TOPIC, (name, version) => {
      if (version === undefined || version > versionOf(name)) void follow(refresh([name]))
    }),
    bell.onGap(compareSoon),
  ]
  await compare()
  const timer = setInterval(compareSoon, compareMs).unref()

  return {
    load: async () => {},
    read(name) {
      const row = known.get(name)
      // What cannot be opened is no JSON, so whoever reads it sees that it is damaged.
      return row && (row.text ?? '')
    },
    change: (name, work) =>
      oneByOne(name, async () => {
        for (;;) {
          await refresh([name])
          const version = versionOf(name)
          const next = work(known.get(name) && (known.get(name)!.text ?? ''))
          if (next === undefined) return
          if (!(await rows.write(name, version, next))) continue
          if (versionOf(name) <= version) known.set(name, { version: version + 1, text: next })
          return bell.ring(TOPIC, name, version + 1)
        }
      }),
    watch(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    setAside(name) {
      throw new StoreError('damaged', `The document "${name}" in the database is not what was written.`)
    },
    async close() {
      clearInterval(timer)
      for (const stop of stops) stop()
      await comparing
    },
  }
}
