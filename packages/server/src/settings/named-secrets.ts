import type { NamedSecrets } from '@capstan/harness/stages'
import { ConfigurationError, StoreError } from '@capstan/harness'
import type { SecretVault } from '@capstan/harness/stores'
import type { SecretPut, SecretRow } from '@capstan/protocol'
import { z } from 'zod'

const MAX_SECRETS = 100
const MAX_HOSTS = 20
/** A shorter value cannot be recognised in a text, so it could not be hidden. */
const MIN_VALUE_CHARS = 8
const MAX_VALUE_CHARS = 8_000
const NAME = /^[\w.-]{1,64}$/
const HOST = /^(\*\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

const Stored = z.record(
  z.string(),
  z.object({ value: z.string(), hosts: z.array(z.string()), createdAt: z.number() }),
)
type Stored = z.infer<typeof Stored>

/** Secrets that users store under a name, encrypted in the vault. */
export interface NamedSecretStore {
  list(userId: string): readonly SecretRow[]
  /** For the calls of this user. */
  of(userId: string): NamedSecrets
  /** Values that must never reach a model, an event or a log. The same array until one changes. */
  values(userId: string): readonly string[]
  /** Rejects with a `ConfigurationError` that names the field; nothing changes then. */
  put(userId: string, name: string, secret: SecretPut, at: number): Promise<SecretRow>
  /** False when there is none. */
  remove(userId: string, name: string): Promise<boolean>
}

const NONE: Stored = {}
const INDEX = 'secrets:users'
const idOf = (userId: string): string => `secrets:${userId}`

/** Reads the named secrets of all users. What cannot be decrypted is reported and counts as missing. */
export async function openNamedSecrets(
  vault: SecretVault,
  onProblem: (error: unknown) => void,
): Promise<NamedSecretStore> {
  const users = new Map<string, Stored>()
  const valuesOf = new WeakMap<Stored, readonly string[]>()
  for (const userId of Object.keys(await read(INDEX)))
    users.set(userId, Stored.catch({}).parse(await read(idOf(userId))))

  async function read(id: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      return (await vault.read(id)) ?? {}
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      onProblem(new Error('Named secrets cannot be decrypted. Store them again.'))
      return {}
    }
  }

  const own = (userId: string): Stored => users.get(userId) ?? NONE
  const toRow = (name: string, { hosts, createdAt }: Stored[string]): SecretRow => ({
    name,
    hosts,
    createdAt,
  })

  async function save(userId: string, next: Stored): Promise<void> {
    await vault.write(idOf(userId), next)
    users.set(userId, next)
    await vault.write(INDEX, Object.fromEntries([...users.keys()].map((id) => [id, true])))
  }

  return {
    list: (userId) => Object.entries(own(userId)).map(([name, secret]) => toRow(name, secret)),
    of: (userId) => ({
      get: (name) => (Object.hasOwn(own(userId), name) ? own(userId)[name] : undefined),
      names: () => Object.keys(own(userId)),
    }),
    values(userId) {
      const stored = own(userId)
      let values = valuesOf.get(stored)
      if (!values) valuesOf.set(stored, (values = Object.values(stored).map(({ value }) => value)))
      return values
    },
    async put(userId, name, secret, at) {
      const before = own(userId)
      check(name, secret)
      if (!Object.hasOwn(before, name) && Object.keys(before).length >= MAX_SECRETS)
        throw new ConfigurationError('name', `there are ${MAX_SECRETS} secrets already`)
      const stored = {
        value: secret.value,
        hosts: secret.hosts.map((host) => host.toLowerCase()),
        createdAt: at,
      }
      await save(userId, { ...before, [name]: stored })
      return toRow(name, stored)
    },
    async remove(userId, name) {
      if (!Object.hasOwn(own(userId), name)) return false
      const { [name]: _, ...rest } = own(userId)
      await save(userId, rest)
      return true
    },
  }
}

function check(name: string, { value, hosts }: SecretPut): void {
  if (!NAME.test(name) || name === '__proto__')
    throw new ConfigurationError(
      'name',
      'may hold letters, digits, dots, hyphens and underscores, at most 64',
    )
  if (value.length < MIN_VALUE_CHARS || value.length > MAX_VALUE_CHARS)
    throw new ConfigurationError('value', `must have ${MIN_VALUE_CHARS} to ${MAX_VALUE_CHARS} characters`)
  if (hosts.length === 0 || hosts.length > MAX_HOSTS)
    throw new ConfigurationError('hosts', `must name 1 to ${MAX_HOSTS} hosts`)
  for (const host of hosts) {
    if (!HOST.test(host.toLowerCase()))
      throw new ConfigurationError(
        'hosts',
        `"${host.slice(0, 80)}" is not a host name such as api.example.com`,
      )
    // Everything below `*.com` would be a host of anybody.
    if (host.startsWith('*.') && host.split('.').length < 3)
      throw new ConfigurationError('hosts', `"${host.slice(0, 80)}" is too wide: name a domain of your own`)
  }
}
