import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command } from '../../shell/shell.ts'
import { UsageError } from '../../shell/shell.ts'
import { HOME_HELP } from '../../store-access/open-store.ts'
import { manageFacts } from './facts.ts'
import { forgetItems } from './forget-items.ts'
import { importItems } from './import-items.ts'
import { exportItems, listItems, showItem } from './list-items.ts'
import type { MemoryAction } from './memory-action.ts'
import { MEMORY_OPTIONS } from './memory-action.ts'
import { searchItems } from './search-items.ts'

const HELP = `Usage: capstan memory [list]                      list what is remembered of apps, newest first
       capstan memory search <words>              find items; a score below 0.5 is a weak match
       capstan memory search --jsonl              read lines {"id","q"} and write {"id","hits":[{"id","score"}]}
       capstan memory show <id>                   print one item
       capstan memory import --jsonl [file|-]     read items, one JSON object per line
       capstan memory export                      write all items as lines that "import" reads
       capstan memory forget <id...>              delete items
       capstan memory forget --app <name>         delete all items of an app
       capstan memory facts [list]                list facts about you; proposed ones wait for your answer
       capstan memory facts add <text>            add a fact that new conversations know
       capstan memory facts accept|reject <id...> answer proposed facts
       capstan memory facts forget <id...>        delete facts

An item has "id", "app", "title" and "text", and may have "at" (ISO time), "people", "url", "account", "externalId",
"version" and "seenAt". An item with the id of another replaces it.

${HOME_HELP}
  --json                lists as JSON lines, a single item as one JSON object
  --limit <n>           list, search: the most items; default 30, for search 5
  --app <name>          list, export, forget: only items of this app
  --account <name>      with --app: only items of this account
  --yes                 forget: needed, because nothing can be restored

With an embedding model (CAPSTAN_EMBEDDING_MODEL, or the one in the settings), search also finds other words for the same.

Exit codes: 0 done, 1 failed or a line could not be read, 2 bad usage`

const ACTIONS: Readonly<Record<string, MemoryAction>> = {
  list: listItems,
  search: searchItems,
  show: showItem,
  import: importItems,
  export: exportItems,
  forget: forgetItems,
  facts: manageFacts,
}

export const memory: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'memory',
      options: MEMORY_OPTIONS,
      allowPositionals: true,
    })
    const [name = 'list', ...words] = positionals
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action) throw new UsageError(`There is no action "${name}". See "capstan memory --help".`)
    return action(words, values, shell)
  },
}
