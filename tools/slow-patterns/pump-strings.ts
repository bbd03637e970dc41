import type { PatternNode } from '../../packages/harness/src/text/pattern/parse-pattern.ts'
import { parsePattern } from '../../packages/harness/src/text/pattern/parse-pattern.ts'

/** A text that makes a pattern try again and again: `start`, then `pump` as often as fits, then `end`. */
export interface PumpString {
  readonly start: string
  readonly pump: string
  readonly end: string
}

/** Which characters an example prefers. Parts that share one are where a matcher has many ways. */
const PREFERENCES = [
  'a0 ',
  '0a',
  ' a',
  '\na',
  '-a',
  '.a',
  '/a',
  '"a',
  '<a',
  '[a',
  ',a',
  ':a',
  '=a',
  '_a',
  '\\a',
  'é',
]
/** What a pattern does not expect behind a long run. */
const ENDS = ['', '\u0001', '\n!']
/** Fewer repetitions cannot take long. */
const MIN_REPEATS = 8
const REPEATS = /[*+]|\{\d*,?\d+\}|,\}/

/** Texts made from the pattern itself. Each repeated part is pumped, alone and together with what leads to it. */
export function pumpStrings({ source, flags }: RegExp): readonly PumpString[] {
  const strings = new Map<string, PumpString>()
  const add = (start: string, pump: string) => {
    if (pump === '') return
    for (const end of ENDS) strings.set(JSON.stringify([start, pump, end]), { start, pump, end })
  }
  for (const part of topLevelParts(simplify(source))) {
    const node = parsePattern(part).node
    for (const preference of PREFERENCES) {
      const example = createExample(preference, flags)
      forEachRepeat(node, '', example, (start, body) => {
        add(start, body)
        add('', start + body)
      })
      if (!REPEATS.test(part)) continue
      const whole = example(node)
      add('', whole)
      add('', whole.slice(0, -1))
    }
  }
  return [...strings.values()]
}

/** Without what the parser refuses: looking behind, references to groups, and the difference of two sets. */
const simplify = (source: string): string =>
  source
    .replaceAll('(?<=', '(?:')
    .replaceAll('(?<!', '(?!')
    .replaceAll(/\\(?:[1-9]|k<\w+>)/g, '')
    .replaceAll(/\[(\[[^\]]*\])--\[[^\]]*\]\]/g, '$1')

/** The alternatives of a pattern, one by one: some lists of words are very long. */
function topLevelParts(source: string): readonly string[] {
  const parts: string[] = []
  let [depth, start, isClass] = [0, 0, false]
  for (let at = 0; at < source.length; at++) {
    const sign = source.charAt(at)
    if (sign === '\\') at++
    else if (isClass) isClass = sign !== ']'
    else if (sign === '[') isClass = true
    else if (sign === '(') depth++
    else if (sign === ')') depth--
    else if (sign === '|' && depth === 0) {
      parts.push(source.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, source.slice(start)]
}

type Example = (node: PatternNode) => string

/** Writes a text that fits a part of a pattern, with the preferred characters wherever they fit. */
function createExample(preference: string, flags: string): Example {
  const letters = [...Array.from(preference), ...ASCII, ...Array.from('éяあ漢\u00a0\u200b😀')]
  const known = new Map<string, string>()
  const letterOf = (source: string): string => {
    const one = new RegExp(`^(?:${source})$`, flags.replaceAll(/[gymd]/g, ''))
    return letters.find((letter) => one.test(letter)) ?? ''
  }
  const example: Example = (node) => {
    switch (node.type) {
      case 'literal':
        return String.fromCodePoint(node.code)
      case 'one':
        if (!known.has(node.source)) known.set(node.source, letterOf(node.source))
        return known.get(node.source)!
      case 'sequence':
        return node.nodes.map(example).join('')
      case 'choice':
        return example(node.nodes.at(preference.charCodeAt(0) % node.nodes.length)!)
      case 'repeat':
        return example(node.node).repeat(Math.min(Math.max(node.min, 1), 100))
      case 'ahead':
      case 'assert':
        return ''
    }
  }
  return example
}

const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

/** Tells of each part that repeats, with a text that leads to it. */
function forEachRepeat(
  node: PatternNode,
  start: string,
  example: Example,
  tell: (start: string, body: string) => void,
): void {
  if (node.type === 'sequence') {
    let before = start
    for (const inner of node.nodes) {
      forEachRepeat(inner, before, example, tell)
      before += example(inner)
    }
  } else if (node.type === 'choice') {
    for (const inner of node.nodes) forEachRepeat(inner, start, example, tell)
  } else if (node.type === 'ahead') {
    forEachRepeat(node.node, start, example, tell)
  } else if (node.type === 'repeat') {
    if (node.max >= MIN_REPEATS) {
      const bodies = node.node.type === 'choice' ? node.node.nodes : [node.node]
      for (const body of bodies) tell(start, example(body))
    }
    forEachRepeat(node.node, start, example, tell)
  }
}
