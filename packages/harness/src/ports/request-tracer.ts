import type { CallerOfAction } from './connector.ts'

/** Follows the requests of a connector, for telemetry. Never throws. */
export interface RequestTracer {
  begin(request: TracedRequest): RequestTrace
}

/** A request to an MCP server. */
export interface TracedRequest {
  readonly method: string
  /** The tool that is called. */
  readonly target?: string
  readonly toolkit: string
  readonly transport: 'http' | 'stdio'
  readonly caller?: CallerOfAction
}

/** A request that has begun. */
export interface RequestTrace {
  /** The W3C trace context to send with it: `traceparent`. */
  readonly context: Readonly<Record<string, string>>
  /** With why it failed, or nothing. */
  end(errorType?: string): void
}
