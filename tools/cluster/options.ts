import { parseArgs } from 'node:util'
import type { Role } from './start-node.ts'

export const HELP = `Starts PostgreSQL from npm, several nodes and a reverse proxy on this machine, and prints one link.

npm run cluster -- [options] [-- options of "capstan serve"]

  --nodes N        nodes (3)
  --roles a,b,c    what each node does: all, web or worker; default: all. Sets the number of nodes
  --port N         the port of the proxy; 0 takes any free port (4100)
  --home <folder>  keeps the database and the secrets there; default: a temporary folder
  --json           print the addresses as one line of JSON
  --help

Each request and each socket goes to another node. Ctrl-C stops everything; a second one does not wait for turns.
`

const ROLES = ['all', 'web', 'worker'] as const
const MAX_NODES = 32

export interface CommandLine {
  readonly roles: readonly Role[]
  readonly port: number
  readonly home: string | undefined
  readonly json: boolean
  readonly help: boolean
  readonly args: readonly string[]
}

/** Throws an `Error` with a sentence for options that cannot be used. */
export function readCommandLine(argv: readonly string[]): CommandLine {
  // What stands after `--` is not ours.
  const end = argv.indexOf('--')
  const { values } = parseArgs({
    args: end === -1 ? [...argv] : argv.slice(0, end),
    options: {
      nodes: { type: 'string' },
      roles: { type: 'string' },
      port: { type: 'string', default: '4100' },
      home: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const { home, json, help } = values
  const args = end === -1 ? [] : argv.slice(end + 1)
  return { roles: readRoles(values.nodes, values.roles), port: readPort(values.port), home, json, help, args }
}

function readRoles(nodes: string | undefined, roles: string | undefined): readonly Role[] {
  const count = nodes === undefined ? undefined : Number(nodes)
  if (count !== undefined && (!Number.isInteger(count) || count < 1 || count > MAX_NODES))
    throw new Error(`--nodes is a whole number from 1 to ${MAX_NODES}, not "${nodes}".`)
  if (roles === undefined) return Array.from({ length: count ?? 3 }, () => 'all' as const)
  const named = roles.split(',').map((name) => {
    const role = ROLES.find((known) => known === name.trim())
    if (role === undefined) throw new Error(`--roles has all, web and worker, not "${name}".`)
    return role
  })
  if (count !== undefined && count !== named.length)
    throw new Error(`--roles names ${named.length} nodes, and --nodes says ${count}.`)
  if (named.every((role) => role === 'worker'))
    throw new Error('--roles needs a node that answers browsers: web or all.')
  if (named.every((role) => role === 'web'))
    throw new Error('--roles needs a node that runs turns: worker or all.')
  return named
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new Error(`--port is a whole number from 0 to 65535, not "${text}".`)
  return port
}
