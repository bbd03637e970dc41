import { loadUnits, units } from './text-units.ts'

/** Finds many keywords in one pass, upper and lower case alike; its time is linear whatever the text holds. */
export interface KeywordAutomaton {
  /**
   * Tells of each keyword met, by its index and where it ends, the longest first. The answer is where the walk goes
   * on; 0 means just behind the keyword.
   */
  walk(text: string, onHit: (keyword: number, end: number) => number): void
}

interface Node {
  readonly children: Map<number, Node>
  readonly keywords: number[]
  fallback: Node | undefined
  state: number
}

const createNode = (): Node => ({ children: new Map(), keywords: [], fallback: undefined, state: 0 })

/** Aho and Corasick's automaton, with all steps worked out beforehand: one table lookup per character. */
export function createKeywordAutomaton(keywords: readonly string[]): KeywordAutomaton {
  const classes = classesOf(keywords)
  const width = 2 ** Math.ceil(Math.log2(classes.count))
  const nodes = linkNodes(growTree(keywords, classes.of))
  // States that end a keyword come last, so that one comparison tells whether there is anything to do.
  const quiet = nodes.filter((node) => node.keywords.length === 0)
  const ending = nodes.filter((node) => node.keywords.length > 0)
  for (const [index, node] of [...quiet, ...ending].entries()) node.state = index * width
  const firstHit = quiet.length * width
  const hits = ending.map((node) => node.keywords)
  const next = toTable(nodes, width)
  const classOf = classes.of
  const otherLanguageKeywords = keywords.map((keyword) =>
    /\P{ASCII}/u.test(keyword) ? keyword.toLowerCase() : '',
  )

  function meet(
    text: string,
    state: number,
    end: number,
    onHit: (keyword: number, end: number) => number,
  ): number {
    for (const keyword of hits[(state - firstHit) / width] ?? []) {
      const otherLanguage = otherLanguageKeywords[keyword]
      if (otherLanguage && !standsBefore(text, end, otherLanguage)) continue
      const resume = onHit(keyword, end)
      if (resume > end) return resume
    }
    return end
  }

  return {
    walk(text, onHit) {
      let state = 0
      for (let base = 0; base < text.length;) {
        const size = loadUnits(text, base)
        let at = 0
        // This loop is the price of every text, clean or not: what is rare stays out of it.
        for (; at < size; at++) {
          state = next[state | classOf[units[at]!]!]!
          if (state < firstHit) continue
          const end = base + at + 1
          const resume = meet(text, state, end, onHit)
          if (resume === end) continue
          at = resume - base - 1
          state = 0
        }
        base += at
      }
    },
  }
}

function standsBefore(text: string, end: number, keyword: string): boolean {
  for (let at = 0; at < keyword.length; at++) {
    const letter = text.charAt(end - keyword.length + at)
    if (letter !== keyword.charAt(at) && letter.toLowerCase() !== keyword.charAt(at)) return false
  }
  return true
}

/** Letters of other scripts share this many classes, which keeps the table small. Who meets them looks twice. */
const FOREIGN_CLASSES = 10

/** Each character of a keyword gets a class, both its cases the same one; all others are class 0. */
function classesOf(keywords: readonly string[]): { readonly of: Uint8Array; readonly count: number } {
  const of = new Uint8Array(65_536)
  let count = 1 + FOREIGN_CLASSES
  for (const letter of new Set(keywords.join('').toLowerCase().split(''))) {
    const code = letter.charCodeAt(0)
    of[code] = code < 128 ? count++ : 1 + (code % FOREIGN_CLASSES)
    const upper = letter.toUpperCase()
    if (upper.length === 1) of[upper.charCodeAt(0)] = of[code]
  }
  return { of, count }
}

function growTree(keywords: readonly string[], classOf: Uint8Array): Node {
  const root = createNode()
  for (const [index, keyword] of keywords.entries()) {
    let node = root
    for (const letter of keyword.toLowerCase().split('')) {
      const key = classOf[letter.charCodeAt(0)] ?? 0
      const child = node.children.get(key) ?? createNode()
      node.children.set(key, child)
      node = child
    }
    node.keywords.push(index)
  }
  return root
}

/** All nodes breadth first, the root at the front; each knows the longest end of its path that begins a keyword. */
function linkNodes(root: Node): readonly Node[] {
  const nodes = [root]
  for (const node of nodes) {
    for (const [key, child] of node.children) {
      let fallback = node.fallback
      while (fallback && !fallback.children.has(key)) fallback = fallback.fallback
      child.fallback = fallback?.children.get(key) ?? root
      child.keywords.push(...child.fallback.keywords)
      nodes.push(child)
    }
  }
  return nodes
}

/** The row of a state begins at its number and holds, for each class, the state that comes next. */
function toTable(nodes: readonly Node[], width: number): Uint32Array {
  const next = new Uint32Array(nodes.length * width)
  for (const { state, fallback, children } of nodes) {
    // Breadth first, so the row of the fallback is complete already.
    if (fallback) next.copyWithin(state, fallback.state, fallback.state + width)
    for (const [key, child] of children) next[state + key] = child.state
  }
  return next
}
