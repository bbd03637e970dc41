import { resolve } from 'node:path'
import { runAgain } from '../../agent-folder/run-again.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { waitForStop } from '../../shell/wait-for-stop.ts'

const HELP = `Usage: capstan dev [folder] [-- options of "capstan serve"]

Runs the agent in a folder for a browser, and starts it again when one of its files changes. A turn that is running goes
on after the restart. The default is the current folder. Conversations are in .capstan in there, or in --home.

Exit codes: 0 stopped, 2 bad usage`

export const dev: Command = {
  help: HELP,
  async run(args, shell) {
    const end = args.indexOf('--')
    const own = end === -1 ? args : args.slice(0, end)
    const { values, positionals } = parseFlags(own, { command: 'dev', options: {}, allowPositionals: true })
    if (positionals.length > 1) throw new UsageError('Name one folder at most. See "capstan dev --help".')
    const folder = resolve(positionals[0] ?? '.')
    const home = values.home ?? resolve(folder, '.capstan')
    const more = [...(values.json ? ['--json'] : []), ...(end === -1 ? [] : args.slice(end + 1))]
    const serving = runAgain(folder, ['serve', '--agent', folder, '--home', home, ...more], (line) =>
      shell.stderr.write(`${line}\n`),
    )
    await waitForStop(shell)
    await serving.stop()
    return EXIT.done
  },
}
