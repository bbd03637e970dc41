import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { toTemplate } from '../../agent-folder/template.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan init <folder>

Writes a new agent to a folder that does not exist yet: instructions.md, tools/*.ts, agents/*.md, connections.json and a
package.json with "npm run dev", "npm run build" and "npm start". The last part of the folder is its name.

  --json    print the folder and its files as one line of JSON

Exit codes: 0 written, 1 could not be written, 2 bad usage`

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/

export const init: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, { command: 'init', options: {}, allowPositionals: true })
    const [named, ...more] = positionals
    if (named === undefined || more.length > 0)
      throw new UsageError('Name one folder, such as "capstan init my-agent".')
    const folder = resolve(named)
    const name = basename(folder)
    if (!NAME.test(name))
      throw new UsageError(
        `"${name}" cannot be the name of a package: use lower case letters, digits, ".", "_" and "-", and start with a letter or digit.`,
      )
    await refuseExisting(folder)
    const files = toTemplate(name)
    try {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        await writeFile(join(folder, path), text, { flag: 'wx' })
      }
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      throw new CommandError(`${folder} cannot be written (${code}).`)
    }
    if (values.json) writeJson(shell, { folder, files: Object.keys(files) })
    else
      writeLines(shell, [
        `Wrote an agent to ${folder}. Next:`,
        `  cd ${named}`,
        '  npm install',
        '  npm run dev',
      ])
    return EXIT.done
  },
}

/** An empty folder will do. */
async function refuseExisting(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CommandError(`${folder} exists and is not a folder that can be read (${error.code}).`)
  })
  if (found.length > 0)
    throw new CommandError(`${folder} exists and is not empty: name a folder that does not exist yet.`)
}
