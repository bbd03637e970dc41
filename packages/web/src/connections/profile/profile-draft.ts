import type { ServerFolder, ServerProfile } from '@capstan/protocol'

/** A profile as a person edits it: lists are lines of text. */
export interface ProfileDraft {
  readonly read: string
  readonly write: string
  readonly network: ServerProfile['network']
  readonly hosts: string
  readonly environment: string
}

/** Pure. */
export function toDraft({ folders, network, hosts, environment }: ServerProfile): ProfileDraft {
  const pathsOf = (wanted: ServerFolder['access']): string =>
    toText(folders.filter(({ access }) => access === wanted).map(({ path }) => path))
  return {
    read: pathsOf('read'),
    write: pathsOf('write'),
    network,
    hosts: toText(hosts),
    environment: toText(environment),
  }
}

/** A folder in both lists may be changed. Pure. */
export function toProfile({ read, write, network, hosts, environment }: ProfileDraft): ServerProfile {
  const writable = toLines(write)
  const readable = toLines(read).filter((path) => !writable.includes(path))
  return {
    folders: [
      ...readable.map((path) => ({ path, access: 'read' as const })),
      ...writable.map((path) => ({ path, access: 'write' as const })),
    ],
    network,
    hosts: network === 'hosts' ? toLines(hosts) : [],
    environment: toLines(environment),
  }
}

/** The field of the draft that a field of the profile was written in. Pure. */
export function fieldOfProfile(
  draft: ProfileDraft,
  { field, index = 0 }: { readonly field?: string; readonly index?: number },
): keyof ProfileDraft | undefined {
  if (field === 'sandbox.hosts') return 'hosts'
  if (field === 'sandbox.environment') return 'environment'
  if (field !== 'sandbox.folders') return undefined
  return toProfile(draft).folders[index]?.access ?? 'read'
}

/** The lines of a text without blanks and repeats. Pure. */
export function toLines(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return [...new Set(lines.filter((line) => line !== ''))]
}

/** Pure. */
export const toText = (lines: readonly string[]): string => lines.join('\n')
