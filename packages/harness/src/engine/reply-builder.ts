import { NO_USAGE } from '@capstan/protocol'
import type { CallId, Usage } from '@capstan/protocol'
import { estimateTextTokens } from '../context/estimate-tokens.ts'
import type { ModelPart } from '../models/model-client.ts'
import { ModelError } from '../turn/errors.ts'
import type { ProviderExtras } from '../turn/message/message.ts'
import type { FinishReason, ModelReply } from '../turn/message/model-reply.ts'
import type { DisplayFilter } from '../seams/seams.ts'
import type { Showing } from './stream-reply.ts'
import type { Turn } from './turn.ts'

type Part = ModelReply['parts'][number]

/** Joins the parts of one reply and reports them as they arrive. */
export class ReplyBuilder {
  readonly #turn: Turn
  readonly #showing: Showing
  readonly #display: DisplayFilter | undefined
  readonly #parts: Part[] = []
  readonly #toolOf = new Map<string, string>()
  #open: { readonly type: 'text' | 'reasoning'; text: string } | undefined
  #finish: { reason: FinishReason; usage: Usage } | undefined
  #visible = ''
  /** True once text of this reply was shown. Reasoning and unfinished calls do not count: a retry discards them. */
  hasShown = false

  constructor(turn: Turn, showing: Showing) {
    this.#turn = turn
    this.#showing = showing
    this.#display = showing.openDisplay?.()
  }

  /** The text that was shown so far. */
  get shown(): string {
    return this.#display ? this.#visible : this.#text()
  }

  /** Returns a promise when a watcher is slow. */
  add(part: ModelPart): void | Promise<void> {
    switch (part.type) {
      case 'text':
        this.#extend('text', part.delta)
        return this.#show(part.delta)
      case 'reasoning':
        this.#extend('reasoning', part.delta)
        return this.#showReasoning(part.delta)
      case 'block-end':
        return this.#close(part.extras)
      case 'call-start':
        this.#toolOf.set(part.id, part.tool)
        return this.#showArguments(part.id, '')
      case 'call-delta':
        return this.#showArguments(part.id, part.delta)
      case 'call': {
        this.#close()
        const { id, tool, argumentsText, extras } = part
        this.#parts.push({ type: 'raw-call', id, tool, argumentsText, extras })
        return undefined
      }
      case 'finish':
        this.#close()
        this.#finish = part
        return this.#flush()
    }
  }

  finish(): ModelReply {
    const finish = this.#finish
    if (!finish) throw this.#error('cut', 'the stream ended without its end marker')
    const text = this.#text()
    if (finish.reason === 'content-filter' && text.trim() === '' && !this.#parts.some(isCall)) {
      throw this.#error('refused', 'the reply was withheld by a content filter')
    }
    return { parts: this.#parts, text, finish: finish.reason, usage: finish.usage }
  }

  /** The reply as shown before the connection broke. Its calls are dropped, because they may be incomplete. */
  cutShort(): ModelReply {
    const text = this.shown
    return {
      parts: [{ type: 'text', text }],
      text,
      finish: 'other',
      usage: guessUsage(this.#turn, text),
      cut: true,
    }
  }

  /** All text parts joined, including the open one. */
  #text(): string {
    let text = ''
    for (const part of this.#parts) if (part.type === 'text') text += part.text
    return this.#open?.type === 'text' ? text + this.#open.text : text
  }

  #error(kind: 'cut' | 'refused', message: string): ModelError {
    return new ModelError(message, { kind, model: this.#turn.model.id, retryable: kind === 'cut' })
  }

  #extend(type: 'text' | 'reasoning', delta: string): void {
    if (this.#open?.type === type) {
      this.#open.text += delta
      return
    }
    this.#close()
    this.#open = { type, text: delta }
  }

  #close(extras?: ProviderExtras): void {
    if (!this.#open) return
    this.#parts.push(extras ? { ...this.#open, extras } : this.#open)
    this.#open = undefined
  }

  #show(delta: string): void | Promise<void> {
    const visible = this.#display ? this.#display.push(delta) : delta
    if (visible !== '') return this.#showText(visible)
  }

  #flush(): void | Promise<void> {
    const rest = this.#display?.end() ?? ''
    if (rest !== '') return this.#showText(rest)
  }

  #showText(delta: string): void | Promise<void> {
    if (!this.#showing.shown) return
    if (this.#display) this.#visible += delta
    if (!this.hasShown && delta.trim() !== '') this.hasShown = true
    return this.#turn.run.report({ type: 'text-delta', iteration: this.#showing.iteration, delta })
  }

  #showReasoning(delta: string): void | Promise<void> {
    if (!this.#showing.shown || delta === '') return
    return this.#turn.run.report({ type: 'reasoning-delta', iteration: this.#showing.iteration, delta })
  }

  #showArguments(id: string, delta: string): void | Promise<void> {
    if (!this.#showing.shown) return
    const { iteration } = this.#showing
    const tool = this.#toolOf.get(id) ?? ''
    return this.#turn.run.report({ type: 'tool-args-delta', iteration, callId: id as CallId, tool, delta })
  }
}

/** Estimates the usage of a reply that broke off: it is charged, but the provider did not report it. */
export function guessUsage({ window, conversation }: Turn, text: string): Usage {
  const inputTokens = window.tokens(conversation)
  return { ...NO_USAGE, inputTokens, outputTokens: estimateTextTokens(text), estimated: true }
}

const isCall = (part: Part): boolean => part.type === 'raw-call'
