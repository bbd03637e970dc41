import type { SyncView } from '@capstan/protocol'
import { drawTable } from '../../render/draw-table.ts'
import type { CallServer } from '../../server-access/call-server.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { HOME_HELP } from '../../store-access/open-store.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { isTerminal } from '../../terminal/style.ts'
import { drawEstimate, drawSync, toColumns } from './draw-sync.ts'
import { followSync } from './follow-sync.ts'
import { checkMapFlags, mapSync } from './map-sync.ts'
import { findSync, openSyncApi } from './sync-access.ts'
import type { SyncFlags } from './sync-flags.ts'
import { readLimits, SYNC_OPTIONS } from './sync-flags.ts'

const HELP = `Usage: capstan sync [list]              list the connected accounts that can be synced into memory
       capstan sync show <account>      print how one stands
       capstan sync estimate <account>  what a first sync needs; nothing is stored
       capstan sync on <account>        print what it needs; with --yes, switch it on or change its limits
       capstan sync off <account>       switch it off; what was synced is kept
       capstan sync pause <account>     stop it; it keeps its place
       capstan sync resume <account>
       capstan sync run <account>       sync now
       capstan sync map <server>        print how the items of an added MCP server become items in memory
       capstan sync map <server> --propose | --file <mapping.json|-> | --remove

<account> is the id of a connection, or the name of an app with one account. A server must be running.
<server> is the slug of an MCP server that was added. Its mapping is for all its accounts. "--propose --json" prints lines whose
"mapping" can be stored in a file, changed and given to --file.
"on --yes" and "run" show the progress on a terminal and wait for the end; Ctrl-C ends the waiting, not the sync.

${HOME_HELP}
  --json                list: one JSON object per line; others: one JSON object
  --yes                 on: needed, once you have seen what it needs; off --forget: needed
  --forget              off: also delete what was synced of the account from memory
  --wait, --no-wait     on, run: wait for the end of the sync; default on a terminal without --json
  --days <n>            on: leave out what was last changed before; 0 for all; default 365
  --items <n>           on: the most items in one go; default 10000
  --requests <n>        on, estimate: the most requests per day; default 500
  --tokens <n>          on, estimate: the most tokens of stored text per day; default 5000000
  --every <minutes>     on: minutes from one sync to the next; default 30
  --propose             map: guess mappings from the actions of a connected server; sets nothing
  --file <file>         map: set the mapping of a file, or of standard input with "-"
  --remove              map: take the mapping away; what was synced is kept

Exit codes: 0 done, 1 no such account or server, not possible or the sync failed, 2 bad usage, 3 still under way`

/** What an action works with. */
interface Work {
  readonly call: CallServer
  readonly sync: SyncView
  readonly flags: SyncFlags
  readonly shell: Shell
}

const ACTIONS: Readonly<Record<string, (work: Work) => Promise<number>>> = {
  show: async (work) => writeSync(work, work.sync),
  estimate,
  on: switchOn,
  off: switchOff,
  pause: (work) => steer(work, 'pause'),
  resume: (work) => steer(work, 'resume'),
  run: (work) => steer(work, 'run-now'),
}

export const sync: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'sync',
      options: SYNC_OPTIONS,
      allowPositionals: true,
    })
    const [name = 'list', account, ...more] = positionals
    if (more.length > 0) throw new UsageError('Too many words. See "capstan sync --help".')
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action && name !== 'list' && name !== 'map')
      throw new UsageError(`There is no action "${name}". See "capstan sync --help".`)
    if (action && account === undefined)
      throw new UsageError(`Name the account: capstan sync ${name} <account>.`)
    checkMapFlags(name, account, values)
    if (name === 'list' && account !== undefined)
      throw new UsageError('"list" takes no words. See "capstan sync --help".')
    readLimits(values)
    if (name === 'off' && values.forget && !values.yes)
      throw new UsageError('What is forgotten cannot be restored: add --yes.')
    const call = await openSyncApi(values.home, shell)
    if (name === 'map' && account !== undefined) return mapSync(call, account, values, shell)
    if (!action || account === undefined) return list(call, values, shell)
    return action({ call, sync: await findSync(call, account), flags: values, shell })
  },
}

async function list(call: CallServer, { json }: SyncFlags, shell: Shell): Promise<number> {
  const { syncs } = await call((api) => api.syncs())
  if (json) writeJson(shell, ...syncs)
  else if (syncs.length === 0) writeLines(shell, ['No connected account can be synced.'])
  else writeLines(shell, drawTable(syncs, toColumns(Date.now()), shell))
  return EXIT.done
}

const estimateOf = ({ call, sync: { connectionId }, flags }: Work) => {
  const { requestsPerDay, tokensPerDay } = readLimits(flags)
  return call((api) =>
    api.estimateSync(connectionId, {
      ...(requestsPerDay !== undefined && { requestsPerDay }),
      ...(tokensPerDay !== undefined && { tokensPerDay }),
    }),
  )
}

async function estimate(work: Work): Promise<number> {
  const { flags, shell } = work
  const found = await estimateOf(work)
  if (flags.json) writeJson(shell, found)
  else writeLines(shell, drawEstimate(found))
  return EXIT.done
}

async function switchOn(work: Work): Promise<number> {
  const { call, sync: before, flags } = work
  if (!flags.yes) {
    await estimate(work)
    throw new UsageError('Nothing was changed: add --yes to switch it on with these limits.')
  }
  // An app that does not answer now can be synced all the same: the limits hold.
  const found = before.isOn ? undefined : await estimateOf(work).catch(() => undefined)
  const expected = found && !found.isAtLeast ? { expected: found.items } : {}
  const on = await call((api) => api.switchSyncOn(before.connectionId, { ...readLimits(flags), ...expected }))
  return finish(work, on)
}

async function switchOff({ call, sync: { connectionId }, flags, shell }: Work): Promise<number> {
  await call((api) => api.switchSyncOff(connectionId, { forget: flags.forget ?? false }))
  const off = await call((api) => api.sync(connectionId))
  if (flags.json) writeJson(shell, off)
  else writeLines(shell, [flags.forget ? 'It is off, and what was synced is forgotten.' : 'It is off.'])
  return EXIT.done
}

async function steer(work: Work, action: 'pause' | 'resume' | 'run-now'): Promise<number> {
  const { call, sync: before } = work
  const { job, connectionId } = before
  if (!before.isOn || !job)
    throw new CommandError('This sync is off.', {
      class: 'conflict',
      next: '"capstan sync on" switches it on.',
    })
  await call((api) => api.changeJob(job.id, action))
  const now = await call((api) => api.sync(connectionId))
  return action === 'run-now' ? finish(work, now) : writeSync(work, now)
}

/** Waits for the end of the run where somebody is watching, or where it was asked for. */
async function finish(work: Work, now: SyncView): Promise<number> {
  const { call, sync: before, flags, shell } = work
  const isWatched = isTerminal(shell.stdout, shell.env) && !flags.json && !flags['no-wait']
  if (!flags.wait && !isWatched) return writeSync(work, now)
  const { sync: last, hasEnded } = await followSync(call, before, { shell, json: flags.json ?? false })
  writeSync(work, last)
  if (!hasEnded) return EXIT.unfinished
  return last.job?.lastFailure ? EXIT.failed : EXIT.done
}

function writeSync({ flags, shell }: Work, view: SyncView): number {
  if (flags.json) writeJson(shell, view)
  else writeLines(shell, drawSync(view).map(toPrintableLine))
  return EXIT.done
}
