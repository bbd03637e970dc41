import type { NamedSecrets } from '@capstan/harness/stages'
import { StoreError } from '@capstan/harness'
import type { SecretVault } from '@capstan/harness/stores'
import type { SecretPut, SecretRow } from '@capstan/protocol'
import { z } from 'zod'
import { checkHosts } from './check-hosts.ts'
import { fieldError } from './field-error.ts'

const MAX_SECRETS = 100
const MAX_HOSTS = 20
/** A shorter value cannot be recognised in a text, so it could not be hidden. */
const MIN_VALUE_CHARS = 8
const MAX_VALUE_CHARS = 8_000
const MAX_NAME_CHARS = 64
const NAME = /^[\w.-]{1,64}$/

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
      const hosts = [...check(name, secret)]
      if (!Object.hasOwn(before, name) && Object.keys(before).length >= MAX_SECRETS)
        throw fieldError('name', { kind: 'too-many', most: MAX_SECRETS })
      const stored = { value: secret.value, hosts, createdAt: at }
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

/** The hosts as they are stored. Throws a `ConfigurationError` that names the field. */
function check(name: string, { value, hosts }: SecretPut): readonly string[] {
  if (!NAME.test(name) || name === '__proto__')
    throw fieldError('name', { kind: 'bad-name', most: MAX_NAME_CHARS })
  if (value.length < MIN_VALUE_CHARS || value.length > MAX_VALUE_CHARS)
    throw fieldError('value', { kind: 'length', least: MIN_VALUE_CHARS, most: MAX_VALUE_CHARS })
  const checked = checkHosts('hosts', hosts, { max: MAX_HOSTS, allowsPort: false })
  if (checked.length === 0) throw fieldError('hosts', { kind: 'no-host' })
  return checked
}
