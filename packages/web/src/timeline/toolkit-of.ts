import type { Call } from '../state/thread-state.ts'

/** The app a call names, as the tools that work with apps do. */
export function toolkitOf({ connection, arguments: given }: Call): string | undefined {
  if (connection) return connection.toolkit
  if (typeof given !== 'object' || given === null || !('toolkit' in given)) return undefined
  return typeof given.toolkit === 'string' && given.toolkit !== '' ? given.toolkit : undefined
}
