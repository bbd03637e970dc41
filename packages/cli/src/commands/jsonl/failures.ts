import { classifyOutcome } from '@capstan/harness/stages'
import { toJsonLine } from '../../terminal/printable.ts'
import { answerLines, textField } from './answer-lines.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'

const HELP = `Usage: capstan failures classify "<text>"
       capstan failures classify --jsonl

Classifies the error text of a failed action: class, category, cause, next step, and whether a retry may help.

  --jsonl   read lines {"id","text","timed_out","tool"} from standard input and write
            {"id","class","category","recoverable","cause","next"} for each

Exit codes: 0 all classified, 1 a line could not be read, 2 bad usage`

export const failures: Command = {
  help: HELP,
  async run([verb, ...args], shell) {
    if (verb !== 'classify') throw new UsageError('Name an action: "capstan failures classify".')
    const { values, positionals } = parseFlags(args, {
      command: 'failures',
      options: { jsonl: { type: 'boolean' } },
      allowPositionals: true,
    })
    if (values.jsonl) {
      return answerLines(shell, (line) => {
        const { id = null, timed_out: timedOut, tool } = line
        const facts = { text: textField(line, 'text'), timedOut: timedOut === true }
        return { id, ...explain(typeof tool === 'string' ? { ...facts, tool } : facts) }
      })
    }
    const [text, ...more] = positionals
    if (text === undefined || more.length > 0) {
      throw new UsageError('Give one text in quotes, or --jsonl. See "capstan failures --help".')
    }
    shell.stdout.write(`${toJsonLine(explain({ text }))}\n`)
    return EXIT.done
  },
}

function explain(outcome: Parameters<typeof classifyOutcome>[0]): object {
  const { class: name, category, recoverable, cause, next } = classifyOutcome(outcome)
  return { class: name, category, recoverable, cause, next }
}
