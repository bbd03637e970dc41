import type { Usage } from '@capstan/protocol'
import { fromIterable } from '../models/from-iterable.ts'
import { isRetryableStatus } from '../models/is-retryable-status.ts'
import type { ModelAbilities, ModelClient, ModelPart, ModelRequest } from '../models/model-client.ts'
import { ModelError } from '../turn/errors.ts'
import type { ModelErrorFacts } from '../turn/errors.ts'
import type { JsonObject } from '../turn/json.ts'
import { textOf } from '../turn/message/message.ts'
import type { FinishReason } from '../turn/message/model-reply.ts'

/** The model's reply to one request, or a function that returns it for the request. */
export type Step = ScriptedReply | ((request: ModelRequest, n: number) => Step)

/** A scripted reply: its parts and how it ends. */
export interface ScriptedReply {
  readonly parts: readonly (ModelPart | ScriptedCall)[]
  /** What follows the parts: a clean end, a stall until aborted, a stall that ignores aborts, or an error. */
  readonly ending: 'end' | 'stall' | 'stall-through-abort' | Omit<ModelErrorFacts, 'model'>
}

/** A complete call. Without an id, the model gives it a unique one. */
export interface ScriptedCall {
  readonly type: 'scripted-call'
  readonly tool: string
  readonly argumentsText: string
  readonly id?: string
}

/** Options of a scripted reply. */
export interface ReplyOptions {
  readonly reasoning?: string
  readonly usage?: Partial<Usage>
  readonly finish?: FinishReason
  /** Characters per part. */
  readonly chunk?: number
}

/** The usage of every scripted reply that sets none. */
export const SCRIPTED_USAGE: Usage = Object.freeze({
  inputTokens: 10,
  outputTokens: 5,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  chargedUsd: 0,
  estimatedUsd: 0.001,
})

const ABILITIES: ModelAbilities = Object.freeze({ tools: true, images: true, files: [] })

/**
 * A model that plays one step per request and keeps the requests. Uses no timers. A request beyond the script is a bug
 * in the test: it throws a plain Error, which no retry catches.
 */
export class ScriptedModel implements ModelClient {
  readonly #steps: readonly Step[]
  readonly #requests: ModelRequest[] = []
  #id = 'scripted/model'
  #abilities = ABILITIES
  #calls = 0

  constructor(...steps: readonly Step[]) {
    this.#steps = steps
  }

  static with(
    options: { readonly id?: string; readonly abilities?: Partial<ModelAbilities> },
    ...steps: readonly Step[]
  ): ScriptedModel {
    const model = new ScriptedModel(...steps)
    if (options.id !== undefined) model.#id = options.id
    model.#abilities = { ...ABILITIES, ...options.abilities }
    return model
  }

  get id(): string {
    return this.#id
  }

  get abilities(): ModelAbilities {
    return this.#abilities
  }

  /** The number of requests so far. */
  get requests(): number {
    return this.#requests.length
  }

  /** The request of call `n`, counted from 0, as it was when it was sent. */
  request(n: number): ModelRequest {
    const request = this.#requests[n]
    if (!request) throw new Error(`There was no model call ${n}: the model was called ${this.requests} times`)
    return request
  }

  readonly stream = fromIterable((request, signal) => this.#answer(request, signal))

  #answer(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
    const n = this.#requests.length
    const sent: ModelRequest = Object.freeze({
      ...request,
      messages: Object.freeze(request.messages.slice()),
      tools: Object.freeze(request.tools.slice()),
    })
    this.#requests.push(sent)
    let step = this.#steps[n]
    if (step === undefined) throw this.#ranOut(sent, n)
    while (typeof step === 'function') step = step(sent, n)
    return this.#play(step, signal)
  }

  async *#play({ parts, ending }: ScriptedReply, signal: AbortSignal): AsyncGenerator<ModelPart> {
    for (const part of parts) {
      signal.throwIfAborted()
      if (part.type !== 'scripted-call') {
        yield part
        continue
      }
      const { tool, argumentsText, id = `call_${++this.#calls}` } = part
      yield { type: 'call-start', id, tool }
      yield { type: 'call-delta', id, delta: argumentsText }
      yield { type: 'call', id, tool, argumentsText }
    }
    signal.throwIfAborted()
    if (ending === 'end') return
    if (ending === 'stall') await untilAborted(signal)
    if (ending === 'stall-through-abort') await new Promise<never>(() => {})
    if (typeof ending === 'object') {
      throw new ModelError(`scripted failure: ${ending.kind} ${ending.httpStatus ?? ''}`.trimEnd(), {
        model: this.#id,
        ...ending,
      })
    }
  }

  #ranOut({ messages }: ModelRequest, n: number): Error {
    const last = messages.at(-1)
    const seen = last
      ? `the last message was from "${last.role}": ${textOf(last).slice(0, 300)}`
      : 'no message was sent'
    return new Error(
      `The script ran out: model call ${n + 1}, but there are ${this.#steps.length} steps; ${seen}`,
    )
  }
}

/** Answers with text. */
export function says(text: string, options: ReplyOptions = {}): ScriptedReply {
  return reply([...thinks(options), ...writes(text, options.chunk)], { finish: 'stop', ...options })
}

/** Calls one tool, after the optional text. */
export function calls(
  tool: string,
  args: JsonObject = {},
  more: ReplyOptions & { readonly id?: string; readonly text?: string } = {},
): ScriptedReply {
  const { id, text, ...options } = more
  return callsMany([{ tool, args, id, text }], options)
}

/** Calls several tools in one reply, each after its optional text. */
export function callsMany(
  wanted: readonly {
    readonly tool: string
    readonly args?: JsonObject
    readonly id?: string
    readonly text?: string
  }[],
  options: ReplyOptions = {},
): ScriptedReply {
  const parts: (ModelPart | ScriptedCall)[] = thinks(options)
  for (const { tool, args = {}, id, text } of wanted) {
    if (text) parts.push(...writes(text, options.chunk))
    parts.push({ type: 'scripted-call', tool, argumentsText: JSON.stringify(args), id })
  }
  return reply(parts, { finish: 'tool-calls', ...options })
}

/** Calls a tool with any text as arguments. */
export function malformedCall(tool: string, argumentsText: string): ScriptedReply {
  return reply([{ type: 'scripted-call', tool, argumentsText }], { finish: 'tool-calls' })
}

/** Streams text one character per part. */
export function drips(text: string): ScriptedReply {
  return says(text, { chunk: 1 })
}

/** Ends without any content. */
export function empty(): ScriptedReply {
  return reply([], { finish: 'stop' })
}

/** Exactly these parts. */
export function raw(parts: readonly ModelPart[]): ScriptedReply {
  return { parts, ending: 'end' }
}

/** Stalls after the parts until aborted; with `ignoresAbort`, for ever. */
export function stalls(
  afterParts: readonly ModelPart[] = [],
  { ignoresAbort = false }: { readonly ignoresAbort?: boolean } = {},
): ScriptedReply {
  return { parts: afterParts, ending: ignoresAbort ? 'stall-through-abort' : 'stall' }
}

/** Ends after the parts without a finish part, like a broken connection. */
export function cuts(afterParts: readonly ModelPart[] = []): ScriptedReply {
  return { parts: afterParts, ending: 'end' }
}

/** Throws a `ModelError` for an HTTP status or from facts. Missing facts get their usual values. */
export function fails(
  what: number | Partial<ModelErrorFacts>,
  more: { readonly retryAfterMs?: number; readonly after?: readonly ModelPart[] } = {},
): ScriptedReply {
  const known: Partial<ModelErrorFacts> = typeof what === 'number' ? { httpStatus: what } : what
  const kind = known.kind ?? (known.httpStatus === undefined ? 'network' : 'http')
  const retryable =
    known.httpStatus === undefined
      ? kind !== 'refused' && kind !== 'unsupported'
      : isRetryableStatus(known.httpStatus)
  const { after = [], ...facts } = more
  return { parts: after, ending: { kind, retryable, ...known, ...facts } }
}

function reply(parts: ScriptedReply['parts'], { finish, usage }: ReplyOptions): ScriptedReply {
  const end: ModelPart = { type: 'finish', reason: finish ?? 'stop', usage: { ...SCRIPTED_USAGE, ...usage } }
  return { parts: [...parts, end], ending: 'end' }
}

function thinks({ reasoning, chunk }: ReplyOptions): ModelPart[] {
  return reasoning ? writes(reasoning, chunk, 'reasoning') : []
}

function writes(text: string, chunk = 16, type: 'text' | 'reasoning' = 'text'): ModelPart[] {
  const characters = Array.from(text)
  const parts: ModelPart[] = []
  for (let at = 0; at < characters.length; at += chunk) {
    parts.push({ type, delta: characters.slice(at, at + chunk).join('') })
  }
  parts.push({ type: 'block-end' })
  return parts
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
