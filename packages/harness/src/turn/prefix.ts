/** Where a request stopped being an extension of the one before it. */
export interface PrefixBreak {
  readonly field: 'tools' | 'system' | 'history'
  readonly reason: string
}

/** What one request was made of, as hashes. */
export interface PrefixRecord {
  readonly tools: string
  readonly system: string
  readonly history: string
  /** Absent: this request only appended. */
  readonly broken?: PrefixBreak
}
