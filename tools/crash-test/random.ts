/** Random numbers that are the same for the same seed on every machine. */
export interface Random {
  /** At least `from`, at most `to`. */
  int(from: number, to: number): number
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

/** Creates one independent stream of numbers per name. */
export function createRandom(...names: readonly (number | string)[]): Random {
  let state = 0x811c9dc5
  for (const character of names.join('/')) {
    state = Math.imul(state ^ character.codePointAt(0)!, 0x01000193)
  }
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (items) => items[int(0, items.length - 1)]!,
  }
}
