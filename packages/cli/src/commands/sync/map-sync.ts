import { text as readText } from 'node:stream/consumers'
import type { McpServerRow, ProposedMapping, SyncMapping } from '@capstan/protocol'
import type { CallServer } from '../../server-access/call-server.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { openInput } from '../../shell/open-input.ts'
import type { Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import type { SyncFlags } from './sync-flags.ts'

/** Throws `UsageError` when the options of `map` do not fit together, or are given to another action. */
export function checkMapFlags(action: string, server: string | undefined, flags: SyncFlags): void {
  const given = [flags.propose, flags.file !== undefined, flags.remove].filter(Boolean).length
  if (action !== 'map') {
    if (given > 0) throw new UsageError('--propose, --file and --remove belong to "capstan sync map".')
    return
  }
  if (server === undefined) throw new UsageError('Name the server: capstan sync map <server>.')
  if (given > 1) throw new UsageError('Give one of --propose, --file and --remove.')
}

/** `capstan sync map <server>`: prints, proposes, sets or removes how its items become items in memory. */
export async function mapSync(
  call: CallServer,
  slug: string,
  flags: SyncFlags,
  shell: Shell,
): Promise<number> {
  const server = await findServer(call, slug)
  if (flags.propose) return propose(call, server, flags, shell)
  if (flags.file !== undefined) return set(call, server, await readMapping(flags.file, shell), flags, shell)
  if (flags.remove) {
    await call((api) => api.changeMcpServer(slug, { sync: null }))
    if (flags.json) writeJson(shell, { sync: null })
    else writeLines(shell, ['The mapping was removed. What was synced is kept.'])
    return EXIT.done
  }
  if (flags.json) writeJson(shell, { sync: server.sync ?? null })
  else writeLines(shell, server.sync ? drawMapping(server.sync) : noMapping(slug))
  return EXIT.done
}

async function findServer(call: CallServer, slug: string): Promise<McpServerRow> {
  const { servers } = await call((api) => api.mcpServers())
  const found = servers.find((server) => server.slug === slug)
  if (found) return found
  const known = servers.map((server) => server.slug).join(', ')
  throw new CommandError(`There is no added MCP server "${slug}".`, {
    class: 'not_found',
    next: known === '' ? 'Add one on the Connections page.' : `Added are: ${known}.`,
  })
}

async function propose(
  call: CallServer,
  { slug }: McpServerRow,
  { json }: SyncFlags,
  shell: Shell,
): Promise<number> {
  const { proposals } = await call((api) => api.proposeMappings(slug))
  if (json) writeJson(shell, ...proposals)
  else if (proposals.length === 0)
    writeLines(shell, [
      'No actions that clearly list and read items were found. Write a mapping yourself, and give it to --file.',
    ])
  else writeLines(shell, [...proposals.flatMap(drawProposal), 'Nothing was set: give a mapping to --file.'])
  return EXIT.done
}

async function set(
  call: CallServer,
  { slug }: McpServerRow,
  sync: SyncMapping,
  { json }: SyncFlags,
  shell: Shell,
): Promise<number> {
  const changed = await call((api) => api.changeMcpServer(slug, { sync }))
  if (json) writeJson(shell, { sync: changed.sync ?? null })
  else writeLines(shell, ['The mapping was set. "capstan sync on <account>" says what a sync needs.'])
  return EXIT.done
}

/** The server checks it. */
async function readMapping(file: string, shell: Shell): Promise<SyncMapping> {
  const text = await readText(await openInput(file, shell))
  try {
    return JSON.parse(text) as SyncMapping
  } catch {
    throw new CommandError(`"${file}" is not JSON. Nothing was changed.`, { class: 'invalid_input' })
  }
}

const noMapping = (slug: string): readonly string[] => [
  `"${slug}" has no mapping. "capstan sync map ${slug} --propose" guesses some.`,
]

const drawProposal = ({ mapping, unsure }: ProposedMapping): readonly string[] => [
  ...drawMapping(mapping),
  ...(unsure.length > 0 ? [`Guessed, please check: ${unsure.join(', ')}`] : []),
  '',
]

/** In words, and as it is written to a file. */
function drawMapping(mapping: SyncMapping): readonly string[] {
  const { list, read } = mapping
  const words = read
    ? `"${list.action}" lists the items, "${read.action}" reads each text.`
    : `"${list.action}" lists the items with their texts.`
  return [toPrintableLine(words), ...JSON.stringify(mapping, null, 2).split('\n').map(toPrintableLine)]
}
