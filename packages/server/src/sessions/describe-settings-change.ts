import type { AuditLine, Settings, SettingsPatch } from '@capstan/protocol'

type Described = Required<Pick<AuditLine, 'subject' | 'facts'>>

const WORDS = ['model', 'embeddingModel', 'safetyMode', 'shell'] as const
const LISTS = ['roots', 'sharedRoots', 'shellHosts', 'hosts'] as const

/** What an audit log says of a change: the settings that matter for safety, and which keys were set. Never a key. Pure. */
export function describeSettingsChange(
  before: Settings,
  after: Settings,
  { modelKeys = {}, composioKey }: SettingsPatch,
): readonly Described[] {
  const words = WORDS.filter((name) => before[name] !== after[name])
  const keys = Object.entries(modelKeys).map(([provider, key]) => [`modelKeys.${provider}`, key] as const)
  const set = [...keys, ...(composioKey === undefined ? [] : [['composioKey', composioKey] as const])]
  return [
    ...words.map((subject) => ({ subject, facts: { from: before[subject], to: after[subject] } })),
    ...LISTS.flatMap((subject) => describeList(subject, before[subject], after[subject])),
    ...set.map(([subject, key]) => ({ subject, facts: { isSet: key !== '' } })),
  ]
}

function describeList(
  subject: string,
  before: readonly string[],
  after: readonly string[],
): readonly Described[] {
  const added = after.filter((one) => !before.includes(one)).join(', ')
  const removed = before.filter((one) => !after.includes(one)).join(', ')
  if (added === '' && removed === '') return []
  return [{ subject, facts: { ...(added && { added }), ...(removed && { removed }) } }]
}
