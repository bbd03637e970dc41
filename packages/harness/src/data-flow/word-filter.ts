const BITS = 1 << 20
const HASHES = 3

/**
 * Remembers words in a fixed amount of memory. It may say that it knows a word that it was never given; it never
 * forgets one.
 */
export class WordFilter {
  readonly #bits = new Uint8Array(BITS / 8)
  #isEmpty = true

  get isEmpty(): boolean {
    return this.#isEmpty
  }

  add(word: string): void {
    this.#isEmpty = false
    for (const bit of bitsOf(word)) this.#bits[bit >> 3]! |= 1 << (bit & 7)
  }

  has(word: string): boolean {
    return !this.#isEmpty && bitsOf(word).every((bit) => (this.#bits[bit >> 3]! & (1 << (bit & 7))) !== 0)
  }
}

function bitsOf(word: string): number[] {
  let a = 0x811c9dc5
  let b = 0x9747b28c
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x5bd1e995) ^ (b >>> 13)
  }
  return Array.from({ length: HASHES }, (_, index) => (a + Math.imul(index, b | 1)) & (BITS - 1))
}
