import { ConfigurationError } from '@capstan/harness'
import { QUEUE_MODES } from '@capstan/protocol'
import { z } from 'zod'
import { openDocument } from '../documents/document.ts'
import type { Documents } from '../documents/documents.ts'

const UserSettings = z.object({
  model: z.string().max(300).default(''),
  embeddingModel: z.string().max(300).default(''),
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

const path = z.string().max(200)
const Mapping = z.object({
  list: z.object({
    action: path,
    args: z.record(z.string(), z.unknown()).optional(),
    cursor: path.optional(),
    items: path,
    next: path.optional(),
    pages: path.optional(),
    mostPages: z.number().optional(),
    total: path.optional(),
    isNewestFirst: z.boolean().optional(),
  }),
  read: z.object({ action: path, id: path, item: path.optional() }).optional(),
  fields: z.object({
    id: path,
    version: path.optional(),
    at: path.optional(),
    title: path.optional(),
    text: path.optional(),
    link: path.optional(),
    people: path.optional(),
  }),
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
  /** How its items become items in memory. */
  sync: Mapping.optional(),
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

/** The settings of all users in one document, without keys. */
export interface SettingsFile {
  readonly document: SettingsDocument
  /** Notices for the operator about opening the document. */
  readonly notices: readonly string[]
  /** Resolves when the change is stored, whole. Changes are applied one after the other. `work` may be called again. */
  change(work: (document: SettingsDocument) => SettingsDocument): Promise<SettingsDocument>
  /** Calls the listener after a change of another node. */
  onOthersChange(listener: (document: SettingsDocument, before: SettingsDocument) => void): void
}

const NAME = 'settings'
const FILE = `${NAME}.json`

/**
 * Opens the settings. A text that cannot be read is moved aside, and the defaults are used. Throws a `ConfigurationError`
 * for settings of a newer version, and a `StoreError` when the place of the settings cannot be used.
 */
export function openSettingsFile(documents: Documents, now: () => number = Date.now): SettingsFile {
  const notices: string[] = []
  const text = documents.read(NAME)
  const parsed = text === undefined ? undefined : parse(text)
  if (parsed && 'problem' in parsed) {
    const aside = documents.setAside(NAME, now())
    notices.push(
      `${FILE} could not be read (${parsed.problem}). It was moved to ${aside}, and the defaults are in use.`,
    )
  }
  const document = openDocument(documents, {
    name: NAME,
    empty: SettingsDocument.parse({ version: VERSION }),
    parse: parseOrThrow,
    format: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
  })
  return {
    get document() {
      return document.value
    },
    notices,
    change: (work) => document.change(work),
    onOthersChange: (listener) =>
      void document.watch((value, before, by) => {
        if (by === 'another') listener(value, before)
      }),
  }
}

/** The settings as they are stored. Undefined: there are none, or they cannot be read. Changes nothing. */
export function readStoredSettings(documents: Pick<Documents, 'read'>): SettingsDocument | undefined {
  const text = documents.read(NAME)
  const parsed = text === undefined ? undefined : parse(text)
  return parsed && 'document' in parsed ? parsed.document : undefined
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
    throw new ConfigurationError(FILE, 'was written by a newer version of Capstan; use that version')
  const checked = SettingsDocument.safeParse(value)
  if (checked.success) return { document: checked.data }
  const [issue] = checked.error.issues
  const field = issue?.path.join('.') || 'the whole of it'
  return { problem: `"${field}" is not what it should be` }
}

function parseOrThrow(text: string): SettingsDocument {
  const parsed = parse(text)
  if ('document' in parsed) return parsed.document
  throw new ConfigurationError(FILE, `could not be read: ${parsed.problem}`)
}
