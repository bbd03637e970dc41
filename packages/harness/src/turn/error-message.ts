/** The message of an error, or undefined when it has none. Never throws: a getter may. */
export function messageOf(error: unknown): string | undefined {
  try {
    const message: unknown = error instanceof Error ? error.message : undefined
    return typeof message === 'string' && message !== '' ? message : undefined
  } catch {
    return undefined
  }
}

/** The message of an error, or the text of anything else that was thrown. Never throws. */
export function toErrorText(error: unknown): string {
  try {
    return messageOf(error) ?? String(error)
  } catch {
    return 'an error without a text'
  }
}
