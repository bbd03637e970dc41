import type { Store, StoredApproval } from '@capstan/harness/stores'
import { isPending } from '@capstan/harness/stores'
import { revealArguments, toDuration } from '@capstan/harness/ledger'
import type { AnswerReceipt, ApprovalPost } from '@capstan/protocol'
import { drawApproval, drawArguments } from '../../render/draw-approval.ts'
import { wrap } from '../../terminal/display-width.ts'
import { styleOf } from '../../terminal/style.ts'
import type { ServerAddress } from '../../server-access/server-file.ts'
import { findServer } from '../../server-access/server-file.ts'
import { openServerApi } from '../../server-access/call-server.ts'
import { parseOnly, runGrants } from './approval-grants.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { findApproval } from '../../store-access/find-by-id.ts'
import { HOME_HELP, homeOf, USER_ID } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS, withStore } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan approvals list                   list the calls that wait for an answer
       capstan approvals reveal <id>            show its arguments with nothing hidden
       capstan approvals approve <id>           run exactly this call
       capstan approvals deny <id>              do not run it
       capstan approvals grants list            list what runs without asking
       capstan approvals grants revoke <id>     ask again

The first answer counts. The start of an id is enough, if only one id starts with it.

${HOME_HELP}
  --all                 list: also approvals that were answered or have expired
  --for WHAT            approve: once (default), conversation, hour or always
  --always              approve: the same as --for always
  --only ARG=PATTERN    approve: with --for, only for these destinations; may be repeated. A pattern
                        is an exact value, *@domain or *.host
  --with-hidden         approve: also when values of the call are hidden
  --json                lists: one JSON object per line; others: one JSON object

Exit codes: 0 done, 1 expired, already answered, or no such approval, 2 bad usage`

const OPTIONS = {
  ...STORE_OPTIONS,
  all: { type: 'boolean' },
  always: { type: 'boolean' },
  for: { type: 'string' },
  only: { type: 'string', multiple: true },
  'with-hidden': { type: 'boolean' },
} as const

interface Flags {
  readonly home?: string
  readonly json?: boolean
  readonly all?: boolean
  readonly always?: boolean
  readonly for?: string
  readonly only?: readonly string[]
  readonly 'with-hidden'?: boolean
}

type Decision = ApprovalPost['decision']

export const approvals: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'approvals',
      options: OPTIONS,
      allowPositionals: true,
    })
    const [action = 'list', ...words] = positionals
    switch (action) {
      case 'list':
        if (words.length > 0) throw new UsageError('"list" takes no words. See "capstan approvals --help".')
        return list(values, shell)
      case 'approve':
        return answer(words, toDecision(values), values, shell)
      case 'deny':
        if (values.always || values.for !== undefined || values.only)
          throw new UsageError(
            '--always, --for and --only are only for approve: a call is denied one at a time.',
          )
        return answer(words, 'deny', values, shell)
      case 'reveal':
        return reveal(words, values, shell)
      case 'grants':
        return runGrants(words, values, shell)
      default:
        throw new UsageError(`There is no action "${action}". See "capstan approvals --help".`)
    }
  },
}

const DECISIONS: Readonly<Record<string, Decision>> = {
  once: 'allow-once',
  conversation: 'allow-thread',
  hour: 'allow-hour',
  always: 'allow-always',
}

function toDecision({ always, for: lifetime = always ? 'always' : 'once', only }: Flags): Decision {
  const decision = Object.hasOwn(DECISIONS, lifetime) ? DECISIONS[lifetime] : undefined
  if (!decision) throw new UsageError(`--for is once, conversation, hour or always, not "${lifetime}".`)
  if (only && decision === 'allow-once')
    throw new UsageError('--only limits further calls: add --for conversation, hour or always.')
  return decision
}

async function list(flags: Flags, shell: Shell): Promise<number> {
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const now = Date.now()
    const rows = await store.approvals.list({
      userId: USER_ID,
      now,
      ...(flags.all ? undefined : { pending: true }),
    })
    if (flags.json) writeJson(shell, ...rows.map(withoutSignature))
    else if (rows.length === 0) writeLines(shell, ['No call waits for an answer.'])
    else {
      const style = styleOf(shell.stdout, shell.env)
      const cards = rows.map((row) => drawApproval(row, style, now))
      writeLines(
        shell,
        cards.flatMap((card, index) => (index > 0 ? ['', ...card] : card)),
      )
      if (!flags.all)
        writeLines(shell, [
          '',
          'Answer with "capstan approvals approve <id>" or "capstan approvals deny <id>".',
        ])
    }
    return EXIT.done
  })
}

function oneId([id, ...more]: readonly string[]): string {
  if (id === undefined || id === '' || more.length > 0)
    throw new UsageError('Give the id of one approval; "capstan approvals list" shows them.')
  return id
}

/** Shows exactly what would run. Nothing of it is stored or logged. */
async function reveal(words: readonly string[], flags: Flags, shell: Shell): Promise<number> {
  const id = oneId(words)
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const approval = await findApproval(store, id, Date.now())
    if (!approval.isIntact || !isPending(approval, Date.now()))
      throw new CommandError(`${approval.id} does not wait for an answer any more.`)
    const exact = revealArguments(approval, await store.ledger.read(approval.threadId))
    if (!exact)
      throw new CommandError(
        `The exact arguments of ${approval.id} cannot be proven, so they are not shown. Deny it.`,
      )
    if (flags.json) writeJson(shell, { id: approval.id, ...exact })
    else writeLines(shell, drawArguments(exact.arguments, styleOf(shell.stdout, shell.env)))
    return EXIT.done
  })
}

/** Nothing is approved unseen by mistake, and no grant is promised that cannot be given. */
function refuseUnseen(
  { id, hidden, binding, decision: given }: StoredApproval,
  decision: Decision,
  flags: Flags,
): void {
  if (decision === 'deny' || given !== undefined) return
  if (hidden && !flags['with-hidden'])
    throw new CommandError(
      `${hidden.length === 1 ? 'A value of this call is' : `${hidden.length} values of this call are`} hidden. ` +
        `See "capstan approvals reveal ${id}", then approve it with --with-hidden.`,
    )
  if (binding?.effect === 'admin' && decision !== 'allow-once')
    throw new CommandError(
      'A call that can delete or administer is allowed once only. Leave out --for and --always.',
    )
}

async function answer(
  words: readonly string[],
  decision: Decision,
  flags: Flags,
  shell: Shell,
): Promise<number> {
  const id = oneId(words)
  const constraints = parseOnly(flags.only)
  const home = homeOf(flags.home, shell.env)
  const server = findServer(home)
  return withStore(shell, { home: flags.home, readOnly: server !== undefined }, async (store) => {
    const now = Date.now()
    const approval = await findApproval(store, id, now)
    if (isPending(approval, now)) refuseUnseen(approval, decision, flags)
    const receipt = server
      ? await answerOnServer(home, server, approval.id, {
          decision,
          ...(constraints && { constraints }),
          ...(approval.hidden && { withHidden: true as const }),
        })
      : await store.approvals.answer(approval.id, decision, now, constraints)
    const settled = (await store.approvals.get(approval.id)) ?? approval
    if (flags.json) writeJson(shell, { receipt, ...withoutSignature(settled) })
    if (receipt !== 'accepted') {
      if (flags.json) return EXIT.failed
      throw new CommandError(toRefusal(receipt, settled, now))
    }
    // An approval of an older version can be allowed once only, and its answer says so.
    const given = settled.decision === 'allow-once' ? settled.decision : decision
    if (!flags.json) await confirm(store, settled, given, shell, server !== undefined)
    return EXIT.done
  })
}

/** The server owns the folder, and resumes the turn at once. */
async function answerOnServer(
  home: string,
  server: ServerAddress,
  id: string,
  post: ApprovalPost,
): Promise<AnswerReceipt> {
  const callServer = await openServerApi(home, server)
  return (await callServer((api) => api.answerApproval(id, post))).receipt
}

async function confirm(
  store: Store,
  approval: StoredApproval,
  decision: Decision,
  shell: Shell,
  isServed: boolean,
): Promise<void> {
  const style = styleOf(shell.stdout, shell.env)
  const waiting = isServed ? undefined : await store.runs.findWaiting({ kind: 'approval', id: approval.id })
  writeLines(shell, [
    ...drawApproval(approval, style, Date.now()),
    '',
    ...wrap(CONFIRMATIONS[decision], style.width),
    ...(waiting
      ? wrap(
          'The turn resumes when "capstan chat" or "capstan resume" runs on this data folder.',
          style.width,
        )
      : []),
  ])
}

const CONFIRMATIONS = {
  'allow-once': 'Approved once.',
  'allow-thread': 'Approved. In this conversation it will not ask again.',
  'allow-hour': 'Approved. For one hour it will not ask again.',
  'allow-always': 'Approved. It will not ask again. Take it back with "capstan approvals grants revoke".',
  deny: 'Denied. The call will not run.',
} as const satisfies Record<Decision, string>

function toRefusal(
  receipt: Exclude<AnswerReceipt, 'accepted'>,
  { id, decision, decidedAt, isIntact }: StoredApproval,
  now: number,
): string {
  const ago = decidedAt === undefined ? '' : ` ${toDuration(now - decidedAt)} ago`
  switch (receipt) {
    case 'already-answered':
      return `${id} was ${decision === 'deny' ? 'denied' : 'approved'} already${ago}; the first answer counts.`
    case 'expired':
      return isIntact
        ? `${id} has expired, so it counts as denied.`
        : `${id} was changed after it was requested, so it counts as denied.`
    case 'unknown':
      return `There is no approval "${id}". See "capstan approvals list".`
  }
}

/** The approval without the signature, which only the harness needs. */
function withoutSignature({ signature: _signature, ...approval }: StoredApproval): object {
  return approval
}
