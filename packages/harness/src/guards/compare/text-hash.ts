import { hash } from 'node:crypto'

/** From here on the hash of the platform is quicker. */
const LONG = 500

export const SEED = 0x811c9dc5

/** A text as a number: equal texts, equal numbers. Good enough to tell a few dozen texts apart, and quick. */
export function hashOf(text: string): number {
  if (text.length > LONG) return Number.parseInt(hash('sha1', text).slice(0, 8), 16) | 0
  let sum = SEED
  for (let index = 0; index < text.length; index++) sum = addTo(sum, text.charCodeAt(index))
  return mix(sum)
}

export const addTo = (sum: number, code: number): number => Math.imul(sum ^ code, 0x01000193)

/** Spreads a number over all bits, so that sums of such numbers keep their parts apart. */
export function mix(sum: number): number {
  let mixed = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
