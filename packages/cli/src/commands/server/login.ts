import { existsSync } from 'node:fs'
import { findServer } from '../../server-access/server-file.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { HOME_HELP, homeOf, refuseBesideNodes } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

/** For a link that is meant for somebody else. */
export const LOCAL_ONLY =
  'The link works on this machine only: no other address of the server is known. "capstan serve --origin <url>" names one.'

const HELP = `Usage: capstan login [options]

Prints a link that logs a browser in to the running server. It works once, within an hour.
The page of the link asks first. A browser that is logged in already becomes fresh again:
it may then change for ten minutes what reaches the machine.
With --token it prints the install token instead, for programs. The token acts as the
owner, does not expire and needs no running server. Only a user who can read the data
folder can print it: keep it secret.

  --user <name>         log in as this member instead of the owner; adds the member if needed
  --token               print the install token: Authorization: Bearer <token>
${HOME_HELP}
  --json                print it as one line of JSON

Exit codes: 0 done, 1 no server is running or there is no data folder, 2 bad usage`

const OPTIONS = { ...STORE_OPTIONS, token: { type: 'boolean' }, user: { type: 'string' } } as const

export const login: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'login', options: OPTIONS })
    const home = homeOf(values.home, shell.env)
    if (values.token) {
      if (values.user !== undefined) throw new UsageError('--token is of the owner: leave out --user.')
      if (!findServer(home)) refuseBesideNodes(shell.env)
      // A wrong folder must not get a token of its own, which no server knows.
      if (!existsSync(home))
        throw new CommandError(`There is no data in ${home} yet. Start with "capstan serve".`)
      const { openAuth } = await import('@capstan/server')
      const { token } = openAuth({ folder: home })
      if (values.json) writeJson(shell, { token })
      else writeLines(shell, [token])
      return EXIT.done
    }
    const server = findServer(home)
    if (!server) {
      refuseBesideNodes(shell.env)
      throw new CommandError(`No server is running for ${home}. Start one with "capstan serve".`)
    }
    const { checkUserName, isLocalOrigin, mintTicket } = await import('@capstan/server')
    const { user } = values
    if (user !== undefined) checkUserName(user)
    const url = user === undefined && !server.isNode ? server.url : server.linkUrl
    const link = `${url}/login?ticket=${mintTicket(home, user)}`
    const isLocalOnly = isLocalOrigin(url)
    if (values.json) writeJson(shell, { url, link, isLocalOnly })
    else writeLines(shell, [link])
    if (user !== undefined && isLocalOnly && !values.json) shell.stderr.write(`${LOCAL_ONLY}\n`)
    return EXIT.done
  },
}
