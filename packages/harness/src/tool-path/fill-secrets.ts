import { matchesHost } from '../text/matches-host.ts'
import type { JsonObject } from '../turn/json.ts'
import type { Tool } from '../turn/tool/tool.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'

/** A secret that a person stored under a name, and the hosts it may be sent to. */
export interface NamedSecret {
  readonly value: string
  /** A host name, or `*.` and a domain for all its subdomains. */
  readonly hosts: readonly string[]
}

/** The named secrets of a user. Read at each call. */
export interface NamedSecrets {
  get(name: string): NamedSecret | undefined
  names(): readonly string[]
}

const HANDLE = /\{\{secret:([\w.-]{1,64})\}\}/g

/**
 * Replaces `{{secret:name}}` in the arguments of a call by the secret, just before the call runs. So the secret is in no
 * message, event or record. Refuses the call when there is no such secret, or when the call goes to another host.
 */
export function fillSecrets(
  tool: Tool,
  args: unknown,
  secrets: NamedSecrets | undefined,
): { readonly args: unknown } | { readonly refusal: ToolOutcome } {
  if (!secrets || !holdsHandle(args)) return { args }
  const hosts = hostsOf(tool, args as JsonObject)
  try {
    return { args: fill(args, (name) => pick(name, tool, hosts, secrets)) }
  } catch (error) {
    if (error instanceof RefusedSecret) return { refusal: error.refusal }
    throw error
  }
}

class RefusedSecret extends Error {
  readonly refusal: ToolOutcome

  constructor(refusal: ToolOutcome) {
    super(refusal.text)
    this.refusal = refusal
  }
}

function pick(name: string, tool: Tool, hosts: readonly string[], secrets: NamedSecrets): string {
  const secret = secrets.get(name)
  if (!secret) {
    const names = secrets.names()
    const known = names.length === 0 ? 'The user has stored no secret.' : `Stored: ${names.join(', ')}.`
    throw refuse(`"${tool.name}" was not run: there is no secret named "${name}". ${known}`)
  }
  const foreign = hosts.find((host) => !secret.hosts.some((allowed) => matchesHost(allowed, host)))
  if (hosts.length === 0)
    throw refuse(`"${tool.name}" was not run: it cannot be given a secret, because its hosts are not known.`)
  if (foreign !== undefined)
    throw refuse(
      `"${tool.name}" was not run: the secret "${name}" may only be sent to ${secret.hosts.join(', ')}, not to ${foreign}.`,
    )
  return secret.value
}

const refuse = (text: string): RefusedSecret =>
  new RefusedSecret(fail(`${text} Do not try it another way; tell the user.`, { deniedBy: 'policy' }))

function hostsOf(tool: Tool, args: JsonObject): readonly string[] {
  try {
    return tool.hosts?.(args) ?? []
  } catch {
    return []
  }
}

function holdsHandle(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{secret:')
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some(holdsHandle)
}

function fill(value: unknown, pickValue: (name: string) => string): unknown {
  if (typeof value === 'string') {
    const isUrl = /^https?:\/\//i.test(value)
    return value.replaceAll(HANDLE, (_, name: string) =>
      isUrl ? encodeURIComponent(pickValue(name)) : pickValue(name),
    )
  }
  if (Array.isArray(value)) return value.map((inner) => fill(inner, pickValue))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, pickValue)]))
}
