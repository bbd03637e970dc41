import type { ToolkitView } from '@capstan/protocol'
import type { Column } from '../../render/draw-table.ts'
import { drawTable } from '../../render/draw-table.ts'
import { openAssistantAccess } from '../../server-access/assistant-access.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan toolkits [options]

Lists the apps and the state of each. Asks the running server; without one, reads the data folder.

${HOME_HELP}
  --json                one line of JSON per app

Exit codes: 0 done, 1 failed, 2 bad usage`

export const toolkits: Command = {
  summary: 'list the apps and their state',
  help: HELP,
  async run(args, shell) {
    const { values } = parseFlags(args, { command: 'toolkits', options: STORE_OPTIONS })
    const assistant = await openAssistantAccess(homeOf(values.home, shell.env), shell)
    try {
      const { toolkits: rows, authoritative } = await assistant.toolkits()
      if (values.json) writeJson(shell, ...rows)
      else if (rows.length === 0)
        writeLines(shell, ['No apps yet. Add an MCP server or a Composio key in the browser.'])
      else writeLines(shell, drawTable(rows, COLUMNS, shell))
      if (!authoritative)
        shell.stderr.write('capstan: Some apps did not answer; the list shows their last known state.\n')
      return EXIT.done
    } finally {
      await assistant.close()
    }
  },
}

const COLUMNS: readonly Column<ToolkitView>[] = [
  { title: 'TOOLKIT', cell: ({ slug }) => slug, paint: () => 'cyan' },
  { title: 'STATE', cell: toState },
  {
    title: 'ACCOUNT',
    cell: ({ connections }) => connections.map(({ label }) => label).join(', '),
  },
  { title: 'MAY', cell: toScopes },
  { title: 'NAME', cell: ({ name }) => name, fills: true },
]

function toState({ connections }: ToolkitView): string {
  const active = connections.find(({ status }) => status === 'active')
  return active ? 'connected' : (connections.at(-1)?.status ?? 'not connected')
}

function toScopes({ scopes }: ToolkitView): string {
  const allowed = (['read', 'write', 'admin'] as const).filter((scope) => scopes[scope])
  return allowed.join(', ') || 'nothing'
}
