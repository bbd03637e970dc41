/** The signs of the vectors of one user, in memory. A hundred thousand of 384 dimensions take 5 MB and 3 ms to compare. */
export class SignIndex {
  readonly #words: number
  #nos = new Float64Array(64)
  #signs: Uint32Array
  #count = 0

  /** `words`: of 32 signs each, as many as every vector has. */
  constructor(words: number) {
    this.#words = words
    this.#signs = new Uint32Array(64 * words)
  }

  get count(): number {
    return this.#count
  }

  /** The largest number. Rows are added in the order of their numbers. */
  get lastNo(): number {
    return this.#count === 0 ? 0 : this.#nos[this.#count - 1]!
  }

  get bytes(): number {
    return this.#nos.byteLength + this.#signs.byteLength
  }

  add(no: number, signs: Uint8Array): void {
    if (signs.byteLength !== this.#words * 4) return
    if (this.#count === this.#nos.length) this.#grow()
    this.#nos[this.#count] = no
    this.#signs.set(new Uint32Array(Uint8Array.from(signs).buffer), this.#count * this.#words)
    this.#count++
  }

  /** The numbers of the vectors that share most signs. */
  closest(query: Uint32Array, limit: number): number[] {
    const distances = this.#measure(query)
    const most = findLimit(distances, this.#words * 32, limit)
    const found: { readonly no: number; readonly distance: number }[] = []
    for (let at = 0; at < this.#count; at++)
      if (distances[at]! <= most) found.push({ no: this.#nos[at]!, distance: distances[at]! })
    return found
      .toSorted((a, b) => a.distance - b.distance || b.no - a.no)
      .slice(0, limit)
      .map(({ no }) => no)
  }

  /** Numbers from all over the index. */
  sample(limit: number): number[] {
    const step = Math.max(1, this.#count / limit)
    return Array.from(
      { length: Math.min(limit, this.#count) },
      (_none, n) => this.#nos[Math.floor(n * step)]!,
    )
  }

  #measure(query: Uint32Array): Uint16Array {
    const words = this.#words
    const signs = this.#signs
    const distances = new Uint16Array(this.#count)
    for (let at = 0, from = 0; at < distances.length; at++) {
      let distance = 0
      for (let word = 0; word < words; word++) {
        // Counts the bits in which both differ.
        let bits = signs[from++]! ^ query[word]!
        bits -= (bits >>> 1) & 0x55555555
        bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
        distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
      }
      distances[at] = distance
    }
    return distances
  }

  #grow(): void {
    const nos = new Float64Array(this.#nos.length * 2)
    nos.set(this.#nos)
    this.#nos = nos
    const signs = new Uint32Array(this.#signs.length * 2)
    signs.set(this.#signs)
    this.#signs = signs
  }
}

/** The distance within which `limit` of them lie. */
function findLimit(distances: Uint16Array, most: number, limit: number): number {
  const counts = new Uint32Array(most + 1)
  for (const distance of distances) counts[distance]!++
  let sum = 0
  for (let distance = 0; distance <= most; distance++) {
    sum += counts[distance]!
    if (sum >= limit) return distance
  }
  return most
}
