import { join, resolve } from 'node:path'
import { buildAgentFolder, BUILT } from '../../agent-folder/build-agent-folder.ts'
import { readAgentFolder } from '../../agent-folder/read-agent-folder.ts'
import { readEnvironmentFile } from '../../agent-folder/environment-file.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan build [folder]

Checks the agent in a folder, and writes it to dist/ in there as plain JavaScript. "capstan serve --agent dist" runs that.
The default is the current folder.

  --json    print the folder and its files as one line of JSON

Exit codes: 0 built, 1 a file cannot be used, 2 bad usage`

export const build: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'build',
      options: {},
      allowPositionals: true,
    })
    const folder = resolve(positionals[0] ?? '.')
    readEnvironmentFile(folder)
    // Once as it was written, so that problems name the files of the author, and once as it will run.
    await readAgentFolder(folder, shell.env)
    const files = await buildAgentFolder(folder)
    const built = join(folder, BUILT)
    const { tools, agents, presets } = await readAgentFolder(built, shell.env)
    if (values.json) writeJson(shell, { folder: built, files })
    else {
      const counts = [
        [tools.length, 'tool'],
        [agents.length, 'sub-agent'],
        [presets.length, 'connection'],
      ] as const
      writeLines(shell, [
        `Built ${built}: ${counts.map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`).join(', ')}.`,
      ])
    }
    return EXIT.done
  },
}
