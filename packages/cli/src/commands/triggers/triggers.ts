import type { TriggerAction } from '@capstan/protocol'
import { TRIGGER_ACTIONS } from '@capstan/protocol'
import { drawTable } from '../../render/draw-table.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { HOME_HELP } from '../../store-access/open-store.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { drawTrigger, toTriggerColumns } from './draw-trigger.ts'
import type { TriggerFlags } from './source-flags.ts'
import { toNumber, TRIGGER_OPTIONS } from './source-flags.ts'
import type { TriggerAccess } from './trigger-access.ts'
import { withTriggers } from './trigger-access.ts'
import { toSourceAction } from './trigger-sources.ts'

const HELP = `Usage: capstan triggers [list]             list what came in, newest first, and what was decided
       capstan triggers show <id>          print one, with the reason and what came in
       capstan triggers wrong <id> --right <decision> [--note <text>]
                                           say what would have been right; the model sees it
       capstan triggers off | on           drop everything that comes in, or no longer
       capstan triggers sources [list]     list where triggers come from
       capstan triggers sources add <kind> --name <text> [fields]
       capstan triggers sources show <id>
       capstan triggers sources edit <id> [fields]
       capstan triggers sources secret <id>    replace the secret; the old one counts no longer
       capstan triggers sources on | off <id>
       capstan triggers sources remove <id>    what it sent stays in the list

Kinds: generic, github, stripe, slack, linear and composio are called by a service; sync (new items)
and resource (what it tells of) belong to a connected app, and need a running server. Decisions:
drop, acknowledge, react, escalate. Without a running server nothing comes in.

${HOME_HELP}
  --json                lists: one JSON object per line; others: one JSON object
  --source <id>         list: only of this source
  --decision <name>     list: only with this decision
  --limit <n>           list: at most so many, up to 100; default 30
  --after <id>          list: those that came before this one

Fields of a source:
  --name <text>
  --rule <text>         in plain words: "Only from my boss"
  --usd <n>             the most money for a day; default 2
  --runs <n>            the most turns for a day; default 20
  --quiet <hours>       such as 22:00-07:00, or none; --zone <name> is an IANA time zone
  --thread <id>         start turns in this conversation; "new": in one of its own each time
  --connection <id>     kinds sync and resource: the connection that counts
  --secret-stdin        read the secret of the service from standard input; default: one is made

Exit codes: 0 done, 1 no such trigger or source, or refused, 2 bad usage`

const READS: ReadonlySet<string> = new Set(['list', 'show'])
const DEFAULT_LIMIT = 30
const MOST = 100

type Act = (access: TriggerAccess) => Promise<void>

export const triggers: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'triggers',
      options: TRIGGER_OPTIONS,
      allowPositionals: true,
    })
    const isOfSources = positionals[0] === 'sources'
    const [name = 'list', word, ...more] = isOfSources ? positionals.slice(1) : positionals
    if (more.length > 0) throw new UsageError('Too many words. See "capstan triggers --help".')
    const act = isOfSources ? toSourceAction(name, word, values, shell) : toAct(name, word, values, shell)
    return withTriggers(shell, { home: values.home, readOnly: READS.has(name) }, async (access) => {
      await act(access)
      return EXIT.done
    })
  },
}

/** Checks the usage before anything is opened. */
function toAct(name: string, word: string | undefined, flags: TriggerFlags, shell: Shell): Act {
  if (name === 'list' || name === 'on' || name === 'off') {
    if (word !== undefined) throw new UsageError(`"${name}" takes no words. See "capstan triggers --help".`)
    return name === 'list'
      ? toList(flags, shell)
      : (access) => switchAll(access, name === 'off', flags, shell)
  }
  if (name !== 'show' && name !== 'wrong')
    throw new UsageError(`There is no action "${name}". See "capstan triggers --help".`)
  if (word === undefined) throw new UsageError(`Name the trigger: capstan triggers ${name} <id>.`)
  if (name === 'show')
    return async (access) => {
      const row = await access.get(word)
      if (flags.json) writeJson(shell, row)
      else writeLines(shell, drawTrigger(row).map(toPrintableLine))
    }
  const right = toDecision('right', flags.right)
  if (right === undefined) throw new UsageError('Say what would have been right: --right drop.')
  const { note } = flags
  return async (access) => {
    const row = await access.correct(word, { right, ...(note !== undefined && { note }) })
    if (flags.json) writeJson(shell, row)
    else writeLines(shell, ['Saved. The model sees it as an example with the next triggers of the source.'])
  }
}

async function switchAll(
  access: TriggerAccess,
  isOff: boolean,
  flags: TriggerFlags,
  shell: Shell,
): Promise<void> {
  const settings = await access.switchAll(isOff)
  if (flags.json) writeJson(shell, settings)
  else writeLines(shell, [isOff ? 'All sources are off.' : 'All sources that are switched on count again.'])
}

function toList(flags: TriggerFlags, shell: Shell): Act {
  const { source, after } = flags
  const limit = flags.limit === undefined ? DEFAULT_LIMIT : toNumber('limit', flags.limit, MOST)
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError(`--limit must be 1 to ${MOST}.`)
  const action = toDecision('decision', flags.decision)
  const query = {
    limit,
    ...(source !== undefined && { source }),
    ...(after !== undefined && { after }),
    ...(action !== undefined && { action }),
  }
  return async (access) => {
    const page = await access.list(query)
    if (flags.json) return writeJson(shell, ...page.triggers)
    if (page.triggers.length === 0 && page.next === undefined)
      return writeLines(shell, ['There are no such triggers here.'])
    writeLines(shell, drawTable(page.triggers, toTriggerColumns(Date.now()), shell))
    if (page.next !== undefined) writeLines(shell, [`There are older ones: --after ${page.next}`])
  }
}

function toDecision(flag: string, given: string | undefined): TriggerAction | undefined {
  if (given === undefined) return undefined
  const action = TRIGGER_ACTIONS.find((known) => known === given)
  if (!action) throw new UsageError(`--${flag} must be one of: ${TRIGGER_ACTIONS.join(', ')}.`)
  return action
}
