import type { NamedSecrets } from '@capstan/harness/stages'
import type { SecretPut, SecretRow } from '@capstan/protocol'
import { z } from 'zod'
import { openDocument } from '../documents/document.ts'
import type { Document, DocumentKind } from '../documents/document.ts'
import type { Documents } from '../documents/documents.ts'
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
  /** Calls the listener with the user whose secrets another node has changed. */
  onOthersChange(listener: (userId: string) => void): void
}

const Index = z.record(z.string(), z.literal(true))
const NONE = {}
const PREFIX = 'secrets:'
/** The users who may have secrets. */
const INDEX = `${PREFIX}users`
const idOf = (userId: string): string => `${PREFIX}${userId}`

/** Reads the named secrets of all users. What cannot be decrypted is reported and counts as missing. */
export async function openNamedSecrets(
  documents: Documents,
  onProblem: (error: unknown) => void,
): Promise<NamedSecretStore> {
  const opened = new Map<string, Document<Stored>>()
  const valuesOf = new WeakMap<Stored, readonly string[]>()
  const open = (userId: string): Document<Stored> => {
    const document = opened.get(userId) ?? openDocument(documents, toKind(idOf(userId), Stored, onProblem))
    opened.set(userId, document)
    return document
  }
  await documents.load([INDEX])
  const index = openDocument(documents, toKind(INDEX, Index, onProblem))
  await documents.load(Object.keys(index.value).map(idOf))
  Object.keys(index.value).forEach(open) // reports what cannot be read

  const own = (userId: string): Stored => open(userId).value
  const toRow = (name: string, { hosts, createdAt }: Stored[string]): SecretRow => ({
    name,
    hosts,
    createdAt,
  })

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
      const hosts = [...check(name, secret)]
      const stored = { value: secret.value, hosts, createdAt: at }
      await index.change((users) => (Object.hasOwn(users, userId) ? users : { ...users, [userId]: true }))
      await open(userId).change((before) => {
        if (!Object.hasOwn(before, name) && Object.keys(before).length >= MAX_SECRETS)
          throw fieldError('name', { kind: 'too-many', most: MAX_SECRETS })
        return { ...before, [name]: stored }
      })
      return toRow(name, stored)
    },
    async remove(userId, name) {
      let isGone = false
      await open(userId).change((before) => {
        isGone = Object.hasOwn(before, name)
        const { [name]: _, ...rest } = before
        return isGone ? rest : before
      })
      return isGone
    },
    onOthersChange: (listener) =>
      void documents.watch((name) => {
        if (name.startsWith(PREFIX) && name !== INDEX) listener(name.slice(PREFIX.length))
      }),
  }
}

function toKind<Value extends object>(
  name: string,
  shape: z.ZodType<Value>,
  onProblem: (error: unknown) => void,
): DocumentKind<Value> {
  const empty = NONE as Value
  return {
    name,
    empty,
    parse: (text) => shape.catch(empty).parse(JSON.parse(text)),
    format: (value) => JSON.stringify(value),
    damaged() {
      onProblem(new Error('Named secrets cannot be decrypted. Store them again.'))
      return empty
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
