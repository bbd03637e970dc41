import { findServer } from '../../server-access/server-file.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { CommandError } from '../../shell/shell.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan login [options]

Prints a link that logs a browser in to the running server. It works once, within an hour.

${HOME_HELP}
  --json                print it as one line of JSON

Exit codes: 0 done, 1 no server is running, 2 bad usage`

export const login: Command = {
  summary: 'print a new login link for the running server',
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'login', options: STORE_OPTIONS })
    const home = homeOf(values.home, shell.env)
    const server = findServer(home)
    if (!server) throw new CommandError(`No server is running for ${home}. Start one with "capstan serve".`)
    const { mintTicket } = await import('@capstan/server')
    const link = `${server.url}/login?ticket=${mintTicket(home)}`
    if (values.json) writeJson(shell, { url: server.url, link })
    else writeLines(shell, [link])
    return EXIT.done
  },
}
