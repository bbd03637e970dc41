import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigurationError } from '@capstan/harness'
import { z } from 'zod'

const FILE = 'config.json'

const rate = z.strictObject({ burst: z.number().positive(), perSecond: z.number().positive() })
const origin = z.string().transform((text, context) => {
  const url = URL.parse(text)
  const isBare = url && ['', '/'].includes(`${url.pathname}${url.search}${url.hash}`)
  if (url && isBare && /^https?:$/.test(url.protocol)) return url.origin
  context.addIssue({ code: 'custom', message: 'must be an address such as https://capstan.example.org' })
  return z.NEVER
})

const Config = z.strictObject({
  port: z
    .number({ error: 'must be a whole number from 0 to 65535' })
    .int()
    .min(0)
    .max(65_535, { error: 'must be a whole number from 0 to 65535' })
    .optional(),
  host: z.string().min(1).optional(),
  /** Further addresses of this server. */
  origins: z.array(origin).optional(),
  /** Proxies whose `x-forwarded-…` headers count: addresses and ranges. Checked when the server starts. */
  trustedProxies: z.array(z.string().max(100)).max(100).optional(),
  log: z.enum(['debug', 'info', 'warn', 'error']).optional(),
  /** Whether the Notes demo app is started. */
  demo: z.boolean().optional(),
  /** `off`: commands and MCP servers on this machine run unconfined, with all rights of the user. */
  sandbox: z.enum(['on', 'off']).optional(),
  /** Exact `host:port` pairs that web pages may be read from although they are not public. */
  fetchHosts: z.array(z.string().max(300)).max(100).optional(),
  /** Limits and models of sub-agents by their ids, built-in ones included. */
  agents: z
    .record(
      z.string().max(100),
      z.strictObject({
        maxIterations: z.number().int().positive().optional(),
        timeoutMs: z.number().positive().optional(),
        model: z.string().min(1).max(300).optional(),
      }),
    )
    .optional(),
  limits: z
    .strictObject({
      requests: rate.optional(),
      messages: rate.optional(),
      strangers: rate.optional(),
      openings: rate.optional(),
      socketEvents: rate.optional(),
      streamsPerUser: z.number().int().positive().optional(),
      threadsPerSocket: z.number().int().positive().optional(),
    })
    .optional(),
})

/** How the server runs. Every field is optional. */
export type ServerConfig = z.infer<typeof Config>

/** The fields of the file that each variable sets. */
const VARIABLES: Readonly<Record<string, (text: string) => Record<string, unknown>>> = {
  CAPSTAN_PORT: (text) => ({ port: /^\d+$/.test(text) ? Number(text) : text }),
  CAPSTAN_HOST: (text) => ({ host: text }),
  CAPSTAN_ORIGINS: (text) => ({ origins: text.split(',').map((one) => one.trim()) }),
  CAPSTAN_TRUSTED_PROXIES: (text) => ({ trustedProxies: text.split(',').map((one) => one.trim()) }),
  CAPSTAN_LOG: (text) => ({ log: text }),
  CAPSTAN_SANDBOX: (text) => ({ sandbox: text }),
  CAPSTAN_DEMO: (text) => ({ demo: { '0': false, '1': true }[text] ?? text }),
}

/**
 * Reads `config.json` of the data folder; the environment overrides it. Both are optional. Throws a `ConfigurationError`
 * that names the field or the variable.
 */
export function readServerConfig(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): ServerConfig {
  const config: ServerConfig = readFile(join(folder, FILE))
  return Object.entries(VARIABLES).reduce((read, [name, toConfig]) => {
    const text = env[name]
    return text ? { ...read, ...check(toConfig(text), () => name) } : read
  }, config)
}

function readFile(path: string): ServerConfig {
  if (!existsSync(path)) return {}
  let document: unknown
  try {
    document = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new ConfigurationError(FILE, 'is not JSON, or cannot be read')
  }
  return check(document, (field) => (field === '' ? FILE : `${FILE}, ${field}`))
}

function check(document: unknown, nameOf: (field: string) => string): ServerConfig {
  const { success, data, error } = Config.safeParse(document)
  if (success) return data
  const [issue] = error.issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
  const field = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join('.')
  throw new ConfigurationError(
    nameOf(field),
    unknown === undefined ? (issue?.message ?? 'is not valid') : 'is not known',
  )
}
