import { createScrubStream, scrubSecrets } from '@capstan/harness/stages'
import { answerLines, textField } from './answer-lines.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'

const HELP = `Usage: capstan scrub           (text on standard input)
       capstan scrub --jsonl

Removes secrets from a text: keys, tokens, passwords, private keys. Everything else stays as it is.

  --jsonl   read lines {"id","text"} from standard input and write {"id","text"} for each

Exit codes: 0 all scrubbed, 1 a line could not be read, 2 bad usage`

export const scrub: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'scrub', options: { jsonl: { type: 'boolean' } } })
    if (values.jsonl) {
      return answerLines(shell, (line) => ({
        id: line['id'] ?? null,
        text: scrubSecrets(textField(line, 'text')),
      }))
    }
    const stream = createScrubStream()
    shell.stdin.setEncoding('utf8')
    for await (const chunk of shell.stdin) shell.stdout.write(stream.push(String(chunk)))
    shell.stdout.write(stream.end())
    return EXIT.done
  },
}
