import type { ComposioServer, ScriptedAnswer } from './composio-server.fixture.ts'
import { tool, toolkit } from './composio-server.fixture.ts'

type Json = Record<string, unknown>

/** An item of an app behind Composio. Newest first in its app. */
export interface AppItem {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly at: number
  readonly people?: readonly string[]
}

/** An app behind Composio that answers as the real one is documented to. */
export interface SyncedApp {
  items: readonly AppItem[]
  state: 'answers' | 'hangs' | 'fails'
  /** Answers the next calls instead, in order. */
  readonly instead: ScriptedAnswer[]
  /** Arguments of the calls, newest last. */
  readonly asked: { readonly action: string; readonly args: Json }[]
}

export type AppName = 'notion' | 'gmail' | 'slack'

const PAGE = 2
const ok = (data: unknown): ScriptedAnswer => ({
  body: { successful: true, error: null, data, log_id: 'log_1' },
})

/** Adds the app to the server. */
export function addApp(server: ComposioServer, name: AppName): SyncedApp {
  const app: SyncedApp = { items: [], state: 'answers', instead: [], asked: [] }
  server.toolkits.push(...(name === 'gmail' ? [] : [toolkit(name)]))
  server.authConfigs.push({ id: `ac_${name}`, toolkit: { slug: name }, status: 'ENABLED' })
  for (const [action, { input, answer }] of Object.entries(ACTIONS[name])) {
    server.tools.push(
      tool(action, { toolkit: { slug: name }, input_parameters: { type: 'object', properties: input } }),
    )
    server.answers.set(action, (args) => {
      app.asked.push({ action, args })
      if (app.state === 'hangs') return undefined
      if (app.state === 'fails') return { status: 502, body: 'broken' }
      return app.instead.shift() ?? ok(answer(app.items, args))
    })
  }
  return app
}

interface FakeAction {
  readonly input: Json
  readonly answer: (items: readonly AppItem[], args: Json) => Json
}

const text = { type: 'string' }
const number = { type: 'integer' }
const iso = (at: number): string => new Date(at).toISOString()

const ACTIONS: Readonly<Record<AppName, Readonly<Record<string, FakeAction>>>> = {
  notion: {
    NOTION_SEARCH_NOTION_PAGE: {
      input: { query: text, start_cursor: text, page_size: number, direction: text, timestamp: text },
      answer(items, { start_cursor: cursor = '0' }) {
        const from = Number(cursor)
        const hasMore = from + PAGE < items.length
        return {
          object: 'list',
          results: items.slice(from, from + PAGE).map(({ id, title, at }) => ({
            object: 'page',
            id,
            last_edited_time: iso(at),
            url: `https://www.notion.so/${id.slice(0, 100)}`,
            properties: {
              Status: { id: 'st', type: 'select', select: { name: 'Open' } },
              Name: {
                id: 'title',
                type: 'title',
                title: [title.slice(0, 3), title.slice(3)].map((part) => ({ plain_text: part })),
              },
            },
          })),
          has_more: hasMore,
          next_cursor: hasMore ? String(from + PAGE) : null,
        }
      },
    },
    NOTION_GET_PAGE_MARKDOWN: {
      input: { page_id: text },
      answer: (items, { page_id: id }) => ({ markdown: items.find((item) => item.id === id)?.text }),
    },
  },
  gmail: {
    GMAIL_FETCH_EMAILS: {
      input: { query: text, page_token: text, max_results: number, user_id: text },
      answer(items, { page_token: token = '0' }) {
        const from = Number(token)
        return {
          messages: items.slice(from, from + PAGE).map((item) => ({
            messageId: item.id,
            threadId: 'thread',
            messageTimestamp: iso(item.at),
            sender: item.people?.[0] ?? 'Ada <ada@example.com>',
            subject: item.title,
            labelIds: ['INBOX'],
            messageText: item.text,
          })),
          nextPageToken: from + PAGE < items.length ? String(from + PAGE) : '',
          resultSizeEstimate: 201,
        }
      },
    },
  },
  slack: {
    SLACK_SEARCH_MESSAGES: {
      input: { query: text, page: number, count: number, sort: text, sort_dir: text },
      answer(items, { page = 1 }) {
        if (typeof page !== 'number') throw new TypeError('page is a number')
        const from = (page - 1) * PAGE
        return {
          ok: true,
          messages: {
            total: items.length,
            matches: items.slice(from, from + PAGE).map((item) => ({
              iid: 'changes with each search',
              permalink: item.id,
              ts: (item.at / 1000).toFixed(6),
              text: item.text,
              username: item.people?.[0] ?? 'ada',
              channel: { id: 'C1', name: item.title },
            })),
            paging: { count: PAGE, total: items.length, page, pages: Math.ceil(items.length / PAGE) },
          },
        }
      },
    },
  },
}
