import type { Attributes, Context, Span, SpanOptions, Tracer } from '@opentelemetry/api'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { TurnOutcome, Usage } from '@capstan/protocol'
import type { ModelCall, RecordedCall, TurnObserver } from '../seams/seams.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import { createdAt } from '../turn/new-id.ts'
import type { RunContext } from '../turn/run-context.ts'
import type { ContentWriter } from './message-content.ts'
import { toModelName } from './model-name.ts'
import { ATTRIBUTE, OPERATION } from './names.ts'
import type { RunIds } from './run-ids.ts'
import { callSpanIdOf, runSpanIdOf } from './run-ids.ts'
import type { RunSpans } from './turn-context.ts'
import { belowCall, belowRun, turnTraceIdOf } from './turn-context.ts'

interface TurnSpansOptions {
  readonly tracer: Tracer
  readonly ids: RunIds
  readonly spans: RunSpans
  /** Absent: no contents are written. */
  readonly content?: ContentWriter
}

/** A name that a model or an app chose. */
const MAX_NAME_CHARS = 100

/**
 * The spans of turns: a run and its sub-agents, its model calls and its calls, in one trace. The span of a run is
 * exported when the run ends, by whichever process ends it; the id is the same in all of them.
 */
export class TurnSpans implements TurnObserver {
  readonly #tracer: Tracer
  readonly #ids: RunIds
  readonly #spans: RunSpans
  readonly #content: ContentWriter | undefined

  constructor({ tracer, ids, spans, content }: TurnSpansOptions) {
    this.#tracer = tracer
    this.#ids = ids
    this.#spans = spans
    this.#content = content
  }

  turnStarted(run: RunContext, { model }: { readonly model: string }): void {
    this.#open(run).setAttributes(modelAttributes(model))
  }

  turnResumed(run: RunContext): void {
    this.#open(run).addEvent('turn-resume')
  }

  modelCalled(run: RunContext, call: ModelCall): void {
    const { model } = toModelName(call.model)
    this.#spans.get(run)?.setAttributes(modelAttributes(call.model)) // a resumed run does not say its model
    const options = {
      kind: SpanKind.CLIENT,
      startTime: call.startedAt,
      attributes: { ...chatAttributes(call), ...this.#chatContent(call) },
    }
    const span = this.#tracer.startSpan(`${OPERATION.chat} ${model}`, options, belowRun(run, this.#spans))
    if (call.failure) fail(span, call.failure.class)
    span.end(call.startedAt + call.durationMs)
  }

  callFinished(run: RunContext, finished: RecordedCall): void {
    const { runId, clock } = run
    const { callId, tool, durationMs, failure } = finished.result
    const end = clock.now()
    const options = {
      startTime: end - durationMs,
      attributes: { ...toolAttributes(finished), ...this.#callContent(finished) },
    }
    const spanId = callSpanIdOf(runId, callId)
    const name = `${OPERATION.tool} ${toName(tool)}`
    const span = this.#start({ spanId }, name, options, belowRun(run, this.#spans))
    if (failure) fail(span, failure.class)
    span.end(end)
  }

  turnEnded(run: RunContext, outcome: TurnOutcome): void {
    const span = this.#spans.get(run)
    if (!span) return
    this.#spans.delete(run)
    span.setAttributes({ ...usageAttributes(outcome.usage), [ATTRIBUTE.outcome]: outcome.type })
    if (outcome.type === 'failed') fail(span, outcome.failure.class)
    span.end(run.clock.now())
  }

  #open(run: RunContext): Span {
    const { runId, parent, agent, conversationId, clock } = run
    const options = {
      startTime: createdAt(runId) ?? clock.now(),
      attributes: {
        [ATTRIBUTE.operation]: OPERATION.agent,
        [ATTRIBUTE.agentId]: toName(agent),
        [ATTRIBUTE.agentName]: toName(run.name ?? agent),
        [ATTRIBUTE.conversation]: conversationId,
        [ATTRIBUTE.run]: runId,
      },
    }
    const ids = { traceId: turnTraceIdOf(run), spanId: runSpanIdOf(runId) }
    const context = parent ? belowCall(run, parent, this.#spans) : ROOT_CONTEXT
    const span = this.#start(ids, `${OPERATION.agent} ${toName(agent)}`, options, context)
    this.#spans.set(run, span)
    return span
  }

  #start(ids: Parameters<RunIds['use']>[0], name: string, options: SpanOptions, context: Context): Span {
    return this.#ids.use(ids, () => this.#tracer.startSpan(name, options, context))
  }

  #chatContent({ system, messages, reply }: ModelCall): Attributes | undefined {
    const content = this.#content
    return (
      content && {
        [ATTRIBUTE.instructions]: content.value([{ type: 'text', content: system }]),
        [ATTRIBUTE.inputMessages]: content.messages(messages),
        ...(reply ? { [ATTRIBUTE.outputMessages]: content.reply(reply) } : undefined),
      }
    )
  }

  #callContent({ call, result }: RecordedCall): Attributes | undefined {
    const content = this.#content
    return (
      content && {
        [ATTRIBUTE.toolArguments]: content.value(call.arguments),
        [ATTRIBUTE.toolResult]: content.text(result.text),
      }
    )
  }
}

const toName = (name: string): string => sanitizeLine(name, MAX_NAME_CHARS)

function fail(span: Span, errorType: string): void {
  span.setAttribute(ATTRIBUTE.errorType, errorType)
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function modelAttributes(id: string): Attributes {
  const { provider, model, server } = toModelName(id)
  return {
    [ATTRIBUTE.provider]: provider,
    [ATTRIBUTE.model]: model,
    ...(server === undefined ? undefined : { [ATTRIBUTE.serverAddress]: server }),
  }
}

const chatAttributes = ({ model, reply, firstPartMs }: ModelCall): Attributes => ({
  [ATTRIBUTE.operation]: OPERATION.chat,
  ...modelAttributes(model),
  [ATTRIBUTE.stream]: true,
  ...(firstPartMs === undefined ? undefined : { [ATTRIBUTE.firstChunk]: firstPartMs / 1000 }),
  ...(reply
    ? { [ATTRIBUTE.finishReasons]: [FINISH_REASONS[reply.finish]], ...usageAttributes(reply.usage) }
    : undefined),
})

const FINISH_REASONS = {
  stop: 'stop',
  'tool-calls': 'tool_call',
  length: 'length',
  'content-filter': 'content_filter',
  other: 'other',
} as const

const toolAttributes = ({ result }: RecordedCall): Attributes => ({
  [ATTRIBUTE.operation]: OPERATION.tool,
  [ATTRIBUTE.toolName]: toName(result.tool),
  [ATTRIBUTE.toolCallId]: toName(result.callId),
  [ATTRIBUTE.toolType]: result.from === 'app' ? 'extension' : 'function',
})

/** Cached tokens are part of the input, reasoning is part of the output, as the conventions count. */
const usageAttributes = (usage: Usage): Attributes => ({
  [ATTRIBUTE.inputTokens]: usage.inputTokens,
  [ATTRIBUTE.outputTokens]: usage.outputTokens,
  [ATTRIBUTE.cacheReadTokens]: usage.cachedInputTokens,
  [ATTRIBUTE.cacheWriteTokens]: usage.cacheWriteTokens,
  [ATTRIBUTE.reasoningTokens]: usage.reasoningTokens,
})
