import type { Secret, SecretVault } from '@capstan/harness/stores'
import type { Documents } from '../documents/documents.ts'

/** The credentials this process has used: keys of the environment, and what went through the vault. */
export interface SecretList {
  /** The same object until a credential is added. */
  readonly values: () => readonly string[]
  /** A vault whose credentials are added to the list when they are read or written. */
  watch(vault: SecretVault): SecretVault
  /** Documents whose keys are added to the list when they are loaded or changed, also by another node. */
  watchDocuments(documents: Documents): Documents
}

/** Shorter values are found in ordinary words. */
const LEAST_CHARS = 8
/** A sign-in also stores addresses, scopes and names, which are not secret. */
const SECRET_FIELD = /(?:token|secret|key|password|verifier|code|state)$/i
/** The keys of the settings have the names of their providers. */
const SETTINGS = 'settings:'
const PLAIN_FIELD = /Origin$/

export function createSecretList(initial: Iterable<string | undefined>): SecretList {
  const known = new Set<string>()
  let values: readonly string[] | undefined

  function add(value: unknown): void {
    if (typeof value !== 'string' || value.length < LEAST_CHARS || known.has(value)) return
    known.add(value)
    values = undefined
  }

  function addAll(holder: object, isAnyField: boolean): void {
    for (const [field, value] of Object.entries(holder)) {
      if (typeof value === 'object' && value !== null) addAll(value as object, isAnyField)
      else if (isAnyField ? !PLAIN_FIELD.test(field) : SECRET_FIELD.test(field)) add(value)
    }
  }

  const note = (id: string, secret: Secret | undefined): Secret | undefined => {
    if (secret) addAll(secret, id.startsWith(SETTINGS))
    return secret
  }

  function noteText(name: string, text: string | undefined): void {
    if (!name.startsWith(SETTINGS) || !text) return // a text that cannot be decrypted is empty
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) addAll(value, true)
  }

  for (const value of initial) add(value)
  return {
    values: () => (values ??= [...known]),
    watch: (vault) => ({
      read(id) {
        const reading = vault.read(id)
        return reading instanceof Promise ? reading.then((secret) => note(id, secret)) : note(id, reading)
      },
      write(id, secret) {
        note(id, secret)
        return vault.write(id, secret)
      },
      delete: (id) => vault.delete(id),
    }),
    watchDocuments(documents) {
      documents.watch((name) => noteText(name, documents.read(name)))
      return {
        ...documents,
        async load(names) {
          await documents.load(names)
          for (const name of names) noteText(name, documents.read(name))
        },
        change: (name, work) =>
          documents.change(name, (text) => {
            const next = work(text)
            noteText(name, next)
            return next
          }),
      }
    },
  }
}
