/** A JSON token in valid spelling. */
export interface Token {
  readonly json: string
  /** The word as written, for a token without quotes. */
  readonly word?: string
}

type Spelling =
  | { readonly tokens: readonly Token[]; readonly repaired: boolean }
  | { readonly problem: string }

/** The deepest nesting that is accepted. Code that walks the data later may recurse. */
export const MAX_DEPTH = 200

const PYTHON_CONSTANTS: ReadonlyMap<string, string> = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
])
const BARE_KEY = /^[A-Za-z_$][\w$]*$/
const WORD_END = /[\s{}[\]:,"']/g

/**
 * Rewrites near-JSON as JSON, token by token. Only the spelling of single tokens changes; `JSON.parse` checks their
 * order, so a missing comma, quote or bracket stays missing.
 */
export function spellJson(text: string): Spelling {
  const inner = withoutFence(text)
  const tokens: Token[] = []
  let repaired = inner !== text
  let depth = 0
  let at = 0
  while (at < inner.length) {
    const char = inner.charAt(at)
    if (isSpace(char)) {
      at++
    } else if (char === '/') {
      const end = commentEnd(inner, at)
      if (end === undefined) return { problem: 'not valid JSON (a stray slash)' }
      at = end
      repaired = true
    } else if (char === '"' || char === "'") {
      const string = spellString(inner, at)
      if (!string) return { problem: 'not valid JSON (a string is not closed)' }
      tokens.push({ json: string.json })
      repaired ||= string.repaired
      at = string.end
    } else if ('{}[]:,'.includes(char)) {
      if ((char === '{' || char === '[') && ++depth > MAX_DEPTH) {
        return { problem: `nested more than ${MAX_DEPTH} levels deep` }
      }
      if (char === '}' || char === ']') {
        depth--
        repaired = dropTrailingComma(tokens) || repaired
      }
      if (char === ':') repaired = quoteBareKey(tokens) || repaired
      tokens.push({ json: char })
      at++
    } else {
      WORD_END.lastIndex = at
      const end = WORD_END.exec(inner)?.index ?? inner.length
      const word = inner.slice(at, end)
      const constant = PYTHON_CONSTANTS.get(word)
      repaired ||= constant !== undefined
      tokens.push({ json: constant ?? word, word })
      at = end
    }
  }
  if (depth > 0) return { problem: 'not valid JSON (it ends before its last bracket is closed)' }
  return { tokens, repaired }
}

function isSpace(char: string): boolean {
  return (
    char === ' ' || char === '\n' || char === '\r' || char === '\t' || (char > '\u007f' && /\s/.test(char))
  )
}

function dropTrailingComma(tokens: Token[]): boolean {
  const before = tokens.at(-2)?.json
  if (tokens.at(-1)?.json !== ',' || before === undefined || '{[,:'.includes(before)) return false
  tokens.pop()
  return true
}

function quoteBareKey(tokens: Token[]): boolean {
  const word = tokens.at(-1)?.word
  if (word === undefined || !BARE_KEY.test(word)) return false
  tokens[tokens.length - 1] = { json: JSON.stringify(word) }
  return true
}

function commentEnd(text: string, at: number): number | undefined {
  if (text.startsWith('//', at)) {
    const end = text.indexOf('\n', at)
    return end < 0 ? text.length : end
  }
  if (!text.startsWith('/*', at)) return undefined
  const end = text.indexOf('*/', at + 2)
  return end < 0 ? undefined : end + 2
}

/** Keeps valid escapes and leaves invalid ones to be rejected by `JSON.parse`. */
function spellString(
  text: string,
  start: number,
): { json: string; end: number; repaired: boolean } | undefined {
  const quote = text.charAt(start)
  let json = '"'
  let repaired = quote === "'"
  let from = start + 1
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === quote) return { json: `${json}${text.slice(from, at)}"`, end: at + 1, repaired }
    let spelled: string | undefined
    let length = 1
    if (char === '\\') {
      length = 2
      if (text.charAt(at + 1) === "'") spelled = "'"
    } else if (char === '"') spelled = '\\"'
    else if (char < ' ') spelled = JSON.stringify(char).slice(1, -1)
    if (spelled !== undefined) {
      json += text.slice(from, at) + spelled
      from = at + length
      repaired = true
    }
    at += length - 1
  }
  return undefined
}

const FENCED = /^```[a-z0-9]*[ \t]*\r?\n/i

function withoutFence(text: string): string {
  const inner = text.trim()
  const opening = FENCED.exec(inner)
  if (!opening || !inner.endsWith('```') || inner.length < opening[0].length + 3) return text
  return inner.slice(opening[0].length, -3)
}
