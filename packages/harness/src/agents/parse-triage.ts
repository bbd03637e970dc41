import type { JsonObject, JsonValue } from '../turn/json.ts'

/** What becomes of a trigger. */
export type TriageDecision =
  | { readonly action: 'drop' | 'acknowledge'; readonly reason: string }
  | {
      readonly action: 'react' | 'escalate'
      readonly targetAgent: string
      readonly prompt: string
      readonly reason: string
    }

/** Without a decision: what to tell the model when it is asked again. */
export type TriageAnswer = { readonly decision: TriageDecision } | { readonly problem: string }

/** A decision stands at the end of a reply; what is far before it is not looked at. */
const MAX_CHARS = 32_000
const MAX_TRIES = 20

/**
 * Reads the decision out of a reply: from its last fenced block, else from its last object. Trailing commas and the
 * case of names do not matter. Never guesses an action, a target or a prompt that is not there. Pure; never throws.
 */
export function parseTriage(reply: string): TriageAnswer {
  const text = reply.slice(-MAX_CHARS)
  const fenced = fencedBlocks(text).at(-1)
  const candidates = [...(fenced === undefined ? [] : [fenced, ...objects(fenced)]), ...objects(text)]
  for (const candidate of candidates.slice(0, MAX_TRIES)) {
    const fields = readObject(candidate)
    // The last one is what the model meant; what stands before it may be an example.
    if (fields?.has('action')) return toDecision(fields)
  }
  return { problem: 'The answer has no JSON object with an action.' }
}

type Fields = ReadonlyMap<string, JsonValue | undefined>

function toDecision(fields: Fields): TriageAnswer {
  const action = textIn(fields, 'action').toLowerCase()
  const reason = textIn(fields, 'reason')
  if (action === 'drop' || action === 'acknowledge') return { decision: { action, reason } }
  if (action !== 'react' && action !== 'escalate') {
    return {
      problem: `The action must be drop, acknowledge, react or escalate, and not "${action.slice(0, 60)}".`,
    }
  }
  const targetAgent = textIn(fields, 'targetagent')
  const prompt = textIn(fields, 'prompt')
  if (targetAgent === '') return { problem: `The action ${action} needs a target_agent.` }
  if (prompt === '') return { problem: `The action ${action} needs a prompt.` }
  return { decision: { action, targetAgent, prompt, reason } }
}

function textIn(fields: Fields, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

const fencedBlocks = (text: string): readonly string[] =>
  [...text.matchAll(/```[\w-]{0,20}[ \t]*\r?\n?([^]*?)```/g)].map((match) => match[1]!)

/** Everything between braces that belong together, the last to end first. */
function objects(text: string): readonly string[] {
  const open: number[] = []
  const found: string[] = []
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (isQuoted) {
      if (char === '\\') at++
      else if (char === '"') isQuoted = false
    } else if (char === '"') isQuoted = open.length > 0
    else if (char === '{') open.push(at)
    else if (char === '}') {
      const start = open.pop()
      if (start !== undefined) found.push(text.slice(start, at + 1))
    }
  }
  return found.toReversed()
}

/** By name in small letters alone. */
function readObject(text: string): Fields | undefined {
  const value = parseJson(text) ?? parseJson(withoutTrailingCommas(text))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return new Map(
    Object.entries(value as JsonObject).map(([name, one]) => [
      name.toLowerCase().replaceAll(/[^a-z]/g, ''),
      one,
    ]),
  )
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

const withoutTrailingCommas = (text: string): string =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, (match) => (match === ',' ? '' : match))
