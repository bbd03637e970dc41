import type { RunReport } from '@capstan/harness/ledger'
import { explainRun, renderRunReport } from '@capstan/harness/ledger'
import { drawRunReport } from '../../render/draw-run-report.ts'
import { wrap } from '../../terminal/display-width.ts'
import type { Style } from '../../terminal/style.ts'
import { paint, styleOf } from '../../terminal/style.ts'
import { toFullTime } from '../../render/when.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { findRun } from '../../store-access/find-by-id.ts'
import { HOME_HELP } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS, withStore } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan explain <run>

Prints a report on one run, from the ledger and without a model: what was asked,
what happened in order, what it cost, why it stopped, what broke the prompt cache
and what failed. The start of an id is enough, if only one id starts with it;
"capstan runs" lists them.

${HOME_HELP}
  --json                print the report as one JSON object

Exit codes: 0 done, 1 no run or more than one has this id, 2 bad usage`

export const explain: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'explain',
      options: STORE_OPTIONS,
      allowPositionals: true,
    })
    const [id, ...more] = positionals
    if (id === undefined || id === '' || more.length > 0)
      throw new UsageError('Give the id of one run; "capstan runs" lists them.')
    return withStore(shell, { home: values.home, readOnly: true }, async (store) => {
      const run = await findRun(store, id)
      const report = explainRun(await store.ledger.read(run.threadId), run.id)
      if (!report) throw new CommandError(`The ledger of ${run.threadId} has no records of ${run.id}.`)
      if (values.json) {
        writeJson(shell, { threadId: run.threadId, ...report })
        return EXIT.done
      }
      const style = styleOf(shell.stdout, shell.env)
      writeLines(shell, [
        paint(style, 'dim', run.id),
        paint(style, 'dim', `in ${run.threadId}`),
        '',
        ...drawRunReport(renderRunReport(report, { toTime: toFullTime }), style),
        ...drawNextStep(report, style),
      ])
      return EXIT.done
    })
  },
}

function drawNextStep({ status, stopped: { waitsFor } }: RunReport, style: Style): readonly string[] {
  if (status === 'running')
    return drawHint('If no other process runs it, "capstan resume" resumes it.', style)
  if (waitsFor?.kind !== 'approval') return []
  return drawHint(`Answer with "capstan approvals approve ${waitsFor.id}" or "deny".`, style)
}

const drawHint = (text: string, style: Style): readonly string[] => [
  '',
  ...wrap(text, style.width).map((line) => paint(style, 'dim', line)),
]
