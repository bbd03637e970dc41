import type { McpServerPost } from '@capstan/protocol'
import type { CommandProblem } from './parse-command.ts'
import { parseCommand } from './parse-command.ts'

/** The content of the form. The fields of both ways are kept. */
export interface ServerDraft {
  readonly way: 'url' | 'command'
  readonly name: string
  readonly url: string
  readonly command: string
}

export const EMPTY_DRAFT: ServerDraft = { way: 'url', name: '', url: '', command: '' }

export type ServerField = 'name' | 'url' | 'command'

export type FieldProblem =
  | { readonly field: 'name'; readonly problem: 'empty' | 'no-letters' | 'too-long' }
  | { readonly field: 'url'; readonly problem: 'empty' | 'not-a-url' | 'not-https' | 'credentials' }
  | { readonly field: 'command'; readonly problem: CommandProblem; readonly at?: string }

const MAX_NAME_CHARS = 60

/** The request to send, or all problems in the order of the form. */
export function checkDraft(
  draft: ServerDraft,
): { readonly post: McpServerPost } | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = []
  const name = draft.name.trim()
  if (name === '') problems.push({ field: 'name', problem: 'empty' })
  else if (!/[\p{L}\p{N}]/u.test(name)) problems.push({ field: 'name', problem: 'no-letters' })
  else if (name.length > MAX_NAME_CHARS) problems.push({ field: 'name', problem: 'too-long' })

  if (draft.way === 'url') {
    const url = checkUrl(draft.url.trim())
    if ('problem' in url) return { problems: [...problems, { field: 'url', problem: url.problem }] }
    if (problems.length > 0) return { problems }
    return { post: { name, transport: { type: 'http', url: url.href } } }
  }
  const result = parseCommand(draft.command)
  if (!result.ok) {
    const { problem, at } = result
    return {
      problems: [...problems, { field: 'command', problem, ...(at === undefined ? undefined : { at }) }],
    }
  }
  if (problems.length > 0) return { problems }
  const { command, args } = result.parsed
  return { post: { name, transport: { type: 'stdio', command, args } } }
}

type UrlProblem = Extract<FieldProblem, { readonly field: 'url' }>['problem']

function checkUrl(text: string): { readonly href: string } | { readonly problem: UrlProblem } {
  if (text === '') return { problem: 'empty' }
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return { problem: 'not-a-url' }
  if (url.username !== '' || url.password !== '') return { problem: 'credentials' }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) return { problem: 'not-https' }
  return { href: url.href }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host)

/** Words that are part of many addresses and make no name. */
const FILLERS = new Set([
  'mcp',
  'server',
  'api',
  'www',
  'modelcontextprotocol',
  'sse',
  'com',
  'app',
  'dev',
  'io',
])
const RUNNERS = new Set([
  'npx',
  'npm',
  'exec',
  'bunx',
  'pnpm',
  'dlx',
  'uvx',
  'uv',
  'run',
  'node',
  'python',
  'python3',
])

/** A name for what was typed, such as `Linear` for `https://mcp.linear.app/mcp`; blank when none suggests itself. */
export function suggestName(draft: ServerDraft): string {
  if (draft.way === 'url') {
    const host = URL.parse(draft.url.trim())?.hostname ?? ''
    if (isLoopback(host) || /^[\d.]+$/.test(host)) return ''
    return toName(host.split('.').slice(0, -1).join(' '))
  }
  const result = parseCommand(draft.command)
  if (!result.ok) return ''
  const { command, args } = result.parsed
  const program = [command, ...args]
    .map((word) => word.replace(/^.*[/\\]/, '').replace(/\.(?:exe|cmd|js|mjs|ts|py)$/, ''))
    .find((word) => !word.startsWith('-') && !RUNNERS.has(word))
  return toName(program?.replace(/@[\d.]+$|@latest$/, '') ?? '')
}

function toName(text: string): string {
  const words = text
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !FILLERS.has(word.toLowerCase()))
  const name = words.join(' ')
  return name.charAt(0).toUpperCase() + name.slice(1, MAX_NAME_CHARS)
}

/** The form field for a field of the server, such as `transport.url`. */
export function fieldOf(name: string | undefined): ServerField | undefined {
  if (name === undefined) return undefined
  if (name === 'name' || name === 'slug') return 'name'
  if (name.includes('url')) return 'url'
  return name.includes('command') || name.includes('args') ? 'command' : undefined
}
