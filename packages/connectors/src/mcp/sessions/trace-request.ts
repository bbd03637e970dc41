import type { RequestTracer, TracedRequest } from '@capstan/harness/connectors'

/** Sends a request, with a span for it when somebody traces. `send` gets the trace context to send along. */
export async function traceRequest<Answer>(
  tracer: RequestTracer | undefined,
  request: TracedRequest,
  send: (context: Readonly<Record<string, string>>) => Promise<Answer>,
  /** Why an answer counts as failed. */
  problemOf: (answer: Answer) => string | undefined = () => undefined,
): Promise<Answer> {
  if (!tracer) return send(NO_CONTEXT)
  const trace = tracer.begin(request)
  try {
    const answer = await send(trace.context)
    trace.end(problemOf(answer))
    return answer
  } catch (error) {
    trace.end(error instanceof Error ? error.name : 'unknown')
    throw error
  }
}

const NO_CONTEXT = {}
