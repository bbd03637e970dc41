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
import type { KnownSecrets } from '../tool-path/scrub/known-secrets.ts'
import { hideKnown } from '../tool-path/scrub/known-secrets.ts'
import { createKnownStream } from '../tool-path/scrub/known-stream.ts'
import type { ScrubStream } from '../tool-path/scrub/scrub-stream.ts'
import { createScrubStream } from '../tool-path/scrub/scrub-stream.ts'

type Part = ModelReply['parts'][number]

/**
 * Joins the parts of one reply and reports them as they arrive. Known secrets are hidden in everything, and whatever looks
 * like a secret in the arguments that are shown.
 */
export class ReplyBuilder {
  readonly #turn: Turn
  readonly #showing: Showing
  readonly #display: DisplayFilter | undefined
  readonly #parts: Part[] = []
  readonly #toolOf = new Map<string, string>()
  readonly #known: KnownSecrets | undefined
  /** Hold back what may be the beginning of a secret. Absent when no secret is known. */
  readonly #texts: ScrubStream | undefined
  readonly #reasons: ScrubStream | undefined
  /** Made with the first arguments that arrive in pieces. */
  #argumentsOf: Map<string, ScrubStream> | undefined
  #open: { readonly type: 'text' | 'reasoning'; text: string } | undefined
  #finish: { reason: FinishReason; usage: Usage } | undefined
  #visible = ''
  /** True once text of this reply was shown. Reasoning and unfinished calls do not count: a retry discards them. */
  hasShown = false

  constructor(turn: Turn, showing: Showing) {
    this.#turn = turn
    this.#showing = showing
    this.#display = showing.openDisplay?.()
    this.#known = turn.services.secrets
    if (!this.#known) return
    this.#texts = createKnownStream(this.#known)
    this.#reasons = createKnownStream(this.#known)
  }

  /** The text that was shown so far. */
  get shown(): string {
    return this.#display || this.#texts ? this.#visible : this.#text()
  }

  /** Returns a promise when a watcher is slow. */
  add(part: ModelPart): void | Promise<void> {
    switch (part.type) {
      case 'text':
        this.#extend('text', part.delta)
        return this.#show(part.delta)
      case 'reasoning':
        this.#extend('reasoning', part.delta)
        return this.#showReasoning(this.#reasons ? this.#reasons.push(part.delta) : part.delta)
      case 'block-end':
        return this.#close(part.extras)
      case 'call-start':
        this.#toolOf.set(part.id, part.tool)
        return this.#showArguments(part.id, '')
      case 'call-delta':
        return this.#addArguments(part.id, part.delta)
      case 'call': {
        this.#close()
        const { id, tool, argumentsText, extras } = part
        const safe = hideKnown(argumentsText, this.#known)
        this.#parts.push({ type: 'raw-call', id, tool, argumentsText: safe, extras })
        return this.#endArguments(id)
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
    const { type, text } = this.#open
    const safe = hideKnown(text, this.#known)
    // What the provider signed was the text as it came.
    this.#parts.push(extras && safe === text ? { type, text: safe, extras } : { type, text: safe })
    this.#open = undefined
  }

  #show(delta: string): void | Promise<void> {
    const visible = this.#display ? this.#display.push(delta) : delta
    const safe = this.#texts ? this.#texts.push(visible) : visible
    if (safe !== '') return this.#showText(safe)
  }

  #flush(): void | Promise<void> {
    const reasoning = this.#reasons?.end() ?? ''
    const slow = reasoning === '' ? undefined : this.#showReasoning(reasoning)
    return slow ? slow.then(() => this.#flushText()) : this.#flushText()
  }

  #flushText(): void | Promise<void> {
    const shown = this.#display?.end() ?? ''
    const rest = this.#texts ? this.#texts.push(shown) + this.#texts.end() : shown
    if (rest !== '') return this.#showText(rest)
  }

  #showText(delta: string): void | Promise<void> {
    if (!this.#showing.shown) return
    if (this.#display || this.#texts) this.#visible += delta
    if (!this.hasShown && delta.trim() !== '') this.hasShown = true
    return this.#turn.run.report({ type: 'text-delta', iteration: this.#showing.iteration, delta })
  }

  #showReasoning(delta: string): void | Promise<void> {
    if (!this.#showing.shown || delta === '') return
    return this.#turn.run.report({ type: 'reasoning-delta', iteration: this.#showing.iteration, delta })
  }

  #addArguments(id: string, delta: string): void | Promise<void> {
    this.#argumentsOf ??= new Map()
    let stream = this.#argumentsOf.get(id)
    if (!stream) this.#argumentsOf.set(id, (stream = createScrubStream(this.#known)))
    const safe = stream.push(delta)
    if (safe !== '') return this.#showArguments(id, safe)
  }

  #endArguments(id: string): void | Promise<void> {
    const rest = this.#argumentsOf?.get(id)?.end() ?? ''
    this.#argumentsOf?.delete(id)
    if (rest !== '') return this.#showArguments(id, rest)
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
