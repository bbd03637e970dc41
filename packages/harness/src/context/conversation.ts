import { hash } from 'node:crypto'
import type { MediaShelf } from '../turn/media-shelf.ts'
import type { Message } from '../turn/message.ts'
import type { PrefixRecord } from '../turn/prefix.ts'
import type { Surface } from '../turn/surface.ts'
import { toJsonSchema } from '../turn/tool.ts'
import { History } from './history.ts'
import { createMediaShelf } from './media.ts'

/**
 * What the model sees of a thread: a system prompt that never changes after it was built, a history that only
 * grows, and the bytes of its media. Knows for each request whether it extended the one before it.
 */
export class Conversation {
  readonly system: string
  readonly history: History
  readonly media: MediaShelf
  /** The tools the model was last told about. */
  surface: Surface | undefined
  #last: PrefixRecord | undefined
  #tools: { version: number; hash: string } | undefined
  readonly #systemHash: string

  constructor(system: string, messages: readonly Message[] = [], media: MediaShelf = createMediaShelf()) {
    this.system = system
    this.history = new History(messages)
    this.media = media
    this.#systemHash = hash('sha1', system)
  }

  /** Call once per request, with the surface whose tools it carries. */
  recordPrefix(surface: Surface, sendsTools: boolean): PrefixRecord {
    const tools = sendsTools ? this.#hashTools(surface) : ''
    const record = { tools, system: this.#systemHash, history: this.history.hash() }
    const replaced = this.history.takeReplaced()
    const last = this.#last
    this.#last = record
    if (last && last.tools !== tools) {
      return { ...record, broken: { field: 'tools', reason: 'the tools sent with the request changed' } }
    }
    if (last && replaced) return { ...record, broken: { field: 'history', reason: replaced } }
    return record
  }

  #hashTools(surface: Surface): string {
    if (this.#tools?.version !== surface.version) {
      const form = surface.tools.map((tool) => [tool.name, tool.description, toJsonSchema(tool.input)])
      this.#tools = { version: surface.version, hash: hash('sha1', JSON.stringify(form)) }
    }
    return this.#tools.hash
  }
}
