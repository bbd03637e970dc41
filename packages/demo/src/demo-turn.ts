import type { JsonObject, Message, ModelRequest } from '@capstan/harness'
import { callsOf, textOf } from '@capstan/harness'

/** What the demo model says next, and what it asks for. */
export interface DemoReply {
  readonly text: string
  readonly calls?: readonly DemoCall[]
}

export interface DemoCall {
  readonly tool: string
  readonly args: JsonObject
}

/** A call of this turn that has its result. */
export interface Finished {
  readonly tool: string
  readonly args: JsonObject
  readonly ok: boolean
  readonly text: string
}

/**
 * A turn so far, read from the conversation alone: whoever goes on with it in another process finds the same. What
 * comes next depends on what the calls brought, and never on how often something was said.
 */
export interface DemoTurn {
  /** What was asked. */
  readonly words: string
  /** Whether something came with it that only eyes could read. */
  readonly hasMedia: boolean
  /** In the order they were asked for. */
  readonly finished: readonly Finished[]
  readonly last: Finished | undefined
  /** The newest result of a tool. */
  resultOf(tool: string): Finished | undefined
  has(tool: string): boolean
  /** What the user added after the last reply. */
  readonly added: string
  /** The call with which the turn before this one ended. */
  readonly before: Finished | undefined
  /** Words of the reply that comes now, shown before the connection broke. */
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
      return result ? [{ tool, args, ok: result.ok, text: result.text }] : []
    })
  })
}

/** A turn that ended with a call asked the user something. */
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

/** One line of it, for an answer. */
export function firstLine(text: string): string {
  const line = text.split('\n').find((one) => one.trim() !== '') ?? ''
  return line.trim().replace(/^Error: /, '')
}

/** Why something failed, without what a model is told to do about it. */
export function reasonOf(text: string): string {
  return firstLine(text).replace(/(?<=[.:!]) ?(?:Do not|Call|Tell|Find out|Use) [\s\S]*$/, '')
}
