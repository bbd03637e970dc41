import { hash } from 'node:crypto'
import type { MediaStore } from '../turn/message/media-store.ts'
import type { Message } from '../turn/message/message.ts'
import type { PrefixBreak, PrefixRecord } from '../turn/message/prefix.ts'
import type { Surface } from '../turn/tool/surface.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { toJsonSchema } from '../turn/tool/tool.ts'
import { History } from './history.ts'
import { createMediaStore } from './media.ts'

/**
 * What the model sees of a thread: a system prompt that never changes, a history that only grows, and the bytes of its
 * media. Knows for each request whether it extends the previous one.
 */
export class Conversation {
  readonly system: string
  readonly history: History
  readonly media: MediaStore
  /** The tools the model was last informed about. */
  surface: Surface | undefined
  /** The tools whose instructions the model has read. Only for text dialects. */
  explained: Surface | undefined
  #sent: readonly Tool[] | undefined
  #tools: { readonly of: readonly Tool[]; readonly hash: string } | undefined
  #systemHash: string | undefined

  constructor(system: string, messages: readonly Message[] = [], media: MediaStore = createMediaStore()) {
    this.system = system
    this.history = new History(messages)
    this.media = media
  }

  /**
   * Finds where a request stops extending the previous one. Call it once per request, with its tools. Only the tools are
   * compared, because the history is only replaced on purpose.
   */
  findBreak(tools: readonly Tool[]): PrefixBreak | undefined {
    const sent = this.#sent
    this.#sent = tools
    const replaced = this.history.takeReplaced()
    if (sent && sent !== tools && !sameTools(sent, tools)) return TOOLS_CHANGED
    return sent && replaced !== undefined ? { field: 'history', reason: replaced } : undefined
  }

  /** The parts of this request as hashes. It reads every new message once. */
  hashRequest(tools: readonly Tool[]): Omit<PrefixRecord, 'broken'> {
    if (this.#tools?.of !== tools) {
      const form = tools.map((tool) => [tool.name, tool.description, toJsonSchema(tool.input)])
      this.#tools = { of: tools, hash: hash('sha1', JSON.stringify(form)) }
    }
    this.#systemHash ??= hash('sha1', this.system)
    return { tools: this.#tools.hash, system: this.#systemHash, history: this.history.hash() }
  }
}

const TOOLS_CHANGED: PrefixBreak = { field: 'tools', reason: 'the tools sent with the request changed' }

const sameTools = (a: readonly Tool[], b: readonly Tool[]): boolean =>
  a.length === b.length && a.every((tool, index) => tool === b[index])
