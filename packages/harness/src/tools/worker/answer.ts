import type { OutcomeFacts, ToolMedia } from '../../turn/tool/tool-outcome.ts'

/** What is handed to the worker. */
export interface WorkerTask {
  readonly module: string
  readonly args: unknown
  readonly call: { readonly callId: string; readonly idempotencyKey: string }
}

/** What comes back from it, as plain data. */
export type WorkerAnswer =
  | { readonly type: 'value'; readonly value?: unknown }
  | {
      readonly type: 'outcome'
      readonly ok: boolean
      readonly text: string
      readonly media?: readonly ToolMedia[]
      readonly facts: OutcomeFacts
    }
  | { readonly type: 'thrown'; readonly message: string; readonly facts: Readonly<Record<string, unknown>> }
