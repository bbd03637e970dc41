import type { Effect } from '../turn/tool/tool.ts'
import type { AgentDefinition } from './agent-definition.ts'
import type { Field, LineProblem } from './front-matter.ts'
import { parseFrontMatter } from './front-matter.ts'

/** An agent as its file describes it. The agents it may spawn are still ids. */
export interface WrittenAgent {
  readonly definition: Omit<AgentDefinition, 'agents'>
  readonly agents: readonly string[]
  readonly replaces: boolean
  /** The lines of these fields, for problems that involve other files. */
  readonly lines: { readonly id: number; readonly agents: number; readonly replace: number }
}

/** The delegation tool adds `delegate_to_`, and providers accept 64 characters. */
const ID = /^[a-z][a-z\d_]{0,47}$/
const TOOL_NAME = /^[\w.-]{1,128}$/
const DENY_RULE = /^(?:[\w.-]{1,128}\*?|\*)$/
const MAX_LIST_ITEMS = 100
const MAX_DESCRIPTION_CHARS = 1_000
const MAX_INSTRUCTION_CHARS = 20_000
const KEYS = new Set([
  'id',
  'description',
  'model',
  'tools',
  'deny',
  'effect',
  'max-iterations',
  'max-result-chars',
  'agents',
  'replace',
])

/**
 * Parses an agent from a Markdown text: front matter, then instructions. Without an `id` the name of the file is the id.
 * With any problem there is no agent. Pure; never throws.
 */
export function readAgent(
  text: string,
  fileName: string,
): { readonly agent: WrittenAgent } | { readonly problems: readonly LineProblem[] } {
  const { fields, body, problems: unread } = parseFrontMatter(text)
  if (fields.size === 0 && unread.length > 0) return { problems: unread }
  const reader = new AgentReader(fields, unread)
  for (const [key, { line }] of fields) {
    if (!KEYS.has(key)) reader.refuse(line, `there is no key "${key}"; there are ${[...KEYS].join(', ')}`)
  }
  const id = reader.text('id', { pattern: ID, must: ID_RULE }) ?? reader.idFrom(fileName)
  const description = reader.text('description', { maxChars: MAX_DESCRIPTION_CHARS })
  if (!fields.has('description'))
    reader.refuse(1, 'the key "description" is missing: it says when to use the agent')
  const model = reader.text('model', {
    pattern: /^\S{1,200}$/,
    must: 'the name of a model, such as openai/gpt-5',
  })
  const tools = reader.list('tools', TOOL_NAME, 'whole names of tools; leave the key out for all of them')
  const deny = reader.list('deny', DENY_RULE, 'names of tools, with a * at the end at most')
  const effectCeiling = reader.text('effect', {
    pattern: /^(?:read|write|admin)$/,
    must: 'read, write or admin',
  })
  const maxIterations = reader.number('max-iterations', 1, 100)
  const maxResultChars = reader.number('max-result-chars', 100, 100_000)
  const agents = reader.list('agents', ID, 'ids of agents') ?? []
  const replace = reader.text('replace', { pattern: /^(?:true|false)$/, must: 'true or false' })
  const instructions = reader.instructions(body, text)
  if (reader.problems.length > 0 || id === undefined || description === undefined) {
    return { problems: reader.problems }
  }
  const definition = {
    id,
    description,
    instructions,
    ...(model === undefined ? undefined : { model }),
    ...(tools ? { tools } : undefined),
    ...(deny ? { deny } : undefined),
    ...(effectCeiling === undefined ? undefined : { effectCeiling: effectCeiling as Effect }),
    ...(maxIterations === undefined ? undefined : { maxIterations }),
    ...(maxResultChars === undefined ? undefined : { maxResultChars }),
  }
  const lines = {
    id: reader.lineOf('id'),
    agents: reader.lineOf('agents'),
    replace: reader.lineOf('replace'),
  }
  return { agent: { definition, agents, replaces: replace === 'true', lines } }
}

const ID_RULE = 'small letters, digits and _, a letter first, 48 at most'

class AgentReader {
  readonly problems: LineProblem[]
  readonly #fields: ReadonlyMap<string, Field>
  /** Fields whose problem was already reported. */
  readonly #unread: ReadonlySet<number>

  constructor(fields: ReadonlyMap<string, Field>, unread: readonly LineProblem[]) {
    this.#fields = fields
    this.problems = [...unread]
    this.#unread = new Set(unread.map(({ line }) => line))
  }

  refuse(line: number, problem: string): void {
    this.problems.push({ line, problem })
  }

  lineOf(key: string): number {
    return this.#fields.get(key)?.line ?? 1
  }

  text(
    key: string,
    { pattern = /\S/, must = 'a text', maxChars = Infinity }: TextRule = {},
  ): string | undefined {
    const field = this.#fields.get(key)
    if (!field || this.#unread.has(field.line)) return undefined
    const { line, value } = field
    if (typeof value !== 'string') this.refuse(line, `"${key}" is one value and not a list`)
    else if (!pattern.test(value)) this.refuse(line, `"${key}" must be ${must}`)
    else if (value.length > maxChars) this.refuse(line, `"${key}" has more than ${maxChars} characters`)
    else return value
    return undefined
  }

  number(key: string, least: number, most: number): number | undefined {
    const must = `a whole number from ${least} to ${most}`
    const value = this.text(key, { pattern: /^\d{1,9}$/, must })
    if (value === undefined) return undefined
    const number = Number(value)
    if (number >= least && number <= most) return number
    this.refuse(this.lineOf(key), `"${key}" must be ${must}`)
    return undefined
  }

  list(key: string, pattern: RegExp, must: string): readonly string[] | undefined {
    const field = this.#fields.get(key)
    if (!field || this.#unread.has(field.line)) return undefined
    const { line, value } = field
    if (typeof value === 'string') this.refuse(line, `"${key}" is a list, such as [${value || 'one, two'}]`)
    else if (value.length > MAX_LIST_ITEMS)
      this.refuse(line, `"${key}" has more than ${MAX_LIST_ITEMS} items`)
    else {
      const odd = value.find((item) => !pattern.test(item))
      if (odd === undefined) return [...new Set(value)]
      this.refuse(line, `"${key}" must have ${must}, and not "${odd.slice(0, 60)}"`)
    }
    return undefined
  }

  idFrom(fileName: string): string | undefined {
    if (this.#fields.has('id')) return undefined
    const id = fileName.replace(/\.md$/i, '').replaceAll('-', '_')
    if (ID.test(id)) return id
    this.refuse(1, `the file's name makes no id (${ID_RULE}): write one as "id"`)
    return undefined
  }

  instructions(body: string, text: string): string {
    const instructions = body.trim()
    const line = text.split('\n').length - body.trimStart().split('\n').length + 1
    if (instructions === '') this.refuse(line, 'there are no instructions behind the front matter')
    if (instructions.length > MAX_INSTRUCTION_CHARS)
      this.refuse(line, `the instructions have more than ${MAX_INSTRUCTION_CHARS} characters`)
    return instructions
  }
}

interface TextRule {
  readonly pattern?: RegExp
  readonly must?: string
  readonly maxChars?: number
}
