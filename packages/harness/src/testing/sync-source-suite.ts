import { afterEach, describe, expect, it } from 'vitest'
import type { SyncEntry, SyncPage, SyncSource } from '../ports/sync-source.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'

/** A source with its own app behind it, which holds at least three items. Leave out what the app cannot do. */
export interface SyncSourceUnderTest {
  readonly source: SyncSource
  /** Items that are there, by their ids, and a part of the text of each. */
  readonly items: Readonly<Record<string, string>>
  /** The app changes an item: its text contains this. */
  readonly change?: (id: string, text: string) => MaybePromise<void>
  /** The app deletes an item. */
  readonly remove?: (id: string) => MaybePromise<void>
  /** The app answers no request from now on, and leaves all of them open. */
  readonly hang: () => MaybePromise<void>
  /** The app fails every request from now on. */
  readonly breakDown: () => MaybePromise<void>
  /**
   * The app holds this text from now on as id, title, text, people and version of an item, as far as it can, and the item twice.
   */
  readonly plant?: (text: string) => MaybePromise<void>
  readonly stop?: () => MaybePromise<void>
}

const NEVER = new AbortController().signal
const MOST_PAGES = 50
const MOST_ID_CHARS = 2_000
const MOST_TEXT_CHARS = 100_000

/** The contract suite of `SyncSource`. `create` answers with a new source and an app of its own. */
export function testSyncSource(name: string, create: () => Promise<SyncSourceUnderTest>): void {
  describe(`${name} as a sync source`, () => {
    const opened: SyncSourceUnderTest[] = []
    const open = async (): Promise<SyncSourceUnderTest> => {
      const subject = await create()
      opened.push(subject)
      return subject
    }
    afterEach(async () => {
      for (const { stop } of opened.splice(0)) await stop?.()
    })

    testPages(open)
    testChanges(open)
    testTrouble(open)
  })
}

type Open = () => Promise<SyncSourceUnderTest>

function testPages(open: Open): void {
  it('has pages that end, with every item and its text', async () => {
    const { source, items } = await open()
    const { entries, pages } = await readAll(source)
    expect([...entries.keys()].toSorted()).toEqual(Object.keys(items).toSorted())
    for (const [id, text] of Object.entries(items)) expect(entries.get(id)?.text).toContain(text)
    expect(pages.at(-1)?.next).toBeUndefined()
    for (const { next, resume } of pages) {
      for (const cursor of [next, resume]) if (cursor !== undefined) expect(cursor).toBeTypeOf('string')
    }
  })

  it('answers a page that is asked for again with the same items', async () => {
    const { source } = await open()
    const first = await source.page(undefined, NEVER)
    expect(idsOf(await source.page(undefined, NEVER))).toEqual(idsOf(first))
    if (first.next === undefined) return
    const second = await source.page(first.next, NEVER)
    expect(idsOf(await source.page(first.next, NEVER))).toEqual(idsOf(second))
  })

  it('goes on from its cursors in another process', async () => {
    const { source } = await open()
    const { pages } = await readAll(source, (cursor) =>
      cursor === undefined ? undefined : (JSON.parse(JSON.stringify(cursor)) as string),
    )
    const all = pages.flatMap(idsOf)
    expect(new Set(all).size).toBe(all.length)
  })

  it('keeps the versions of items that did not change', async () => {
    const { source } = await open()
    const first = await readAll(source)
    const second = await readAll(source)
    for (const [id, { version }] of first.entries) {
      expect(version).toBeDefined()
      expect(second.entries.get(id)?.version).toBe(version)
    }
  })

  it('says what a sync is expected to need, or nothing', async () => {
    const { source, items } = await open()
    const expected = await source.expect?.(NEVER)
    if (!expected) return
    expect(expected.items).toBe(Object.keys(items).length)
    expect(expected.requests).toBeGreaterThan(0)
  })
}

function testChanges(open: Open): void {
  it('has another version and the new text of an item that changed', async ({ skip }) => {
    const { source, change, items } = await open()
    if (!change) return skip()
    const [id] = Object.keys(items) as [string]
    const before = await readAll(source)
    await change(id, 'The boathouse is red now.')
    const after = await readAll(source, undefined, before.pages.at(-1)?.resume)
    expect(after.entries.get(id)?.version).not.toBe(before.entries.get(id)?.version)
    expect(after.entries.get(id)?.text).toContain('The boathouse is red now.')
    if (source.kind === 'changes') expect(after.entries.size).toBeLessThan(before.entries.size)
  })

  it('no longer lists an item that was deleted, or names it', async ({ skip }) => {
    const { source, remove, items } = await open()
    if (!remove) return skip()
    const [id] = Object.keys(items) as [string]
    const before = await readAll(source)
    await remove(id)
    const after = await readAll(source, undefined, before.pages.at(-1)?.resume)
    expect([...after.entries.keys()]).not.toContain(id)
    if (source.kind === 'changes') expect(after.pages.flatMap(({ deleted = [] }) => deleted)).toContain(id)
    const entry = before.entries.get(id)!
    if (source.read) expect(await readOrError(source, entry)).not.toHaveProperty('text')
  })
}

function testTrouble(open: Open): void {
  it('ends at once when it is aborted', async () => {
    const { source, hang } = await open()
    const { entries } = await source.page(undefined, NEVER)
    await hang()
    const stop = new AbortController()
    const page = source.page(undefined, stop.signal)
    const read = entries[0] && source.read?.(entries[0], stop.signal)
    stop.abort(new Error('stopped'))
    await expect(page).rejects.toThrow()
    if (read) await expect(read).rejects.toThrow()
    await expect(source.page(undefined, AbortSignal.abort(new Error('stopped')))).rejects.toThrow()
  })

  it('rejects when the app fails, and never answers with an empty list', async () => {
    const { source, breakDown } = await open()
    await source.page(undefined, NEVER)
    await breakDown()
    await expect(source.page(undefined, NEVER)).rejects.toThrow()
  })

  it('bounds hostile values, and lists an id once', async ({ skip }) => {
    const { source, plant } = await open()
    if (!plant) return skip()
    for (const text of HOSTILE) {
      await plant(text)
      const { entries, pages } = await readAll(source)
      for (const page of pages) expect(new Set(idsOf(page)).size).toBe(page.entries.length)
      for (const entry of entries.values()) expectBounded(entry)
    }
  })
}

const HOSTILE = [
  'x'.repeat(300_000),
  '../../etc/passwd\u0000\u202E\uD800',
  '{"app":"gmail","account":"eve"}',
  '__proto__',
]

function expectBounded(entry: SyncEntry): void {
  const { id, version = '', at = 0, title = '', text = '', link = '', people = [], ...stray } = entry
  expect(stray).toEqual({})
  expect(id.length).toBeLessThanOrEqual(MOST_ID_CHARS)
  expect(text.length).toBeLessThanOrEqual(MOST_TEXT_CHARS)
  for (const short of [version, title, link, ...people]) expect(short.length).toBeLessThanOrEqual(2_000)
  expect(people.length).toBeLessThanOrEqual(50)
  expect(Number.isSafeInteger(at) && at >= 0).toBe(true)
}

const idsOf = ({ entries }: SyncPage): readonly string[] => entries.map(({ id }) => id)

/** All pages from a cursor, and each item whole. */
async function readAll(
  source: SyncSource,
  carry: (cursor: string | undefined) => string | undefined = (cursor) => cursor,
  from?: string,
) {
  const pages: SyncPage[] = []
  const entries = new Map<string, SyncEntry>()
  let cursor = from
  for (;;) {
    const page = await source.page(carry(cursor), NEVER)
    pages.push(page)
    for (const entry of page.entries) {
      const whole = entry.text === undefined && source.read ? await source.read(entry, NEVER) : entry
      if (whole) entries.set(entry.id, whole)
    }
    cursor = page.next
    if (cursor === undefined) return { pages, entries }
    if (pages.length > MOST_PAGES) throw new Error('the pages do not end')
  }
}

async function readOrError(source: SyncSource, entry: SyncEntry): Promise<unknown> {
  try {
    return (await source.read!(entry, NEVER)) ?? {}
  } catch (error) {
    return error
  }
}
