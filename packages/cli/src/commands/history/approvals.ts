import type { Store, StoredApproval } from '@capstan/harness/stores'
import { toDuration } from '@capstan/harness/ledger'
import type { AnswerReceipt, ApprovalPost } from '@capstan/protocol'
import { drawApproval } from '../../render/draw-approval.ts'
import { wrap } from '../../terminal/display-width.ts'
import { styleOf } from '../../terminal/style.ts'
import type { ServerAddress } from '../../server-access/server-file.ts'
import { findServer } from '../../server-access/server-file.ts'
import { openServerApi } from '../../server-access/call-server.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { findApproval } from '../../store-access/find-by-id.ts'
import { HOME_HELP, homeOf, USER_ID } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS, withStore } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan approvals list                      list the calls that wait for an answer
       capstan approvals approve <id> [--always]    run exactly this call
       capstan approvals deny <id>                  do not run it

The first answer counts. The start of an id is enough, if only one id starts with it.

${HOME_HELP}
  --all                 list: also approvals that were answered or have expired
  --always              approve: do not ask for this tool again
  --json                list: one JSON object per line; answers: one JSON object

Exit codes: 0 done, 1 expired, already answered, or no such approval, 2 bad usage`

const OPTIONS = { ...STORE_OPTIONS, all: { type: 'boolean' }, always: { type: 'boolean' } } as const

interface Flags {
  readonly home?: string
  readonly json?: boolean
  readonly all?: boolean
  readonly always?: boolean
}

export const approvals: Command = {
  summary: 'list and answer calls that wait for approval',
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
        return answer(words, values.always ? 'allow-always' : 'allow-once', values, shell)
      case 'deny':
        if (values.always)
          throw new UsageError('--always is only for approve: a call is denied one at a time.')
        return answer(words, 'deny', values, shell)
      default:
        throw new UsageError(`There is no action "${action}". See "capstan approvals --help".`)
    }
  },
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

async function answer(
  words: readonly string[],
  decision: 'allow-once' | 'allow-always' | 'deny',
  flags: Flags,
  shell: Shell,
): Promise<number> {
  const [id, ...more] = words
  if (id === undefined || id === '' || more.length > 0)
    throw new UsageError('Give the id of one approval; "capstan approvals list" shows them.')
  const home = homeOf(flags.home, shell.env)
  const server = findServer(home)
  return withStore(shell, { home: flags.home, readOnly: server !== undefined }, async (store) => {
    const now = Date.now()
    const approval = await findApproval(store, id, now)
    const receipt = server
      ? await answerOnServer(home, server, approval.id, decision)
      : await store.approvals.answer(approval.id, decision, now)
    const settled = (await store.approvals.get(approval.id)) ?? approval
    if (flags.json) writeJson(shell, { receipt, ...withoutSignature(settled) })
    if (receipt !== 'accepted') {
      if (flags.json) return EXIT.failed
      throw new CommandError(toRefusal(receipt, settled, now))
    }
    if (!flags.json) await confirm(store, settled, decision, shell, server !== undefined)
    return EXIT.done
  })
}

/** The server owns the folder, and resumes the turn at once. */
async function answerOnServer(
  home: string,
  server: ServerAddress,
  id: string,
  decision: ApprovalPost['decision'],
): Promise<AnswerReceipt> {
  const callServer = await openServerApi(home, server)
  return (await callServer((api) => api.answerApproval(id, decision))).receipt
}

async function confirm(
  store: Store,
  approval: StoredApproval,
  decision: 'allow-once' | 'allow-always' | 'deny',
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
  'allow-always': 'Approved. This tool will not ask again.',
  deny: 'Denied. The call will not run.',
} as const

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
