import type { ActionRow, ToolkitView } from '@capstan/protocol'
import type { Column } from '../../render/draw-table.ts'
import { drawTable } from '../../render/draw-table.ts'
import type { AssistantAccess } from '../../server-access/assistant-access.ts'
import { openAssistantAccess } from '../../server-access/assistant-access.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { HOME_HELP, homeOf } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { toPrintableLine } from '../../terminal/printable.ts'
import { STORE_OPTIONS } from '../../store-access/with-store.ts'
import { writeJson, writeLines } from '../../shell/write.ts'

const HELP = `Usage: capstan toolkits                                    list the apps and the state of each
       capstan toolkits actions <toolkit>                  list the actions of a connected app
       capstan toolkits effect <toolkit> <action> <effect> set what an action counts as
       capstan toolkits trust <toolkit> <on|off>           believe what an MCP server says about its actions

Asks the running server; without one, reads the data folder. An effect is read, write or admin; "default" takes your
choice back. A choice holds until the definition of the action changes.

${HOME_HELP}
  --json                lists: one line of JSON per app or action; changes: one JSON object

Exit codes: 0 done, 1 failed, 2 bad usage`

export const toolkits: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'toolkits',
      options: STORE_OPTIONS,
      allowPositionals: true,
    })
    const work = toWork(positionals, { shell, json: values.json === true })
    const assistant = await openAssistantAccess(homeOf(values.home, shell.env), shell)
    try {
      await work(assistant)
      return EXIT.done
    } finally {
      await assistant.close()
    }
  },
}

type Work = (assistant: AssistantAccess) => Promise<void>

interface Output {
  readonly shell: Shell
  readonly json: boolean
}

function toWork([verb = 'list', ...words]: readonly string[], output: Output): Work {
  switch (verb) {
    case 'list':
      takeWords(words, 0)
      return (assistant) => listToolkits(assistant, output)
    case 'actions': {
      const [toolkit] = takeWords(words, 1)
      return (assistant) => listActions(assistant, toolkit!, output)
    }
    case 'effect':
      return toEffectWork(words, output)
    case 'trust':
      return toTrustWork(words, output)
    default:
      throw new UsageError(`There is no action "${toPrintableLine(verb)}". See "capstan toolkits --help".`)
  }
}

function takeWords(words: readonly string[], count: number): readonly string[] {
  if (words.length !== count)
    throw new UsageError('There are too few or too many words. See "capstan toolkits --help".')
  return words
}

function toEffectWork(words: readonly string[], { shell, json }: Output): Work {
  const [toolkit, action, wanted] = takeWords(words, 3)
  const effect = wanted === 'default' ? null : EFFECTS.find((one) => one === wanted)
  if (effect === undefined) throw new UsageError('An effect is read, write, admin or default.')
  return async (assistant) => {
    await assistant.setActionEffect(toolkit!, action!, effect)
    const row = (await assistant.actions(toolkit!)).find(({ name }) => name === action)
    if (json) writeJson(shell, row)
    else if (row) writeLines(shell, [`${row.name} counts as ${row.effect} now (${REASONS[row.because]}).`])
  }
}

function toTrustWork(words: readonly string[], { shell, json }: Output): Work {
  const [toolkit, wanted] = takeWords(words, 2)
  if (wanted !== 'on' && wanted !== 'off') throw new UsageError('Say "on" or "off".')
  return async (assistant) => {
    const { slug, name, isTrusted = false } = await assistant.setTrust(toolkit!, wanted === 'on')
    if (json) writeJson(shell, { slug, isTrusted })
    else
      writeLines(shell, [
        isTrusted
          ? `What ${toPrintableLine(name)} says about its actions counts now, unless a name says otherwise.`
          : `What ${toPrintableLine(name)} says about its actions no longer counts.`,
      ])
  }
}

async function listToolkits(assistant: AssistantAccess, { shell, json }: Output): Promise<void> {
  const { toolkits: rows, authoritative } = await assistant.toolkits()
  if (json) writeJson(shell, ...rows)
  else if (rows.length === 0)
    writeLines(shell, ['No apps yet. Add an MCP server or a Composio key in the browser.'])
  else writeLines(shell, drawTable(rows, COLUMNS, shell))
  if (!authoritative)
    shell.stderr.write('capstan: Some apps did not answer; the list shows their last known state.\n')
}

async function listActions(
  assistant: AssistantAccess,
  toolkit: string,
  { shell, json }: Output,
): Promise<void> {
  const rows = await assistant.actions(toolkit)
  if (json) writeJson(shell, ...rows)
  else if (rows.length === 0) writeLines(shell, ['This app has no actions.'])
  else writeLines(shell, drawTable(rows, ACTION_COLUMNS, shell))
}

const EFFECTS = ['read', 'write', 'admin'] as const

const REASONS: Readonly<Record<ActionRow['because'], string>> = {
  name: 'by its name',
  claim: 'claimed by the app',
  user: 'set by you',
  code: 'declared in code',
  changed: 'its definition has changed',
}

const ACTION_COLUMNS: readonly Column<ActionRow>[] = [
  { title: 'ACTION', cell: ({ name }) => name, paint: () => 'cyan' },
  { title: 'EFFECT', cell: ({ effect }) => effect },
  { title: 'WHY', cell: ({ because }) => REASONS[because] },
  { title: 'DESCRIPTION', cell: ({ description }) => description, fills: true },
]

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
