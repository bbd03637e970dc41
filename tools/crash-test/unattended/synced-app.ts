import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { SyncEntry, SyncPage } from '@capstan/harness/memory'

/** How an app tells what it holds. */
export const APP_KINDS = ['list', 'newest-first', 'changes'] as const
export type AppKind = (typeof APP_KINDS)[number]

/** What a process asks of an app. */
export type AppQuestion =
  | { readonly app: AppKind; readonly page: string | null }
  | { readonly app: AppKind; readonly read: string }

/** How an app fails: each fault is for one request. */
export type AppFault = 'busy' | 'drops' | 'hangs'

/** Apps that outlive the processes of a round. What they hold changes while they are read. */
export interface SyncedApps {
  readonly url: string
  /** The items that an app holds now. */
  items(app: AppKind): ReadonlyMap<string, SyncEntry>
  write(app: AppKind, id: string, at: number): void
  remove(app: AppKind, id: string): void
  /** The next requests fail like this, and those after them do not. */
  fail(faults: readonly AppFault[]): void
  /** Called before each answer. */
  onRequest: (n: number) => void
  stop(): void
}

interface Kept {
  /** Undefined: it was deleted. */
  readonly entry: SyncEntry | undefined
  /** Grows with each change of the app. */
  readonly order: number
}

export async function startSyncedApps(pageSize: number): Promise<SyncedApps> {
  const kept = new Map(APP_KINDS.map((app) => [app, new Map<string, Kept>()]))
  const faults: AppFault[] = []
  let order = 0
  let requests = 0
  const http = createServer((request, response) => {
    answer(request, response).catch(() => void response.destroy())
  })

  const itemsOf = (app: AppKind): Map<string, SyncEntry> =>
    new Map([...kept.get(app)!].flatMap(([id, { entry }]) => (entry ? [[id, entry] as const] : [])))

  function pageOf(app: AppKind, cursor: string | null): SyncPage {
    const all = [...kept.get(app)!].map(([id, one]) => ({ id, ...one }))
    if (app === 'changes') {
      const later = all.filter((one) => one.order > Number(cursor ?? 0)).toSorted((a, b) => a.order - b.order)
      const page = later.slice(0, pageSize)
      const end = String(page.at(-1)?.order ?? cursor ?? 0)
      return {
        entries: page.flatMap(({ entry }) => (entry ? [entry] : [])),
        deleted: page.flatMap(({ id, entry }) => (entry ? [] : [id])),
        ...(page.length < later.length ? { next: end } : { resume: end }),
      }
    }
    // The cursor is a place in the order, so that what is deleted before it moves nothing.
    const isNewestFirst = app === 'newest-first'
    const keyOf = (one: { id: string; order: number }): number =>
      isNewestFirst ? -one.order : toNumber(one.id)
    const later = all
      .filter((one) => one.entry !== undefined && (cursor === null || keyOf(one) > Number(cursor)))
      .toSorted((a, b) => keyOf(a) - keyOf(b))
    const page = later.slice(0, pageSize)
    return {
      entries: page.map(({ entry }) => withoutText(entry!)),
      ...(page.length < later.length && { next: String(keyOf(page.at(-1)!)) }),
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = (await json(request)) as AppQuestion
    app.onRequest(++requests)
    const fault = faults.shift()
    if (fault === 'hangs') return
    if (fault === 'drops') return void response.destroy()
    if (fault === 'busy') return void response.writeHead(503).end()
    const found = 'page' in asked ? pageOf(asked.app, asked.page) : itemsOf(asked.app).get(asked.read)
    response.end(JSON.stringify(found ?? null))
  }

  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const app: SyncedApps = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    items: itemsOf,
    write(name, id, at) {
      const version = String(++order)
      const text = `${toWord(name, id, version)} stands in ${id}.`
      kept.get(name)!.set(id, { entry: { id, version, at, title: `Item ${id}`, text }, order })
    },
    remove: (name, id) => void kept.get(name)!.set(id, { entry: undefined, order: ++order }),
    fail: (next) => void faults.splice(0, faults.length, ...next),
    onRequest: () => {},
    stop() {
      http.closeAllConnections()
      http.close()
    },
  }
  return app
}

/** A word that only one version of one item has. */
export const toWord = (app: AppKind, id: string, version: string): string =>
  `${app.replace('-', '')}${id}version${version}`

const toNumber = (id: string): number => Number(id.replaceAll(/\D/g, ''))

function withoutText(entry: SyncEntry): SyncEntry {
  const { text: _, ...rest } = entry
  return rest
}
