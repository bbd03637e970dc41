/** What one request was made of, and where it stopped being an extension of the one before it. */
export interface PrefixRecord {
  readonly tools: string
  readonly system: string
  readonly history: string
  /** Absent: this request only appended. */
  readonly broken?: { readonly field: 'tools' | 'system' | 'history'; readonly reason: string }
}
