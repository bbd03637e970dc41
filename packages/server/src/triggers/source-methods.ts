import { randomBytes } from 'node:crypto'
import { ConfigurationError } from '@capstan/harness'
import { SHOWN_EXAMPLES } from '@capstan/harness/triage'
import { sanitizeLine } from '@capstan/harness/connectors'
import type {
  TriggerExample,
  TriggerSettings,
  TriggerSource,
  TriggerSourceCreated,
  TriggerSourceFields,
  TriggerSourceList,
  TriggerSourcePost,
} from '@capstan/protocol'
import type { RecordAudit } from '../sessions/record-audit.ts'
import { fieldError } from '../settings/field-error.ts'
import { isTimeZone, toMinutes } from './quiet-hours.ts'
import type { CheckConnection } from './check-connection.ts'
import type { SourceStore } from './source-store.ts'
import type { StoredSource } from './stored-source.ts'
import { dayOf, toSource } from './stored-source.ts'
import type { Watches } from './watch/open-watches.ts'

/** What a person does with sources. Undefined or false: there is no such source of this user. */
export interface SourceMethods {
  list(userId: string): Omit<TriggerSourceList, 'calls'>
  /** Rejects with a `ConfigurationError` that names the field; nothing changes then. */
  add(userId: string, post: TriggerSourcePost): Promise<TriggerSourceCreated>
  change(
    userId: string,
    sourceId: string,
    patch: Partial<TriggerSourceFields>,
  ): Promise<TriggerSource | undefined>
  /** Without a secret one is made. The old one counts no longer. */
  replaceSecret(userId: string, sourceId: string, secret?: string): Promise<TriggerSourceCreated | undefined>
  remove(userId: string, sourceId: string): Promise<boolean>
  /** What was said to be wrong, newest first. */
  examples(userId: string, sourceId: string): readonly TriggerExample[] | undefined
  /** The decision and what was said about it stay in the list of triggers. */
  removeExample(userId: string, triggerId: string): Promise<boolean>
  changeSettings(userId: string, patch: Partial<TriggerSettings>): Promise<TriggerSettings>
}

const MAX_SOURCES = 50
const MAX_NAME_CHARS = 80
const MAX_RULE_CHARS = 2_000
const SECRET_CHARS = { least: 8, most: 500 }
const DEFAULT_BUDGET = { usd: 2, runs: 20 }

const createSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`

export function createSourceMethods(parts: {
  readonly sources: SourceStore
  readonly record: RecordAudit
  readonly now: () => number
  /** Throws a `ConfigurationError` for a name that is no model. */
  readonly checkModel: (userId: string, name: string) => void
  /** Screens and jobs look again. */
  readonly note: (userId: string) => void
  readonly checkConnection: CheckConnection
  readonly watches: Watches
}): SourceMethods {
  const { sources, record, now, checkModel, note, checkConnection, watches } = parts

  async function noteChange(userId: string, source: StoredSource, fields: readonly string[]): Promise<void> {
    await record(userId, 'trigger-source-change', source.id, { fields: fields.join(', ') })
    note(userId)
  }

  return {
    list(userId) {
      const { sources: stored, ...settings } = sources.of(userId)
      return { settings, sources: stored.map((one) => toSource(one, now())) }
    },
    async add(userId, post) {
      const source = toStored(post, now())
      if (source.connectionId !== undefined) await checkConnection(userId, source.kind, source.connectionId)
      await sources.change(userId, (before) => {
        if (before.sources.length >= MAX_SOURCES)
          throw fieldError('name', { kind: 'too-many', most: MAX_SOURCES })
        return { ...before, sources: [...before.sources, source] }
      })
      await watches.begin(userId, source)
      await record(userId, 'trigger-source-add', source.id, { kind: source.kind })
      note(userId)
      const isMade = source.secret !== undefined && post.secret === undefined
      return { source: toSource(source, now()), ...(isMade && { secret: source.secret }) }
    },
    async change(userId, sourceId, patch) {
      const fields = checkFields(patch)
      const changed = await sources.changeSource(userId, sourceId, (before) => ({ ...before, ...fields }))
      if (!changed) return undefined
      await noteChange(userId, changed, Object.keys(patch))
      return toSource(changed, now())
    },
    async replaceSecret(userId, sourceId, given) {
      const secret = given === undefined ? createSecret() : checkSecret(given)
      if (sources.find(userId, sourceId)?.secret === undefined) return undefined
      const changed = await sources.changeSource(userId, sourceId, (before) => ({ ...before, secret }))
      if (!changed) return undefined
      await noteChange(userId, changed, ['secret'])
      return { source: toSource(changed, now()), ...(given === undefined && { secret }) }
    },
    async remove(userId, sourceId) {
      const source = sources.find(userId, sourceId)
      if (!source) return false
      await sources.change(userId, (before) => ({
        ...before,
        sources: before.sources.filter(({ id }) => id !== sourceId),
      }))
      await watches.end(userId, source)
      await record(userId, 'trigger-source-remove', sourceId)
      note(userId)
      return true
    },
    examples(userId, sourceId) {
      const examples = sources.find(userId, sourceId)?.examples
      return examples?.toReversed().map(({ note: why, ...one }, at) => ({
        ...one,
        ...(why !== undefined && { note: why }),
        isShown: at < SHOWN_EXAMPLES,
      }))
    },
    async removeExample(userId, triggerId) {
      const isThis = (one: { readonly triggerId: string }): boolean => one.triggerId === triggerId
      const source = sources.of(userId).sources.find(({ examples }) => examples.some(isThis))
      const changed =
        source &&
        (await sources.changeSource(userId, source.id, (before) => ({
          ...before,
          examples: before.examples.filter((one) => !isThis(one)),
        })))
      if (!changed) return false
      await noteChange(userId, changed, ['examples'])
      return true
    },
    async changeSettings(userId, patch) {
      if (patch.model) checkModel(userId, patch.model)
      await sources.change(userId, (before) => ({ ...before, ...patch }))
      await record(userId, 'trigger-source-change', 'all', { fields: Object.keys(patch).join(', ') })
      note(userId)
      const { isOff, model } = sources.of(userId)
      return { isOff, model }
    },
  }
}

function toStored({ kind, secret, connectionId, ...given }: TriggerSourcePost, at: number): StoredSource {
  const isOfApp = kind === 'sync' || kind === 'resource'
  if (isOfApp && connectionId === undefined)
    throw new ConfigurationError('connectionId', 'names the connection whose changes count')
  return {
    rule: '',
    isOff: false,
    quietHours: null,
    budget: DEFAULT_BUDGET,
    threadId: null,
    ...(checkFields(given) as Pick<StoredSource, 'name'>),
    id: `source_${randomBytes(12).toString('hex')}`,
    kind,
    ...(isOfApp
      ? { connectionId }
      : {
          hookId: randomBytes(24).toString('base64url'),
          secret: secret === undefined ? createSecret() : checkSecret(secret),
        }),
    createdAt: at,
    examples: [],
    used: { day: dayOf(at), usd: 0, runs: 0 },
  }
}

function checkSecret(secret: string): string {
  const text = secret.trim()
  if (text.length < SECRET_CHARS.least || text.length > SECRET_CHARS.most)
    throw fieldError('secret', { kind: 'length', ...SECRET_CHARS })
  return text
}

/** The fields as they are stored. Throws a `ConfigurationError` that names the one that cannot be. */
function checkFields(given: Partial<TriggerSourceFields>): Partial<StoredSource> {
  const { name, rule, quietHours, budget, isOff, threadId } = given
  const shown = name === undefined ? undefined : sanitizeLine(name, MAX_NAME_CHARS)
  if (shown === '') throw fieldError('name', { kind: 'length', least: 1, most: MAX_NAME_CHARS })
  if (rule !== undefined && rule.length > MAX_RULE_CHARS)
    throw fieldError('rule', { kind: 'length', least: 0, most: MAX_RULE_CHARS })
  if (quietHours) {
    for (const end of ['from', 'to'] as const)
      if (toMinutes(quietHours[end]) === undefined)
        throw new ConfigurationError(`quietHours.${end}`, 'must be a time such as 22:00')
    if (!isTimeZone(quietHours.timeZone))
      throw new ConfigurationError('quietHours.timeZone', 'must be a time zone such as Europe/Berlin')
  }
  return {
    ...(shown !== undefined && { name: shown }),
    ...(rule !== undefined && { rule: rule.trim() }),
    ...(quietHours !== undefined && { quietHours: quietHours && { ...quietHours } }),
    ...(budget !== undefined && { budget: { ...budget } }),
    ...(isOff !== undefined && { isOff }),
    ...(threadId !== undefined && { threadId }),
  }
}
