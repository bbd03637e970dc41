import type { AuditStore } from '@capstan/harness/stores'
import type { AuditCheck, NumberedAuditLine } from '@capstan/protocol'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { HOME_HELP } from '../../store-access/open-store.ts'
import { STORE_OPTIONS, withStore } from '../../store-access/with-store.ts'

const HELP = `Usage: capstan audit verify                check that no row was edited, removed or moved
       capstan audit export [filters]      print the log, one JSON object per line

Calls, approvals, deleted threads and changes of safety settings are logged in a chain:
each row is sealed together with the row before it, by a key outside of the database
(seal.key). Arguments and outputs are not in the log.

  --user <id>           export: only lines of this user
  --thread <id>         export: only lines of this thread
  --since <time>        export: only lines from this time on, such as 2026-11-01
${HOME_HELP}
  --json                verify: print the result as one line of JSON

Exit codes: 0 done, 1 verify found a problem or there is no data, 2 bad usage`

const OPTIONS = {
  ...STORE_OPTIONS,
  user: { type: 'string' },
  thread: { type: 'string' },
  since: { type: 'string' },
  jsonl: { type: 'boolean' },
} as const

/** Lines that are read at once. */
const CHUNK = 2_000

export const audit: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'audit',
      options: OPTIONS,
      allowPositionals: true,
    })
    const [action, ...words] = positionals
    if ((action !== 'verify' && action !== 'export') || words.length > 0)
      throw new UsageError('Say "verify" or "export". See "capstan audit --help".')
    const since = values.since === undefined ? -Infinity : Date.parse(values.since)
    if (Number.isNaN(since)) throw new UsageError(`--since: "${values.since}" is not a time.`)
    return withStore(shell, { home: values.home, readOnly: true }, async (store) => {
      if (action === 'verify') return verify(await store.audit.verify(), values.json === true, shell)
      const isWanted = ({ userId, threadId, at }: NumberedAuditLine): boolean =>
        (values.user === undefined || userId === values.user) &&
        (values.thread === undefined || threadId === values.thread) &&
        at >= since
      await exportLines(store.audit, isWanted, shell)
      return EXIT.done
    })
  },
}

function verify(check: AuditCheck, isJson: boolean, shell: Shell): number {
  if (isJson) writeJson(shell, check)
  else if (check.ok) writeLines(shell, [`The audit log is intact: ${check.rows} rows were checked.`])
  else {
    const count = check.problems.length === 1 ? 'one problem' : `${check.problems.length} problems`
    writeLines(shell, [`The audit log has ${count}:`, ...check.problems.map(({ text }) => `- ${text}`)])
  }
  return check.ok ? EXIT.done : EXIT.failed
}

async function exportLines(
  log: AuditStore,
  isWanted: (line: NumberedAuditLine) => boolean,
  shell: Shell,
): Promise<void> {
  for (let after = 0; ;) {
    const lines = await log.read({ after, limit: CHUNK })
    const last = lines.at(-1)
    if (!last) return
    writeJson(shell, ...lines.filter(isWanted))
    after = last.no
  }
}
