import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ACCOUNTS, FIRST_PAGES } from '../accounts.ts'
import { readJson, writeJson } from '../json-file.ts'
import type { Page, PageChange } from './page.ts'
import { NotesError } from './page.ts'

/**
 * The pages of every account. A change is on disk before it is answered, one file per page, and a call that carries an
 * idempotency key does its work once, also across a restart: the receipt lies in the page's own file.
 */
export interface Notebooks {
  /** Newest change first. */
  list(accountId: string): readonly Page[]
  read(accountId: string, pageId: string): Page | undefined
  /** Pages that hold every word of the query, in title or text. */
  search(accountId: string, query: string): readonly Page[]
  create(accountId: string, draft: Draft, idempotencyKey?: string): Promise<Page>
  update(accountId: string, pageId: string, change: Change): Promise<Page>
  append(accountId: string, pageId: string, text: string, idempotencyKey?: string): Promise<Page>
  /** False when there was nothing to delete. */
  remove(accountId: string, pageId: string): Promise<boolean>
  changes(accountId: string, since: number, limit: number): Changes
}

interface Draft {
  readonly title: string
  readonly text: string
}

interface Change {
  readonly title?: string
  readonly text?: string
  readonly expectedVersion?: number
}

interface Changes {
  readonly changes: readonly PageChange[]
  readonly cursor: number
  readonly more: boolean
}

interface NotebookLimits {
  readonly maxPageBytes: number
  readonly maxPages: number
}

export interface NotebooksOptions {
  readonly folder?: string
  readonly now: () => number
  readonly limits: NotebookLimits
}

const MAX_RECEIPTS = 200
const MAX_CHANGES_BYTES = 1_000_000

const StoredPage = z.object({
  id: z.string().regex(/^p_[0-9a-f]{16}$/),
  title: z.string(),
  text: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
  version: z.number(),
  /** Place in the order of all changes to the notebook. */
  order: z.number(),
  deleted: z.boolean(),
  /** Idempotency keys, hashed, with a digest of what was asked for under them. */
  receipts: z.array(z.object({ key: z.string(), request: z.string() })),
})
type StoredPage = z.infer<typeof StoredPage>

interface Notebook {
  readonly pages: Map<string, StoredPage>
  lastOrder: number
  /** The end of the last change: changes to one notebook happen one after the other. */
  tail: Promise<unknown>
}

/** Opens the notebooks, with their first pages where there are none yet. */
export async function openNotebooks({ folder, now, limits }: NotebooksOptions): Promise<Notebooks> {
  const notebooks = new Map<string, Notebook>()
  for (const { id } of ACCOUNTS) notebooks.set(id, await openNotebook(id))

  async function openNotebook(accountId: string): Promise<Notebook> {
    const stored = folder === undefined ? [] : await readPages(join(folder, 'pages', accountId))
    const pages = new Map(stored.map((page) => [page.id, page]))
    const notebook: Notebook = {
      pages,
      lastOrder: Math.max(0, ...stored.map((page) => page.order)),
      tail: Promise.resolve(),
    }
    if (pages.size === 0) {
      const firstPages = FIRST_PAGES[accountId] ?? []
      for (const draft of firstPages) await keep(accountId, notebook, newPage(draft))
    }
    return notebook
  }

  function notebookOf(accountId: string): Notebook {
    const notebook = notebooks.get(accountId)
    if (!notebook) throw new Error('unknown account')
    return notebook
  }

  /** One change at a time, so that two of them cannot both be the next version of a page. */
  function change<Result>(accountId: string, work: (notebook: Notebook) => Promise<Result>): Promise<Result> {
    const notebook = notebookOf(accountId)
    const done = notebook.tail.then(() => work(notebook))
    notebook.tail = done.catch(() => undefined)
    return done
  }

  async function keep(
    accountId: string,
    notebook: Notebook,
    page: Omit<StoredPage, 'order'>,
  ): Promise<StoredPage> {
    const kept = { ...page, order: notebook.lastOrder + 1 }
    if (folder !== undefined) await writeJson(join(folder, 'pages', accountId, `${page.id}.json`), kept)
    notebook.lastOrder = kept.order
    notebook.pages.set(kept.id, kept)
    return kept
  }

  function newPage(draft: Draft, receipt?: Receipt): Omit<StoredPage, 'order'> {
    const at = now()
    return {
      id: `p_${randomBytes(8).toString('hex')}`,
      title: draft.title,
      text: draft.text,
      createdAt: at,
      updatedAt: at,
      version: 1,
      deleted: false,
      receipts: receipt ? [receipt] : [],
    }
  }

  function refuseTooLarge(text: string): void {
    const bytes = Buffer.byteLength(text)
    if (bytes > limits.maxPageBytes) {
      throw new NotesError(
        'page_too_large',
        `The page would be ${bytes} bytes long; the longest allowed is ${limits.maxPageBytes}.`,
      )
    }
  }

  function list(accountId: string): readonly Page[] {
    return alive(notebookOf(accountId))
      .toSorted((a, b) => b.order - a.order)
      .map(toPage)
  }

  return {
    list,

    read(accountId, pageId) {
      const page = notebookOf(accountId).pages.get(pageId)
      return page && !page.deleted ? toPage(page) : undefined
    },

    search(accountId, query) {
      const words = query.toLowerCase().split(/\s+/u).filter(Boolean)
      return list(accountId).filter((page) => {
        const haystack = `${page.title}\n${page.text}`.toLowerCase()
        return words.every((word) => haystack.includes(word))
      })
    },

    create: (accountId, draft, idempotencyKey) =>
      change(accountId, async (notebook) => {
        const receipt = toReceipt(idempotencyKey, ['create', draft.title, draft.text])
        const earlier = findReceipt(notebook, receipt)
        if (earlier) return toPage(earlier)
        refuseTooLarge(draft.text)
        if (alive(notebook).length >= limits.maxPages) {
          throw new NotesError('notebook_full', `The notebook is full: it holds ${limits.maxPages} pages.`)
        }
        return toPage(await keep(accountId, notebook, newPage(draft, receipt)))
      }),

    update: (accountId, pageId, { title, text, expectedVersion }) =>
      change(accountId, async (notebook) => {
        const page = existing(notebook, pageId)
        if (expectedVersion !== undefined && expectedVersion !== page.version) {
          throw new NotesError(
            'version_conflict',
            `The page is at version ${page.version}, not ${expectedVersion}: read it again before changing it.`,
          )
        }
        const next = { title: title ?? page.title, text: text ?? page.text }
        if (next.title === page.title && next.text === page.text) return toPage(page)
        refuseTooLarge(next.text)
        return toPage(
          await keep(accountId, notebook, {
            ...page,
            ...next,
            updatedAt: now(),
            version: page.version + 1,
          }),
        )
      }),

    append: (accountId, pageId, text, idempotencyKey) =>
      change(accountId, async (notebook) => {
        const receipt = toReceipt(idempotencyKey, ['append', pageId, text])
        const earlier = findReceipt(notebook, receipt)
        if (earlier) return toPage(earlier)
        const page = existing(notebook, pageId)
        const next = page.text === '' ? text : `${page.text}\n\n${text}`
        refuseTooLarge(next)
        return toPage(
          await keep(accountId, notebook, {
            ...page,
            text: next,
            updatedAt: now(),
            version: page.version + 1,
            receipts: receipt ? [...page.receipts, receipt].slice(-MAX_RECEIPTS) : page.receipts,
          }),
        )
      }),

    remove: (accountId, pageId) =>
      change(accountId, async (notebook) => {
        const page = notebook.pages.get(pageId)
        if (!page || page.deleted) return false
        // What is left says that there was a page, for those who keep a copy and for calls that are repeated.
        await keep(accountId, notebook, {
          ...page,
          text: '',
          updatedAt: now(),
          version: page.version + 1,
          deleted: true,
        })
        return true
      }),

    changes(accountId, since, limit) {
      const notebook = notebookOf(accountId)
      const later = [...notebook.pages.values()]
        .filter((page) => page.order > since)
        .toSorted((a, b) => a.order - b.order)
      const told: StoredPage[] = []
      let bytes = 0
      for (const page of later.slice(0, limit)) {
        bytes += Buffer.byteLength(page.text)
        if (told.length > 0 && bytes > MAX_CHANGES_BYTES) break
        told.push(page)
      }
      return {
        changes: told.map(toChange),
        cursor: told.at(-1)?.order ?? since,
        more: told.length < later.length,
      }
    },
  }
}

type Receipt = StoredPage['receipts'][number]

async function readPages(folder: string): Promise<StoredPage[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  const pages: StoredPage[] = []
  for (const name of names) {
    if (name.endsWith('.json')) pages.push(StoredPage.parse(await readJson(join(folder, name))))
  }
  return pages
}

function alive(notebook: Notebook): StoredPage[] {
  return [...notebook.pages.values()].filter((page) => !page.deleted)
}

function existing(notebook: Notebook, pageId: string): StoredPage {
  const page = notebook.pages.get(pageId)
  if (!page || page.deleted) {
    throw new NotesError('page_not_found', 'There is no such page. List or search the pages to find its id.')
  }
  return page
}

/** The page a repeated call already wrote. A key that comes back with another request is refused. */
function findReceipt(notebook: Notebook, receipt: Receipt | undefined): StoredPage | undefined {
  if (!receipt) return undefined
  for (const page of notebook.pages.values()) {
    const earlier = page.receipts.find(({ key }) => key === receipt.key)
    if (!earlier) continue
    if (earlier.request === receipt.request) return page
    throw new NotesError('key_reused', 'This idempotency key was used before, for another request.')
  }
  return undefined
}

function toReceipt(idempotencyKey: string | undefined, request: readonly string[]): Receipt | undefined {
  if (idempotencyKey === undefined) return undefined
  return { key: digest(idempotencyKey), request: digest(JSON.stringify(request)) }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}

function toPage({ id, title, text, createdAt, updatedAt, version }: StoredPage): Page {
  return { id, title, text, createdAt, updatedAt, version }
}

function toChange({ id, title, text, updatedAt, deleted }: StoredPage): PageChange {
  return deleted ? { id, title, updatedAt, deleted } : { id, title, updatedAt, deleted, text }
}
