/** Where a request differs from the previous one instead of extending it. */
export interface PrefixBreak {
  readonly field: 'tools' | 'system' | 'history'
  readonly reason: string
}

/** The parts of one request, as hashes. */
export interface PrefixRecord {
  readonly tools: string
  readonly system: string
  readonly history: string
  /** Absent: this request only appended. */
  readonly broken?: PrefixBreak
}
