import type { ThreadPage, ThreadSummary } from '@capstan/protocol'

/** The loaded conversations of a view, newest first. */
export interface ThreadList {
  readonly isArchive: boolean
  readonly threads: readonly ThreadSummary[]
  /** Where the next page starts; absent after the last page. */
  readonly next?: number
}

export function emptyList(isArchive: boolean): ThreadList {
  return { isArchive, threads: [] }
}

/** Adds a page. Known threads are updated: a page may overlap with updates that arrived in the meantime. */
export function addPage(list: ThreadList, page: ThreadPage): ThreadList {
  const added = page.threads.reduce(keep, list)
  return { ...without(added), ...(page.next === undefined ? {} : { next: page.next }) }
}

/** Applies an update: a thread was created, changed, archived or restored. */
export function applyThread(list: ThreadList, thread: ThreadSummary): ThreadList {
  const last = list.threads.at(-1)
  const isKnown = list.threads.some(({ id }) => id === thread.id)
  // Older than the loaded pages: a later page will contain it.
  if (!isKnown && list.next !== undefined && last && thread.updatedAt < last.updatedAt) return list
  return keep(list, thread)
}

export function removeThread(list: ThreadList, threadId: string): ThreadList {
  return { ...list, threads: list.threads.filter(({ id }) => id !== threadId) }
}

function keep(list: ThreadList, thread: ThreadSummary): ThreadList {
  const others = list.threads.filter(({ id }) => id !== thread.id)
  if ((thread.archivedAt !== undefined) !== list.isArchive) return { ...list, threads: others }
  const at = others.findIndex(({ updatedAt }) => updatedAt < thread.updatedAt)
  return { ...list, threads: at === -1 ? [...others, thread] : others.toSpliced(at, 0, thread) }
}

function without({ isArchive, threads }: ThreadList): ThreadList {
  return { isArchive, threads }
}

export type DayGroup =
  | { readonly kind: 'today' | 'yesterday' | 'week'; readonly threads: readonly ThreadSummary[] }
  /** `month` is its first millisecond. */
  | { readonly kind: 'month'; readonly month: number; readonly threads: readonly ThreadSummary[] }

/** Groups threads by the day or month of their last change, newest first, in the browser's calendar. */
export function groupByDay(threads: readonly ThreadSummary[], now: number): readonly DayGroup[] {
  const today = startOfDay(now, 0)
  const yesterday = startOfDay(now, -1)
  const week = startOfDay(now, -7)
  const groups = new Map<
    string,
    { -readonly [Name in keyof DayGroup]: DayGroup[Name] } & { month?: number }
  >()
  for (const thread of threads) {
    const at = thread.updatedAt
    const kind = at >= today ? 'today' : at >= yesterday ? 'yesterday' : at >= week ? 'week' : 'month'
    const month = kind === 'month' ? startOfMonth(at) : undefined
    const key = `${kind} ${month ?? ''}`
    const group = groups.get(key)
    if (group) group.threads = [...group.threads, thread]
    else groups.set(key, { kind, threads: [thread], ...(month === undefined ? {} : { month }) })
  }
  return [...groups.values()] as DayGroup[]
}

function startOfDay(at: number, days: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

function startOfMonth(at: number): number {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth()).getTime()
}
