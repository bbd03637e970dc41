import type { SyncMapping } from '@capstan/protocol'

/** How the items of apps behind Composio become items in memory, by our slug of the toolkit. */
export const SYNC_MAPPINGS: ReadonlyMap<string, SyncMapping> = new Map([
  [
    'notion',
    {
      list: {
        action: 'NOTION_SEARCH_NOTION_PAGE',
        args: {
          query: '',
          filter_property: 'object',
          filter_value: 'page',
          timestamp: 'last_edited_time',
          direction: 'descending',
          page_size: 50,
        },
        cursor: 'start_cursor',
        items: 'results',
        next: 'next_cursor',
        isNewestFirst: true,
      },
      read: { action: 'NOTION_GET_PAGE_MARKDOWN', id: 'page_id' },
      fields: {
        id: 'id',
        version: 'last_edited_time',
        at: 'last_edited_time',
        // The property that holds the title has another name in each database.
        title: 'properties.*.title.*.plain_text',
        text: 'markdown',
        link: 'url',
      },
    },
  ],
  [
    'gmail',
    {
      list: {
        action: 'GMAIL_FETCH_EMAILS',
        args: { user_id: 'me', max_results: 25, include_payload: false, include_spam_trash: false },
        cursor: 'page_token',
        items: 'messages',
        next: 'nextPageToken',
        isNewestFirst: true,
      },
      fields: {
        id: 'messageId',
        // A mail never changes.
        version: 'messageId',
        at: 'messageTimestamp',
        title: 'subject',
        text: 'messageText',
        people: 'sender',
      },
    },
  ],
  [
    'slack',
    {
      list: {
        action: 'SLACK_SEARCH_MESSAGES',
        // Slack searches for nothing without words or a date.
        args: { query: 'after:2000-01-01', sort: 'timestamp', sort_dir: 'desc', count: 100 },
        cursor: 'page',
        items: 'messages.matches',
        pages: 'messages.paging.pages',
        total: 'messages.total',
        mostPages: 100,
        isNewestFirst: true,
      },
      fields: {
        id: 'permalink',
        at: 'ts',
        title: 'channel.name',
        text: 'text',
        link: 'permalink',
        people: 'username',
      },
    },
  ],
] satisfies readonly (readonly [string, SyncMapping])[])
