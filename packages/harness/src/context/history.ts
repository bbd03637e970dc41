import { hash } from 'node:crypto'
import type { Message } from '../turn/message/message.ts'
import { callsOf } from '../turn/message/message.ts'
import { toModelText } from './to-model-text.ts'
import { estimateTokens } from './estimate-tokens.ts'

/**
 * The messages of a conversation. Append-only, so that provider form, token estimate and hash are computed once per
 * message; only a compaction starts a new list.
 */
export class History {
  #messages: Message[] = []
  #tokens = 0
  #hash = ''
  #hashed = 0
  #callIds = new Set<string>()
  /** Why the list does not extend what was last sent; read once by the prefix check. */
  #replacedBecause: string | undefined

  constructor(messages: readonly Message[] = []) {
    for (const message of messages) this.append(message)
  }

  /** The same array until a compaction; it grows at its end. */
  get messages(): readonly Message[] {
    return this.#messages
  }

  get tokens(): number {
    return this.#tokens
  }

  append(appended: Message): void {
    const message = toModelText(appended)
    this.#messages.push(message)
    this.#tokens += estimateTokens(message)
    if (message.role === 'assistant') for (const call of callsOf(message)) this.#callIds.add(call.id)
  }

  hasCall(id: string): boolean {
    return this.#callIds.has(id)
  }

  replace(messages: readonly Message[], because: string): void {
    this.#messages = []
    this.#tokens = 0
    this.#hash = ''
    this.#hashed = 0
    for (const message of messages) this.append(message)
    this.#replacedBecause = because
  }

  takeReplaced(): string | undefined {
    const reason = this.#replacedBecause
    this.#replacedBecause = undefined
    return reason
  }

  /** A hash of all messages. Each message is serialised once, and new ones are hashed together. */
  hash(): string {
    if (this.#hashed === this.#messages.length) return this.#hash
    let text = this.#hash
    for (; this.#hashed < this.#messages.length; this.#hashed++)
      text += JSON.stringify(this.#messages[this.#hashed])
    this.#hash = hash('sha1', text)
    return this.#hash
  }
}
