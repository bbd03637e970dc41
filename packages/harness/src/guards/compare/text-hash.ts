import { hash } from 'node:crypto'

/** From this length on the hash of the platform is faster. */
const LONG = 500

/** The start value of a hash. */
export const SEED = 0x811c9dc5

/** A fast hash of a text, good enough to distinguish a few dozen texts. */
export function hashOf(text: string): number {
  if (text.length > LONG) return Number.parseInt(hash('sha1', text).slice(0, 8), 16) | 0
  let sum = SEED
  for (let index = 0; index < text.length; index++) sum = addTo(sum, text.charCodeAt(index))
  return mix(sum)
}

/** Adds one code to a hash. */
export const addTo = (sum: number, code: number): number => Math.imul(sum ^ code, 0x01000193)

/** Spreads a number over all bits, so that different parts give different sums. */
export function mix(sum: number): number {
  let mixed = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
