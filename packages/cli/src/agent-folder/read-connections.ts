import { readFile } from 'node:fs/promises'
import type { AssistantOptions } from '@capstan/server'
import type { Environment } from '../terminal/style.ts'

type Servers = NonNullable<AssistantOptions['presets']>
type Fields = Readonly<Record<string, unknown>>

const FILE = 'connections.json'
const KEYS = new Set(['name', 'description', 'url', 'headers', 'command', 'args', 'env'])
const SLUG = /^[a-z0-9_]{1,64}$/

/**
 * Reads MCP servers from `{"mcpServers": {"notion": {"url": "https://…"}, "files": {"command": "npx", "args": […]}}}`.
 * `${NAME}` in a header or a variable is that variable of the environment, so that the file holds no secret.
 */
export async function readConnections(path: string, env: Environment, problems: string[]): Promise<Servers> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') problems.push(`${FILE}: cannot be read (${code})`)
    return []
  }
  let servers: unknown
  try {
    servers = (JSON.parse(text) as Fields | null)?.['mcpServers']
  } catch (error) {
    problems.push(`${FILE}: ${(error as Error).message}`)
    return []
  }
  if (!isFields(servers)) {
    problems.push(`${FILE}: must be {"mcpServers": {"name": {"url": "https://…"}}}`)
    return []
  }
  return Object.entries(servers).flatMap(([slug, fields]) => {
    const refuse = (problem: string): void => void problems.push(`${FILE}: ${slug}: ${problem}`)
    const server = toServer(slug, fields, env, refuse)
    return server ? [server] : []
  })
}

function toServer(
  slug: string,
  fields: unknown,
  env: Environment,
  refuse: (problem: string) => void,
): Servers[number] | undefined {
  if (!SLUG.test(slug)) return (refuse('a name has lower case letters, digits and underscores'), undefined)
  if (!isFields(fields)) return (refuse('must be an object with "url" or "command"'), undefined)
  const unknown = Object.keys(fields).find((key) => !KEYS.has(key))
  if (unknown !== undefined)
    return (refuse(`there is no key "${unknown}"; there are ${[...KEYS].join(', ')}`), undefined)
  const { url, command, args = [], name, description } = fields
  const named = {
    slug,
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
  }
  if (typeof url === 'string') {
    if (!URL.canParse(url)) return (refuse('"url" is not an address'), undefined)
    const headers = fillIn(fields['headers'], env, refuse)
    return { ...named, transport: { type: 'http', url, ...(headers && { headers }) } }
  }
  if (typeof command !== 'string' || command === '')
    return (refuse('"url" or "command" is missing'), undefined)
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    return (refuse('"args" must be a list of texts'), undefined)
  const variables = fillIn(fields['env'], env, refuse)
  return { ...named, transport: { type: 'stdio', command, args, ...(variables && { env: variables }) } }
}

function fillIn(
  values: unknown,
  env: Environment,
  refuse: (problem: string) => void,
): Readonly<Record<string, string>> | undefined {
  if (values === undefined) return undefined
  if (!isFields(values)) return (refuse('"headers" and "env" must be objects of texts'), undefined)
  const fill = (text: unknown): string =>
    String(text).replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = env[name]
      if (!value) refuse(`the variable ${name} is not set`)
      return value ?? ''
    })
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, fill(text)]))
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
