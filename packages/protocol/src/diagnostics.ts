/** What the diagnostics found. */
export interface Diagnostics {
  readonly checks: readonly DiagnosticCheck[]
}

/** One part of the installation. Screens word `finding` and `remedy`; the sentences are English, for the terminal. */
export interface DiagnosticCheck {
  readonly id:
    | 'node'
    | 'store'
    | 'disk'
    | 'model'
    | 'embeddings'
    | 'apps'
    | 'demo-app'
    | 'web-app'
    | 'clock'
    | 'sandbox'
  readonly state: 'ok' | 'warning' | 'failed'
  readonly finding: DiagnosticFinding
  /** What to do about it. */
  readonly remedy?: DiagnosticRemedy
  readonly found: string
  readonly next?: string
}

/** The facts of a check. Which values there are depends on the code. */
export interface DiagnosticFinding {
  readonly code:
    | 'node'
    | 'store'
    | 'store-replaced'
    | 'disk'
    | 'model'
    | 'model-demo'
    | 'model-unusable'
    | 'embeddings'
    | 'embeddings-off'
    | 'embeddings-failing'
    | 'embeddings-unusable'
    | 'apps'
    | 'apps-unsure'
    | 'apps-broken'
    | 'sandbox'
    | 'sandbox-off'
    | 'sandbox-unavailable'
    /** It works, but the number of processes is only watched. */
    | 'sandbox-unlimited'
    | 'demo'
    | 'demo-off'
    | 'demo-silent'
    | 'web'
    | 'web-elsewhere'
    | 'web-missing'
    | 'clock'
    | 'clock-behind'
    /** The check itself failed. */
    | 'unchecked'
  readonly version?: string
  readonly oldest?: string
  readonly folder?: string
  /** Technical, in English. */
  readonly detail?: string
  readonly freeBytes?: number
  readonly model?: string
  readonly known?: number
  readonly done?: number
  readonly total?: number
  readonly connected?: number
  readonly names?: readonly string[]
  readonly address?: string
  readonly at?: number
}

/** A step that mends what a check found. */
export type DiagnosticRemedy =
  | 'node'
  | 'store'
  | 'disk-soon'
  | 'disk-now'
  | 'model'
  | 'model-demo'
  | 'model-unusable'
  | 'embeddings-unusable'
  | 'apps-unsure'
  | 'apps-broken'
  | 'sandbox'
  | 'sandbox-unlimited'
  | 'restart'
  | 'clock'
