import type { Message } from '@capstan/harness'
import type { ModelRequest } from '@capstan/harness/models'
import type { JsonObject } from '@capstan/harness/seams'
import { textOf } from '@capstan/harness'
import { withoutFrame } from '@capstan/harness/models'
import { callsOf } from '@capstan/harness/seams'

/** The next reply of the demo model, with its calls. */
export interface DemoReply {
  readonly text: string
  readonly calls?: readonly DemoCall[]
}

export interface DemoCall {
  readonly tool: string
  readonly args: JsonObject
}

/** A finished call of this turn. */
export interface Finished {
  readonly tool: string
  readonly args: JsonObject
  readonly ok: boolean
  readonly text: string
}

/**
 * A turn so far, read from the conversation alone, so that another process continues it the same way. The next step
 * depends on the results of the calls only.
 */
export interface DemoTurn {
  /** The user's message. */
  readonly words: string
  /** Whether the message has attachments. */
  readonly hasMedia: boolean
  /** In call order. */
  readonly finished: readonly Finished[]
  readonly last: Finished | undefined
  /** The newest result of a tool. */
  resultOf(tool: string): Finished | undefined
  has(tool: string): boolean
  /** Steering messages after the last reply. */
  readonly added: string
  /** The call that ended the turn before this one. */
  readonly before: Finished | undefined
  /** Text of the current reply that was shown before it was cut. */
  readonly shown: string
}

export function readDemoTurn({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): DemoTurn {
  const asked = messages.findLastIndex((message) => message.role === 'user' && message.delivery !== 'steer')
  const request = messages[asked]
  const since = messages.slice(asked + 1)
  const finished = finishedIn(since)
  const names = new Set(tools.map(({ name }) => name))
  return {
    words: request ? textOf(request) : '',
    hasMedia: request?.role === 'user' && request.parts.some(({ type }) => type !== 'text'),
    finished,
    last: finished.at(-1),
    resultOf: (tool) => finished.findLast((one) => one.tool === tool),
    has: (tool) => names.has(tool),
    added: addedSince(since),
    before: endOf(messages.slice(0, Math.max(0, asked))),
    shown: shownOf(since),
  }
}

function finishedIn(messages: readonly Message[]): readonly Finished[] {
  const results = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.callId, message] as const] : [])),
  )
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return []
    return callsOf(message).flatMap(({ id, tool, arguments: args }) => {
      const result = results.get(id)
      return result ? [{ tool, args, ok: result.ok, text: withoutFrame(result.text) }] : []
    })
  })
}

/** A turn that ends with a call has asked the user a question. */
function endOf(messages: readonly Message[]): Finished | undefined {
  return messages.at(-1)?.role === 'tool' ? finishedIn(messages).at(-1) : undefined
}

function addedSince(messages: readonly Message[]): string {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  return messages
    .slice(last + 1)
    .filter(({ role }) => role === 'user')
    .map(textOf)
    .join(' ')
}

function shownOf(messages: readonly Message[]): string {
  const whole = messages.findLastIndex(
    (message) => message.role === 'tool' || (message.role === 'assistant' && !message.cut),
  )
  return messages
    .slice(whole + 1)
    .filter(({ role }) => role === 'assistant')
    .map(textOf)
    .join('')
}

export const call = (tool: string, args: JsonObject = {}): DemoCall => ({ tool, args })

/** The first line with text. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? ''
  return line.trim().replace(/^Error: /, '')
}

/** The reason of a failure, without the instructions to the model. */
export function reasonOf(text: string): string {
  return firstLine(text).replace(/(?<=[.:!]) ?(?:Do not|Call|Tell|Find out|Use) [\s\S]*$/, '')
}
