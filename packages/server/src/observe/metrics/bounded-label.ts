import { sanitizeLine } from '@capstan/harness/connectors'

const MAX_CHARS = 80

/** The value of everything that came when the set was full. */
export const OTHER = 'other'

/**
 * Makes labels of names that others choose, such as tools and models. The first `most` names are kept, short and on one
 * line; all later ones share a label, so that nobody can add time series without end.
 */
export function createBoundedLabel(most = 50): (name: string) => string {
  const known = new Set<string>()
  return (name) => {
    const label = sanitizeLine(name, MAX_CHARS)
    if (known.has(label)) return label
    if (known.size >= most) return OTHER
    known.add(label)
    return label
  }
}
