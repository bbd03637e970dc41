import type { HiddenValue } from '@capstan/protocol'
import { MARK_START, toMark } from './scrub/span.ts'

const MARKS = /\[secret(?::[a-z0-9-]{1,40})?\]/g
const STORED = toMark('stored-credential')
const MAX_LISTED = 100

/**
 * Which parts of the arguments are redacted in what is shown, with how many characters each hides. A difference that has
 * no place of its own counts for the whole. Pure.
 */
export function findHidden(exact: unknown, shown: unknown): readonly HiddenValue[] {
  if (exact === shown) return []
  const hidden: HiddenValue[] = []
  collect(exact, shown, '', hidden)
  return hidden.slice(0, MAX_LISTED)
}

function collect(exact: unknown, shown: unknown, path: string, hidden: HiddenValue[]): void {
  if (exact === shown) return
  if (hasSameShape(exact, shown)) {
    for (const [key, value] of Object.entries(exact as Entries))
      collect(value, (shown as Entries)[key], path === '' ? key : `${path}.${key}`, hidden)
    return
  }
  const before = toText(exact)
  const after = toText(shown)
  if (before === after) return
  const kept = after.replaceAll(MARKS, '').length
  const source = after.includes(STORED) ? 'stored' : 'recognised'
  hidden.push({ path, chars: Math.max(1, before.length - (after.includes(MARK_START) ? kept : 0)), source })
}

type Entries = Readonly<Record<string, unknown>>

function hasSameShape(exact: unknown, shown: unknown): boolean {
  if (typeof exact !== 'object' || typeof shown !== 'object' || exact === null || shown === null) return false
  if (Array.isArray(exact) !== Array.isArray(shown)) return false
  const keys = Object.keys(exact).filter((key) => (exact as Entries)[key] !== undefined)
  return keys.length === Object.keys(shown).length && keys.every((key) => Object.hasOwn(shown, key))
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
