/** The message of an error, or undefined when it has none. Never throws: a getter may. */
export function messageOf(error: unknown): string | undefined {
  try {
    const message: unknown = error instanceof Error ? error.message : undefined
    return typeof message === 'string' && message !== '' ? message : undefined
  } catch {
    return undefined
  }
}
