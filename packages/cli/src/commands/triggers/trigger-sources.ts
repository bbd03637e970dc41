import { text as readAll } from 'node:stream/consumers'
import type { TriggerSource, TriggerSourceCreated } from '@capstan/protocol'
import { drawTable } from '../../render/draw-table.ts'
import type { Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { drawSource, SOURCE_COLUMNS } from './draw-trigger.ts'
import type { TriggerFlags } from './source-flags.ts'
import { toFields, toKind } from './source-flags.ts'
import type { TriggerAccess } from './trigger-access.ts'

type Act = (access: TriggerAccess) => Promise<void>

/** What `capstan triggers sources <action> <word>` does. Throws `UsageError` before anything is opened. */
export function toSourceAction(
  action: string,
  word: string | undefined,
  flags: TriggerFlags,
  shell: Shell,
): Act {
  if (action === 'list') {
    if (word !== undefined) throw new UsageError('"sources list" takes no words.')
    return (access) => writeList(access, flags, shell)
  }
  if (action === 'add') return toAdd(word, flags, shell)
  if (!['show', 'edit', 'secret', 'on', 'off', 'remove'].includes(action))
    throw new UsageError(`There is no action "sources ${action}". See "capstan triggers --help".`)
  if (word === undefined) throw new UsageError(`Name the source: capstan triggers sources ${action} <id>.`)
  const write = (source: TriggerSource): void => writeSource(source, flags, shell)
  switch (action) {
    case 'show':
      return async (access) => write(await findSource(access, word))
    case 'edit':
      if (Object.keys(toFields(flags)).length === 0)
        throw new UsageError('Name what to change, such as --rule "Only from my boss".')
      return async (access) =>
        write(await access.change(word, toFields(flags, await findSource(access, word))))
    case 'secret':
      return async (access) =>
        writeCreated(await access.replaceSecret(word, await readSecret(flags, shell)), access, flags, shell)
    case 'remove':
      return async (access) => {
        await access.remove(word)
        if (flags.json) writeJson(shell, { removed: word })
        else writeLines(shell, ['Removed.'])
      }
    default:
      return async (access) => write(await access.change(word, { isOff: action === 'off' }))
  }
}

function toAdd(word: string | undefined, flags: TriggerFlags, shell: Shell): Act {
  const kind = toKind(word)
  const { name, connection } = flags
  if (name === undefined || name.trim() === '') throw new UsageError('Name the source: --name "Our house".')
  const fields = { ...toFields(flags), name }
  return async (access) => {
    const secret = await readSecret(flags, shell)
    const created = await access.add({
      ...fields,
      kind,
      ...(secret !== undefined && { secret }),
      ...(connection !== undefined && { connectionId: connection }),
    })
    writeCreated(created, access, flags, shell)
  }
}

/** From standard input: a secret in the arguments stands in lists of processes. */
async function readSecret(flags: TriggerFlags, { stdin }: Shell): Promise<string | undefined> {
  if (!flags['secret-stdin']) return undefined
  const secret = (await readAll(stdin)).trim()
  if (secret === '') throw new UsageError('There is no secret: write it to standard input.')
  return secret
}

async function findSource(access: TriggerAccess, id: string): Promise<TriggerSource> {
  const found = (await access.sources()).sources.find((source) => source.id === id)
  if (found) return found
  throw new CommandError(`There is no source "${id}".`, {
    class: 'not_found',
    next: '"capstan triggers sources list" lists those that there are.',
  })
}

async function writeList(access: TriggerAccess, { json }: TriggerFlags, shell: Shell): Promise<void> {
  const { sources, settings } = await access.sources()
  if (json) return writeJson(shell, ...sources)
  if (sources.length === 0)
    return writeLines(shell, [
      'There are no sources here.',
      'Add one: capstan triggers sources add generic --name "My script"',
    ])
  writeLines(shell, drawTable(sources, SOURCE_COLUMNS, shell))
  if (settings.isOff) writeLines(shell, ['All of them are off: "capstan triggers on" switches them on.'])
}

function writeSource(source: TriggerSource, { json }: TriggerFlags, shell: Shell): void {
  if (json) writeJson(shell, source)
  else writeLines(shell, drawSource(source).map(toPrintableLine))
}

/** The only time that the secret is shown. */
function writeCreated(
  created: TriggerSourceCreated,
  { url }: TriggerAccess,
  flags: TriggerFlags,
  shell: Shell,
): void {
  const { source, secret } = created
  if (flags.json) return writeJson(shell, created)
  const address = source.path !== undefined && url !== undefined ? new URL(source.path, url).href : undefined
  writeLines(
    shell,
    [
      ...drawSource(source),
      ...(address === undefined ? [] : [`On this machine: ${address}`]),
      ...(secret === undefined ? [] : [`Secret, shown only now: ${secret}`]),
      ...(source.path === undefined
        ? []
        : ['Enter both at the service. It must be able to reach the server.']),
    ].map(toPrintableLine),
  )
}
