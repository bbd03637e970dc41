import { setTimeout as wait } from 'node:timers/promises'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { McpServer, requireScopes } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Account } from '../accounts.ts'
import type { Notebooks } from '../notebook/notebooks.ts'
import type { Page } from '../notebook/page.ts'
import { NotesError } from '../notebook/page.ts'
import { exportText } from './export-text.ts'

export interface NotesTools {
  readonly notebooks: Notebooks
  readonly home: string
  readonly exportBytes: number
  readonly reindexMs: number
  /** Counts the attempts at the calendar, from one, per account. */
  readonly calendarAttempt: (accountId: string) => number
}

/** The `_meta` field under which a client may send a key that makes a repeated call do its work once. */
export const IDEMPOTENCY_KEY = 'io.capstan/idempotency-key'

const READ = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const WRITE = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
const canRead = requireScopes('pages:read')
const canWrite = requireScopes('pages:write')

const PageId = z
  .string()
  .max(40)
  .describe('The id of a page, as listing or searching gives it, such as p_0123456789abcdef.')
const Title = z.string().trim().min(1).max(200).describe('One line, without markup.')
const Text = z
  .string()
  .describe('Plain text. Lines that begin with "# " are headings, with "- " list items. At most 200 KB.')
const Entry = z.object({
  id: z.string(),
  title: z.string(),
  updatedAt: z.string().describe('ISO 8601.'),
  version: z.number().int(),
  url: z.string().describe('Where a person can look at it.'),
})
const Written = z.object({ page: Entry })
const PAGE_SIZE = 20

/** A server for one account: whatever it is asked, it sees that notebook and no other. */
export function createNotesServer(account: Account, tools: NotesTools): McpServer {
  const { notebooks } = tools
  const toEntry = ({ id, title, updatedAt, version }: Page): z.infer<typeof Entry> => ({
    id,
    title,
    updatedAt: new Date(updatedAt).toISOString(),
    version,
    url: new URL(`/pages/${id}`, tools.home).href,
  })
  const server = new McpServer(
    { name: 'notes', title: `Notes: ${account.name}`, version: '1.0.0' },
    {
      instructions: `Pages of “${account.name}”. Search before you create, so that nothing is written twice.`,
      capabilities: { tools: {} },
    },
  )

  server.registerTool(
    'search_pages',
    {
      title: 'Search pages',
      description: 'Finds pages that hold every word of the query, in title or text. Newest change first.',
      inputSchema: z.object({
        query: z
          .string()
          .trim()
          .min(1)
          .max(200)
          .describe('Words to look for; upper and lower case are the same.'),
        limit: z.number().int().min(1).max(50).default(10).describe('How many pages to give at most.'),
      }),
      outputSchema: z.object({
        pages: z.array(Entry.extend({ excerpt: z.string() })),
        total: z.number().int(),
      }),
      annotations: READ,
      scopeChallenge: canRead,
    },
    ({ query, limit }) => {
      const found = notebooks.search(account.id, query)
      const pages = found
        .slice(0, limit)
        .map((page) => ({ ...toEntry(page), excerpt: toExcerpt(page, query) }))
      const lines = pages.map((page) => `- ${page.title} (${page.id}): ${page.excerpt}`)
      return says([`${found.length} pages found.`, ...lines].join('\n'), { pages, total: found.length })
    },
  )

  server.registerTool(
    'list_pages',
    {
      title: 'List pages',
      description: `Lists the notebook's pages, newest change first, ${PAGE_SIZE} at a time.`,
      inputSchema: z.object({
        cursor: z
          .string()
          .max(20)
          .regex(/^\d+$/u)
          .optional()
          .describe('`nextCursor` of the answer before; leave it out to begin.'),
      }),
      outputSchema: z.object({
        pages: z.array(Entry),
        total: z.number().int(),
        nextCursor: z.string().optional().describe('Absent on the last part.'),
      }),
      annotations: READ,
      scopeChallenge: canRead,
    },
    ({ cursor }) => {
      const all = notebooks.list(account.id)
      const begin = Number(cursor ?? 0)
      const pages = all.slice(begin, begin + PAGE_SIZE).map(toEntry)
      const end = begin + pages.length
      const lines = pages.map((page) => `- ${page.title} (${page.id})`)
      if (end < all.length) lines.push(`More with cursor "${end}".`)
      return says([`${all.length} pages in ${account.name}.`, ...lines].join('\n'), {
        pages,
        total: all.length,
        ...(end < all.length ? { nextCursor: String(end) } : {}),
      })
    },
  )

  server.registerTool(
    'read_page',
    {
      title: 'Read a page',
      description: 'Gives the whole text of one page.',
      inputSchema: z.object({ pageId: PageId }),
      outputSchema: z.object({ page: Entry.extend({ text: z.string() }) }),
      annotations: READ,
      scopeChallenge: canRead,
    },
    ({ pageId }) => {
      const page = notebooks.read(account.id, pageId)
      if (!page)
        return refuses('page_not_found', 'There is no such page. List or search the pages to find its id.')
      return says(`# ${page.title}\n\n${page.text}`, { page: { ...toEntry(page), text: page.text } })
    },
  )

  server.registerTool(
    'create_page',
    {
      title: 'Create a page',
      description: 'Writes a new page into the notebook.',
      inputSchema: z.object({ title: Title, text: Text.default('') }),
      outputSchema: Written,
      annotations: WRITE,
      scopeChallenge: canWrite,
    },
    (draft, context) =>
      written('Created', () => notebooks.create(account.id, draft, idempotencyKeyOf(context))),
  )

  server.registerTool(
    'update_page',
    {
      title: 'Change a page',
      description: 'Replaces the title, the text or both. What was there before is gone.',
      inputSchema: z.object({
        pageId: PageId,
        title: Title.optional(),
        text: Text.optional(),
        expectedVersion: z
          .number()
          .int()
          .optional()
          .describe('Refuses when the page has another version by now.'),
      }),
      outputSchema: Written,
      annotations: { ...WRITE, destructiveHint: true, idempotentHint: true },
      scopeChallenge: canWrite,
    },
    ({ pageId, ...change }) => written('Changed', () => notebooks.update(account.id, pageId, change)),
  )

  server.registerTool(
    'append_to_page',
    {
      title: 'Add to a page',
      description: 'Adds a paragraph at the end of a page. What is there stays.',
      inputSchema: z.object({ pageId: PageId, text: Text.min(1) }),
      outputSchema: Written,
      annotations: WRITE,
      scopeChallenge: canWrite,
    },
    ({ pageId, text }, context) =>
      written('Added to', () => notebooks.append(account.id, pageId, text, idempotencyKeyOf(context))),
  )

  server.registerTool(
    'delete_page',
    {
      title: 'Delete a page',
      description: 'Deletes a page for good. There is no bin to take it back from.',
      inputSchema: z.object({ pageId: PageId }),
      outputSchema: z.object({ deleted: z.boolean().describe('False when the page was gone already.') }),
      annotations: { ...WRITE, destructiveHint: true, idempotentHint: true },
      scopeChallenge: canWrite,
    },
    async ({ pageId }) => {
      const deleted = await notebooks.remove(account.id, pageId)
      return says(deleted ? 'Deleted.' : 'There was no such page any more.', { deleted })
    },
  )

  server.registerTool(
    'export_notebook',
    {
      title: 'Export the notebook',
      description:
        'Gives every page and the reading history as one text. Very long, about 2 MB: search instead if you can.',
      inputSchema: z.object({}),
      annotations: READ,
      scopeChallenge: canRead,
    },
    () => ({
      content: [
        { type: 'text', text: exportText(account.name, notebooks.list(account.id), tools.exportBytes) },
      ],
    }),
  )

  server.registerTool(
    'reindex_notebook',
    {
      title: 'Rebuild the search index',
      description: `Reads every page again for the search. Slow: about ${Math.ceil(tools.reindexMs / 1000)} seconds. Can be stopped at any time.`,
      inputSchema: z.object({}),
      outputSchema: z.object({ pages: z.number().int() }),
      annotations: { ...WRITE, idempotentHint: true },
      scopeChallenge: canWrite,
    },
    async (_input, context) => {
      await takeTime(tools.reindexMs, context)
      const pages = notebooks.list(account.id).length
      return says(`Indexed ${pages} pages.`, { pages })
    },
  )

  server.registerTool(
    'sync_calendar',
    {
      title: 'Bring in the calendar',
      description:
        'Writes the week’s appointments to the page “This week”. The calendar service is often busy.',
      inputSchema: z.object({}),
      outputSchema: Written,
      annotations: { ...WRITE, idempotentHint: true, openWorldHint: true },
      scopeChallenge: canWrite,
    },
    async () => {
      if (tools.calendarAttempt(account.id) % 3 !== 0) {
        return refuses('rate_limited', '429 Too Many Requests: the calendar service is busy. Try again.', {
          status: 429,
          retryAfterMs: 1000,
        })
      }
      const week = { title: 'This week', text: '- Tuesday 10:00, planning\n- Thursday 16:30, dentist' }
      const earlier = notebooks.list(account.id).find((page) => page.title === week.title)
      return written('Brought in', () =>
        earlier ? notebooks.update(account.id, earlier.id, week) : notebooks.create(account.id, week),
      )
    },
  )

  async function written(verb: string, work: () => Promise<Page>): Promise<CallToolResult> {
    try {
      const page = await work()
      return says(`${verb} “${page.title}” (${page.id}).`, { page: toEntry(page) })
    } catch (error) {
      if (error instanceof NotesError) return refuses(error.code, error.message)
      throw error
    }
  }

  return server
}

function says(text: string, structuredContent: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent }
}

function refuses(code: string, message: string, facts: Record<string, unknown> = {}): CallToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: message }],
    structuredContent: { error: { code, message, ...facts } },
  }
}

function toExcerpt({ text }: Page, query: string): string {
  const word = query.toLowerCase().split(/\s+/u)[0] ?? ''
  const begin = Math.max(0, text.toLowerCase().indexOf(word) - 60)
  return text
    .slice(begin, begin + 160)
    .replace(/\s+/gu, ' ')
    .trim()
}

function idempotencyKeyOf(context: ServerContext): string | undefined {
  const { _meta: meta } = context.mcpReq
  const key: unknown = meta?.[IDEMPOTENCY_KEY]
  return typeof key === 'string' && key !== '' && key.length <= 200 ? key : undefined
}

const STEPS = 20

/** Takes its time and says how far it is. Rejects as soon as the call is cancelled or the app closes. */
async function takeTime(ms: number, { mcpReq }: ServerContext): Promise<void> {
  const { _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  for (let step = 1; step <= STEPS; step++) {
    await wait(ms / STEPS, undefined, { signal: mcpReq.signal })
    if (progressToken === undefined) continue
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress: step, total: STEPS, message: `Part ${step} of ${STEPS}` },
    })
  }
}
