/** So many bits of a vector are compared first. */
const MAX_SIGNS = 512

/** A vector of length 1. Undefined: it has no direction, or is no vector. */
export function toUnit(values: ArrayLike<number>): Float32Array | undefined {
  const unit = Float32Array.from(values)
  const length = Math.sqrt(dot(unit, unit))
  if (!Number.isFinite(length) || length === 0) return undefined
  for (let at = 0; at < unit.length; at++) unit[at]! /= length
  return unit
}

/** Of vectors of length 1 it is the cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!
  return sum
}

/** A vector as a store keeps it. */
export const toVectorBytes = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer.slice(vector.byteOffset, vector.byteOffset + vector.byteLength))

/** A copy, because the bytes of a driver may begin anywhere. */
export const fromVectorBytes = (bytes: Uint8Array): Float32Array =>
  new Float32Array(Uint8Array.from(bytes).buffer)

/** The signs of the first dimensions, a bit each, in words of 32. Vectors that point the same way share most of them. */
export function toSigns(vector: Float32Array): Uint32Array {
  const count = Math.min(MAX_SIGNS, vector.length)
  const words = new Uint32Array(Math.ceil(count / 32))
  for (let at = 0; at < count; at++) if (vector[at]! >= 0) words[at >>> 5]! |= 1 << (at & 31)
  return words
}

/** Signs as a store keeps them. */
export const toSignBytes = (vector: Float32Array): Uint8Array => new Uint8Array(toSigns(vector).buffer)
