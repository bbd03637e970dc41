import type { SpendingLimits } from '@capstan/protocol'
import type { UserSpending } from '../../server-access/spending-access.ts'
import { openSpendingAccess } from '../../server-access/spending-access.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'

const HELP = `Usage: capstan budget [options]                 show what may be spent on models, and what was
       capstan budget set <limits> [options]    change limits; those that are not named stay

Counts all turns of a user, sub-agents included, per day and month in UTC. A notice comes at
80 %. At a limit a turn ends and says so: raise the limit with "capstan budget set", and send
the message again. Deleting threads gives nothing back. Needs a running server.

  --usd-day <amount>    US dollars per day, such as 5 or 0.50; none removes the limit
  --usd-month <amount>  the same per month
  --tokens-day <n>      input and output tokens per day; none removes the limit
  --tokens-month <n>    the same per month
  --user <name>         the limits of this member; default: your own. A member always has a
                        limit in dollars per day, and only they see what they have spent
${HOME_HELP}
  --json                print the budget as one line of JSON

Exit codes: 0 done, 1 no server is running or there is no such member, 2 bad usage`

const OPTIONS = {
  ...STORE_OPTIONS,
  user: { type: 'string' },
  'usd-day': { type: 'string' },
  'usd-month': { type: 'string' },
  'tokens-day': { type: 'string' },
  'tokens-month': { type: 'string' },
} as const

const FIELDS = [
  { flag: 'usd-day', field: 'usdPerDay', period: 'day', unit: 'usd' },
  { flag: 'usd-month', field: 'usdPerMonth', period: 'month', unit: 'usd' },
  { flag: 'tokens-day', field: 'tokensPerDay', period: 'day', unit: 'tokens' },
  { flag: 'tokens-month', field: 'tokensPerMonth', period: 'month', unit: 'tokens' },
] as const

type Field = (typeof FIELDS)[number]

/** Of a limit, the part after which it is shown as nearly used up. The server warns there, too. */
const WARN_AT = 0.8

export const budget: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'budget',
      options: OPTIONS,
      allowPositionals: true,
    })
    const [action = 'show', ...more] = positionals
    if (more.length > 0 || (action !== 'show' && action !== 'set'))
      throw new UsageError(`There is no action "${positionals.join(' ')}". See "capstan budget --help".`)
    const given = FIELDS.filter(({ flag }) => values[flag] !== undefined)
    if (action === 'show' && given.length > 0)
      throw new UsageError(
        `--${given[0]!.flag} changes a limit: say "capstan budget set --${given[0]!.flag} …".`,
      )
    if (action === 'set' && given.length === 0)
      throw new UsageError('Name a limit to set, such as --usd-day 5. See "capstan budget --help".')
    const changes = given.map((field) => ({ field, limit: readLimit(field, values[field.flag]!) }))
    const access = await openSpendingAccess(homeOf(values.home, shell.env), shell.env)
    let spending = await access.read(values.user)
    if (action === 'set') {
      const removed = changes.find(({ field, limit }) => field.flag === 'usd-day' && limit === undefined)
      if (removed && values.user !== undefined)
        throw new UsageError('A member always has a limit in dollars per day: give an amount.')
      spending = await access.change(withChanges(spending.limits, changes), values.user)
    }
    if (values.json) writeJson(shell, spending)
    else
      writeLines(
        shell,
        FIELDS.map((field) => drawLimit(field, spending)),
      )
    return EXIT.done
  },
}

/** Undefined: no limit. */
function readLimit({ flag, unit }: Field, text: string): number | undefined {
  if (text === 'none') return undefined
  const form = unit === 'usd' ? /^\d{1,9}(?:\.\d{1,6})?$/ : /^\d{1,15}$/
  if (!form.test(text) || Number(text) === 0)
    throw new UsageError(
      `--${flag} is ${unit === 'usd' ? 'an amount such as 5 or 0.50' : 'a whole number from 1 up'}, or none; not "${text}".`,
    )
  return Number(text)
}

function withChanges(
  limits: SpendingLimits,
  changes: readonly { readonly field: Field; readonly limit: number | undefined }[],
): SpendingLimits {
  const next: { -readonly [Name in keyof SpendingLimits]: SpendingLimits[Name] } = { ...limits }
  for (const { field, limit } of changes) {
    if (limit === undefined) delete next[field.field]
    else next[field.field] = limit
  }
  return next
}

function drawLimit({ field, flag, period, unit }: Field, { limits, used }: UserSpending): string {
  const toAmount = (amount: number): string =>
    unit === 'usd' ? `$${amount.toFixed(2)}` : `${amount.toLocaleString('en')} tokens`
  const limit = limits[field]
  const spent = used?.[period][unit]
  const facts = [
    ...(spent === undefined ? [] : [`${toAmount(spent)} used`]),
    limit === undefined ? 'no limit' : `limit ${toAmount(limit)}`,
  ]
  const line = `${period === 'day' ? 'Today' : 'This month'}, ${unit === 'usd' ? 'money ' : 'tokens'}`.padEnd(
    20,
  )
  if (limit === undefined || spent === undefined || spent < limit * WARN_AT)
    return `${line}${facts.join(', ')}`
  const state = spent < limit ? `${Math.floor((spent / limit) * 100)} % is used` : 'turns are stopped'
  return `${line}${facts.join(', ')}: ${state}. Raise it: capstan budget set --${flag} <amount>`
}
