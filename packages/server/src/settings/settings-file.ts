import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError, StoreError } from '@capstan/harness'
import { makeFolder } from '@capstan/harness/stores'
import { QUEUE_MODES } from '@capstan/protocol'
import { z } from 'zod'

const UserSettings = z.object({
  model: z.string().max(300).default(''),
  safetyMode: z.enum(['read-only', 'supervised', 'full']).default('supervised'),
  roots: z.array(z.string().max(4096)).max(20).default([]),
  /** Of the owner: folders among `roots` that members may use. */
  sharedRoots: z.array(z.string().max(4096)).max(20).default([]),
  shell: z.enum(['off', 'ask', 'on']).default('off'),
  shellHosts: z.array(z.string().max(300)).max(50).default([]),
  hosts: z.array(z.string().max(260)).max(200).default([]),
  queueMode: z.enum(QUEUE_MODES).default('one-by-one'),
  /** Empty: the language of the browser. */
  language: z.string().max(35).default(''),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  reduceMotion: z.boolean().default(false),
})

const Profile = z.object({
  folders: z.array(z.object({ path: z.string().max(4096), access: z.enum(['read', 'write']) })).max(20),
  network: z.enum(['off', 'hosts', 'any']),
  hosts: z.array(z.string().max(300)).max(50),
  environment: z.array(z.string().max(128)).max(50),
})

const OwnServer = z.object({
  slug: z.string().regex(/^[a-z0-9_]{1,64}$/),
  name: z.string().min(1).max(80),
  transport: z.discriminatedUnion('type', [
    z.object({ type: z.literal('http'), url: z.string().max(2000) }),
    z.object({
      type: z.literal('stdio'),
      command: z.string().min(1).max(1000),
      args: z.array(z.string().max(4000)).max(100),
    }),
  ]),
  /** Whether members may use it. Absent in files of an older version. */
  shared: z.boolean().optional(),
  /** Of a command. Absent in servers that were added before there was confinement. */
  sandbox: Profile.optional(),
  /** Whether the owner trusts what the server says about its actions. */
  isTrusted: z.boolean().optional(),
})

const Spending = z.object({
  usdPerDay: z.number().optional(),
  usdPerMonth: z.number().optional(),
  tokensPerDay: z.number().optional(),
  tokensPerMonth: z.number().optional(),
})

const Limits = Spending.extend({
  turnsAtOnce: z.number(),
  messagesPerMinute: z.number(),
  usdPerDay: z.number(),
  threads: z.number(),
  /** Absent in files of an older version. */
  storedMegabytes: z.number().optional(),
})

const VERSION = 1
export const MAX_OWN_SERVERS = 200
const SettingsDocument = z.object({
  version: z.literal(VERSION),
  users: z.record(z.string(), UserSettings).default({}),
  mcpServers: z.array(OwnServer).max(MAX_OWN_SERVERS).default([]),
  /** Of the members for whom the owner changed them. */
  limits: z.record(z.string(), Limits).default({}),
  /** What the owner lets themselves spend. */
  ownerSpending: Spending.default({}),
})

export type UserSettings = z.infer<typeof UserSettings>
export type OwnServer = z.infer<typeof OwnServer>
type SettingsDocument = z.infer<typeof SettingsDocument>

export const DEFAULT_SETTINGS: UserSettings = UserSettings.parse({})

/** The settings of all users in one file of the data folder, without keys. */
export interface SettingsFile {
  readonly document: SettingsDocument
  /** Notices for the operator about opening the file. */
  readonly notices: readonly string[]
  /** Resolves when the change is on the disk, whole. Changes are applied one after the other. */
  change(work: (document: SettingsDocument) => SettingsDocument): Promise<SettingsDocument>
}

const NAME = 'settings.json'

/**
 * Opens the settings file of a folder. A file that cannot be read is moved aside, and the defaults are used. Throws a
 * `ConfigurationError` for a file of a newer version, and a `StoreError` when the folder cannot be used.
 */
export function openSettingsFile(folder: string, now: () => number = Date.now): SettingsFile {
  const path = join(folder, NAME)
  const notices: string[] = []
  let document = read()
  let tail: Promise<unknown> = Promise.resolve()

  function read(): SettingsDocument {
    const empty = SettingsDocument.parse({ version: VERSION })
    try {
      makeFolder(folder)
      if (!existsSync(path)) return empty
      const parsed = parse(readFileSync(path, 'utf8'))
      if ('document' in parsed) return parsed.document
      const aside = `settings.damaged-${new Date(now()).toISOString().replaceAll(/[:.]/g, '-')}.json`
      renameSync(path, join(folder, aside))
      notices.push(
        `${NAME} could not be read (${parsed.problem}). It was moved to ${aside}, and the defaults are in use.`,
      )
      return empty
    } catch (error) {
      if (error instanceof ConfigurationError) throw error
      throw toStoreError(error, folder)
    }
  }

  return {
    get document() {
      return document
    },
    notices,
    change(work) {
      const changed = tail.then(async () => {
        const next = work(document)
        await writeWhole(path, `${JSON.stringify(next, undefined, 2)}\n`).catch((error: unknown) => {
          throw toStoreError(error, folder)
        })
        document = next
        return next
      })
      tail = changed.catch(() => undefined)
      return changed
    },
  }
}

type Parsed = { readonly document: SettingsDocument } | { readonly problem: string }

function parse(text: string): Parsed {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: 'it is not JSON' }
  }
  const version = (value as { version?: unknown } | null)?.version
  if (typeof version === 'number' && version > VERSION)
    throw new ConfigurationError(NAME, 'was written by a newer version of Capstan; use that version')
  const checked = SettingsDocument.safeParse(value)
  if (checked.success) return { document: checked.data }
  const [issue] = checked.error.issues
  const field = issue?.path.join('.') || 'the whole of it'
  return { problem: `"${field}" is not what it should be` }
}

/** Writes a new file and renames it: a crash leaves the old one or the new one. */
async function writeWhole(path: string, text: string): Promise<void> {
  const beside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    const file = await open(beside, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

function toStoreError(error: unknown, folder: string): StoreError {
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return code === 'ENOSPC'
    ? new StoreError('full', 'There is no space left on the disk, so the settings were not stored.')
    : new StoreError('io', `The folder ${folder} cannot be used for settings (${code}).`)
}
