import type { Tracer } from '@opentelemetry/api'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import type { RequestTracer, TracedRequest } from '../ports/request-tracer.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import { ATTRIBUTE } from './names.ts'
import { toTraceparent } from './traceparent.ts'
import type { RunSpans } from './turn-context.ts'
import { belowCall } from './turn-context.ts'

const MAX_NAME_CHARS = 100

/** The spans of requests to MCP servers, below the calls they are made for. */
export function createRequestSpans(tracer: Tracer, spans: RunSpans): RequestTracer {
  return {
    begin(request) {
      const { method, caller } = request
      const target = toTarget(request)
      const context = caller
        ? belowCall(caller.run, { runId: caller.run.runId, callId: caller.callId }, spans)
        : ROOT_CONTEXT
      const attributes = {
        [ATTRIBUTE.mcpMethod]: method,
        [ATTRIBUTE.toolkit]: request.toolkit,
        [ATTRIBUTE.transport]: request.transport === 'http' ? 'tcp' : 'pipe',
        ...(target === undefined ? undefined : { [ATTRIBUTE.toolName]: target }),
      }
      const name = target === undefined ? method : `${method} ${target}`
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, context)
      return {
        context: { traceparent: toTraceparent(span.spanContext()) },
        end(errorType) {
          if (errorType !== undefined) {
            span.setAttribute(ATTRIBUTE.errorType, errorType)
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
      }
    },
  }
}

const toTarget = ({ target }: TracedRequest): string | undefined =>
  target === undefined ? undefined : sanitizeLine(target, MAX_NAME_CHARS)
