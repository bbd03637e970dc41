import { hash } from 'node:crypto'
import type { JsonSchema } from '@capstan/harness'
import type { Action } from '@capstan/harness/connectors'
import { canonicalJson, findSchemaProblem, sanitizeText } from '@capstan/harness/connectors'
import type { Tool } from '@modelcontextprotocol/client'
import { judgeAction } from '../../effects/judge-action.ts'
import { toNameWords } from '../../effects/name-words.ts'

const MAX_DESCRIPTION_CHARS = 2_000
const MAX_SCHEMA_CHARS = 32_768
const MAX_SCHEMA_DEPTH = 24
/** Of all actions of a server together: reading them must not hold up the process. */
const MAX_LIST_CHARS = 1_500_000
export const MAX_ACTIONS = 500

export interface ReadTools {
  readonly actions: readonly Action[]
  /** What was left out, and why, for the person who looks after this server. */
  readonly problems: readonly string[]
}

/** The server whose tools are read. */
export interface ActionsOf {
  readonly slug: string
  /** Whether the owner trusts what the server says about its tools. */
  readonly isTrusted: boolean
}

/** The tools of a server as actions, sanitized. A tool that is too large or has an unusable name is left out. Pure. */
export function toActions(tools: readonly Tool[], { slug, isTrusted }: ActionsOf): ReadTools {
  const app = `${slug} ${sharedWord(tools)}`
  const actions = new Map<string, Action>()
  const problems: string[] = []
  let listChars = 0
  for (const tool of tools) {
    const label = sanitizeText(tool.name, 80)
    const { problem: unusable, chars } = measure(tool)
    const problem = unusable ?? (actions.has(tool.name) ? 'is listed twice' : undefined)
    if (problem !== undefined) problems.push(`the action "${label}" ${problem}; it was left out`)
    else if (actions.size >= MAX_ACTIONS) {
      problems.push(`more than ${MAX_ACTIONS} actions are listed; the rest were left out`)
      break
    } else if ((listChars += chars) > MAX_LIST_CHARS) {
      problems.push(`the actions have more than ${MAX_LIST_CHARS} characters; the rest were left out`)
      break
    } else actions.set(tool.name, toAction(tool, { slug: app, isTrusted }))
  }
  return { actions: [...actions.values()], problems }
}

/** The size of a usable definition, or what is wrong with it. */
function measure({ name, description, inputSchema }: Tool): {
  readonly problem?: string
  readonly chars: number
} {
  const unusable = (problem: string) => ({ problem, chars: 0 })
  if (!/^[A-Za-z0-9_.\-/]{1,128}$/.test(name)) return unusable('has a name that cannot be used')
  // First, because it stops at its limits: the rest reads the whole schema.
  const problem = findSchemaProblem(inputSchema)
  if (problem !== undefined) return unusable(`has a schema that cannot be used: ${problem}`)
  if (isDeeperThan(inputSchema, MAX_SCHEMA_DEPTH))
    return unusable(`has a schema deeper than ${MAX_SCHEMA_DEPTH} levels`)
  const { length } = JSON.stringify(inputSchema)
  if (length > MAX_SCHEMA_CHARS) return unusable(`has a schema of more than ${MAX_SCHEMA_CHARS} characters`)
  return { chars: length + Math.min(description?.length ?? 0, MAX_DESCRIPTION_CHARS) }
}

/** The first word of all names: a prefix that names the server. Blank when they differ. */
function sharedWord(tools: readonly Tool[]): string {
  const first = toNameWords(tools[0]?.name ?? '')[0] ?? ''
  return tools.length > 1 && tools.every(({ name }) => toNameWords(name)[0] === first) ? first : ''
}

function toAction(tool: Tool, { slug, isTrusted }: ActionsOf): Action {
  const description = sanitizeText(tool.description ?? tool.title ?? '', MAX_DESCRIPTION_CHARS)
  const input = cleanSchema(tool.inputSchema) as JsonSchema
  const { readOnlyHint: reads, destructiveHint: destroys } = tool.annotations ?? {}
  const claim = { reads, destroys }
  const judged = judgeAction({ name: tool.name, input, app: slug, claim, isTrusted })
  // The claim is part of it: a server that starts to claim that an action only reads has changed the definition.
  const definition = { name: tool.name, description, input, reads: reads ?? null, destroys: destroys ?? null }
  return { name: tool.name, description, input, ...judged, digest: hash('sha256', canonicalJson(definition)) }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}

/** Sanitizes descriptions and titles. What arguments are compared with stays exact. */
function cleanSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inner) => cleanSchema(inner))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isWords = typeof inner === 'string' && (key === 'description' || key === 'title')
      return [key, isWords ? sanitizeText(inner, MAX_DESCRIPTION_CHARS) : cleanSchema(inner)]
    }),
  )
}
