import type { JsonObject } from '../../../turn/json.ts'
import type { Tool } from '../../../turn/tool/tool.ts'
import { defineTool } from '../../../turn/tool/tool.ts'

function tool(name: string, properties: JsonObject, required: readonly string[] = []): Tool {
  return defineTool({
    name,
    description: `Does ${name}.`,
    input: { type: 'object', properties, required },
    run: () => 'done',
  })
}

/** Tools of a small library, for parser tests. */
export const LIBRARY_TOOLS: readonly Tool[] = [
  tool('now', {}),
  tool('find_books', { query: { type: 'string' }, limit: { type: 'integer' } }, ['query']),
  tool('lend_book', { title: { type: 'string' }, days: { type: 'integer' }, renew: { type: 'boolean' } }),
  tool('send_note', { to: { type: 'string' }, body: { type: 'string' } }, ['to', 'body']),
  tool('tag_item', { item: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } }),
]
