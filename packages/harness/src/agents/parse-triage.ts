import type { JsonObject, JsonValue } from '../turn/json.ts'

/** What to do about a trigger. */
export type TriageDecision =
  | { readonly action: 'drop' | 'acknowledge'; readonly reason: string }
  | {
      readonly action: 'react' | 'escalate'
      readonly targetAgent: string
      readonly prompt: string
      readonly reason: string
    }

/** A decision, or the problem to send back to the model. */
export type TriageAnswer = { readonly decision: TriageDecision } | { readonly problem: string }

/** The decision is at the end of a reply; only so many characters are searched. */
const MAX_CHARS = 32_000
const MAX_TRIES = 20

/**
 * Parses the decision of a reply, from its last fenced block or else its last object. Accepts trailing commas and any case
 * of names. Never guesses a missing action or prompt. With `targets`, only they can be chosen, and the only one need not be
 * named. Pure; never throws.
 */
export function parseTriage(reply: string, targets?: readonly string[]): TriageAnswer {
  const text = reply.slice(-MAX_CHARS)
  const fenced = fencedBlocks(text).at(-1)
  const candidates = [...(fenced === undefined ? [] : [fenced, ...objects(fenced)]), ...objects(text)]
  for (const candidate of candidates.slice(0, MAX_TRIES)) {
    const fields = readObject(candidate)
    // The last one is the decision; earlier ones may be examples.
    if (fields?.has('action')) return toDecision(fields, targets)
  }
  return { problem: 'The answer has no JSON object with an action.' }
}

type Fields = ReadonlyMap<string, JsonValue | undefined>

function toDecision(fields: Fields, targets: readonly string[] | undefined): TriageAnswer {
  const action = textIn(fields, 'action').toLowerCase()
  const reason = textIn(fields, 'reason')
  if (action === 'drop' || action === 'acknowledge') return { decision: { action, reason } }
  if (action !== 'react' && action !== 'escalate') {
    return {
      problem: `The action must be drop, acknowledge, react or escalate, and not "${action.slice(0, 60)}".`,
    }
  }
  const named = textIn(fields, 'targetagent')
  const targetAgent = named === '' && targets?.length === 1 ? targets[0]! : named
  const prompt = textIn(fields, 'prompt')
  if (targetAgent === '') return { problem: `The action ${action} needs a target_agent.` }
  if (targets && !targets.includes(targetAgent))
    return { problem: `The target_agent must be one of ${targets.join(', ')}.` }
  if (prompt === '') return { problem: `The action ${action} needs a prompt.` }
  return { decision: { action, targetAgent, prompt, reason } }
}

function textIn(fields: Fields, name: string): string {
  const value = fields.get(name)
  return typeof value === 'string' ? value.trim() : ''
}

const fencedBlocks = (text: string): readonly string[] =>
  [...text.matchAll(/```[\w-]{0,20}[ \t]{0,20}\r?\n?([^]*?)```/g)].map((match) => match[1]!)

/** All texts between matching braces, the last to end first. */
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

/** The fields by lower-case name. */
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
  text.replaceAll(/"(?:[^"\\]|\\[^])*(?:"|\\?$)|,(?=\s*[}\]])/g, (match) => (match === ',' ? '' : match))
