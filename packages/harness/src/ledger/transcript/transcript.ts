import type { CallId, Failure, RunId, ThreadRow, TurnOutcome } from '@capstan/protocol'
import type { LedgerRecord, RecordOf } from '../../ports/ledger.ts'
import type { AssistantMessage, MediaPart, Message, UserMessage } from '../../turn/message/message.ts'
import { callsOf, textOf } from '../../turn/message/message.ts'
import { toStored } from '../../turn/message/stored-message.ts'
import type { ToolCall } from '../../turn/tool/tool-call.ts'
import { fence, quote, toHtml, toHtmlLine, toOwnBlock } from './markdown.ts'
import { toCount, toDuration } from '../report/quantities.ts'

/**
 * Exports a thread as JSON lines: first the thread, then each message in its stored form, in order, with its time and
 * run. Messages of a sub-agent carry the id of their conversation. The result of a failed call carries its failure, and a
 * run that was not answered has a line `run-end` with its status and its failure.
 */
export function toJsonl(thread: ThreadRow, records: readonly LedgerRecord[]): string {
  const conversations = conversationsOf(records)
  const lines: unknown[] = [{ type: 'thread', ...thread }]
  for (const record of records) {
    if (record.type !== 'message' && record.type !== 'call-result' && record.type !== 'run-end') continue
    const content = contentOf(record)
    if (!content) continue
    const { at, runId } = record
    const conversationId = conversations.get(runId)
    lines.push({
      ...content,
      at,
      runId,
      ...(conversationId === undefined || conversationId === thread.id ? undefined : { conversationId }),
    })
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function contentOf(record: RecordOf<'message' | 'call-result' | 'run-end'>): object | undefined {
  if (record.type === 'message') return toStored(record.message)
  if (record.type === 'call-result') {
    const { failure } = record.result
    return { ...toStored(record.message), ...(failure ? { failure } : undefined) }
  }
  const { outcome } = record
  if (outcome.type === 'done') return undefined
  const failure = failureOf(outcome)
  return { type: 'run-end', status: outcome.type, ...(failure ? { failure } : undefined) }
}

const failureOf = (outcome: TurnOutcome): Failure | undefined =>
  outcome.type === 'failed' || outcome.type === 'halted' ? outcome.failure : undefined

/**
 * Exports a thread as Markdown for people. The content of a message cannot close a block, fake a heading or become
 * markup.
 */
export function toMarkdown(thread: ThreadRow, records: readonly LedgerRecord[]): string {
  const created = new Date(thread.createdAt).toISOString().slice(0, 10)
  const head = [`# ${toHtmlLine(thread.title) || 'A conversation'}`, `*${created}, ${thread.id}*`]
  return toPage(head, records, thread.id)
}

/** The conversation of a run as Markdown for people, also of a sub-agent. Undefined for a run that is not recorded. */
export function runToMarkdown(runId: RunId, records: readonly LedgerRecord[]): string | undefined {
  const conversationId = conversationsOf(records).get(runId)
  const opened = records.find(
    (record) => record.type === 'conversation-open' && record.conversationId === conversationId,
  )
  if (conversationId === undefined || opened?.type !== 'conversation-open') return undefined
  const date = new Date(opened.at).toISOString().slice(0, 10)
  return toPage([`# ${toHtmlLine(opened.agent)}`, `*${date}, ${runId}*`], records, conversationId)
}

function toPage(head: readonly string[], records: readonly LedgerRecord[], conversationId: string): string {
  const page = new MarkdownPage(records)
  const conversations = conversationsOf(records)
  for (const record of records) {
    if (record.type !== 'run-end' && record.type !== 'history-replace' && record.type !== 'message') continue
    if (conversations.get(record.runId) !== conversationId) continue
    if (record.type === 'message') page.addMessage(record.message, record.runId)
    else if (record.type === 'run-end') page.endRun(record.outcome)
    else page.add(quote('*The part above was summarised for the model here.*'))
  }
  return `${[...head, ...page.blocks].join('\n\n')}\n`
}

function conversationsOf(records: readonly LedgerRecord[]): ReadonlyMap<RunId, string> {
  return new Map(
    records.flatMap((record) =>
      record.type === 'run-start' ? [[record.run.runId, record.run.conversationId] as const] : [],
    ),
  )
}

/** Collects the blocks of the page. */
class MarkdownPage {
  readonly blocks: string[] = []
  readonly #facts: CallFacts
  #lastRole: 'user' | 'assistant' | undefined

  constructor(records: readonly LedgerRecord[]) {
    this.#facts = new CallFacts(records)
  }

  add(block: string): void {
    this.blocks.push(block)
  }

  addMessage(message: Message, runId: RunId): void {
    switch (message.role) {
      case 'user':
        return this.#addUser(message)
      case 'assistant':
        return this.#addAssistant(message, runId)
      case 'notice':
        return this.add(quote(`*Notice:* ${toHtml(message.text)}`))
      case 'tool': // shown under its call
        return
    }
  }

  endRun(outcome: TurnOutcome): void {
    if (outcome.type === 'aborted') this.add(quote('*Stopped here.*'))
    else if (outcome.type === 'failed') this.add(quote(`*Failed:* ${toHtml(outcome.text)}`))
    const failure = failureOf(outcome)
    if (failure) this.add(toReason(failure))
  }

  #addUser({ parts, delivery }: UserMessage): void {
    this.#lastRole = 'user'
    this.add(delivery === 'steer' ? '## You, while it was working' : '## You')
    for (const part of parts) this.add(part.type === 'text' ? toOwnBlock(part.text) : toAttachment(part))
  }

  #addAssistant(message: AssistantMessage, runId: RunId): void {
    if (this.#lastRole !== 'assistant') this.add('## Assistant')
    this.#lastRole = 'assistant'
    const words = textOf(message)
    if (words.trim() !== '') this.add(toOwnBlock(words))
    if (message.cut) this.add('*(This reply was cut off.)*')
    for (const call of callsOf(message)) this.add(this.#toDetails(runId, call))
  }

  #toDetails(runId: RunId, call: ToolCall): string {
    const { label, detail, result, agents } = this.#facts.of(runId, call.id)
    const mark = result === undefined ? '…' : result.result.ok ? '✓' : '✗'
    const name = label ?? call.tool
    const time = result ? ` (${toDuration(result.result.durationMs)})` : ''
    const failure = result?.result.failure
    return [
      `<details>\n<summary>${toHtmlLine(`${mark} ${name}${detail === undefined ? '' : `: ${detail}`}${time}`)}</summary>`,
      `Called \`${call.tool.replaceAll(/[^\w.:/-]/g, '_')}\` with`,
      call.malformed
        ? fence(call.malformed.raw, 'text')
        : fence(JSON.stringify(call.arguments, undefined, 2), 'json'),
      ...agents.map(
        ({ agent, runId: childId, ending }) => `Sub-agent ${toHtmlLine(agent)}, ${ending} (\`${childId}\`)`,
      ),
      ...(result
        ? [result.result.ok ? 'It answered' : 'It failed', fence(result.message.text, 'text')]
        : ['No result was recorded.']),
      ...(result?.message.media ?? []).map(toAttachment),
      ...(failure ? [toReason(failure)] : []),
      '</details>',
    ].join('\n\n')
  }
}

const toReason = ({ cause, next }: Failure): string =>
  quote(`*Why:* ${toHtml(cause)} *What to do next:* ${toHtml(next)}`)

interface CallFact {
  readonly label?: string
  readonly detail?: string
  readonly result?: RecordOf<'call-result'>
  readonly agents: readonly { readonly agent: string; readonly runId: RunId; readonly ending: string }[]
}

/** Facts about each call that are not in the model's message. */
class CallFacts {
  readonly #facts = new Map<string, CallFact>()

  constructor(records: readonly LedgerRecord[]) {
    const endings = new Map(
      records.flatMap((record) =>
        record.type === 'run-end' ? [[record.runId, record.outcome] as const] : [],
      ),
    )
    for (const record of records) {
      if (record.type === 'call-result') this.#add(record.runId, record.result.callId, { result: record })
      else if (record.type === 'event' && record.event.type === 'tool-start') {
        const { runId, callId, label, detail } = record.event
        this.#add(runId, callId, { label, ...(detail === undefined ? undefined : { detail }) })
      } else if (record.type === 'run-start' && record.run.parent) {
        const { runId, agent, parent } = record.run
        const outcome = endings.get(runId)
        const ending = outcome
          ? `${outcome.type} after ${toCount(outcome.iterations, 'step')}`
          : 'not finished'
        const { agents } = this.of(parent.runId, parent.callId)
        this.#add(parent.runId, parent.callId, { agents: [...agents, { agent, runId, ending }] })
      }
    }
  }

  of(runId: RunId, callId: CallId): CallFact {
    return this.#facts.get(`${runId}/${callId}`) ?? { agents: [] }
  }

  #add(runId: RunId, callId: CallId, facts: Partial<CallFact>): void {
    this.#facts.set(`${runId}/${callId}`, { ...this.of(runId, callId), ...facts })
  }
}

function toAttachment({ type, name, mediaType, bytes }: MediaPart): string {
  const what = name === undefined ? mediaType : `${name}, ${mediaType}`
  return `*[${type}: ${toHtmlLine(what)}, ${toCount(bytes, 'byte')}]*`
}
