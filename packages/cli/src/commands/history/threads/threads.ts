import { parseFlags } from '../../../shell/parse-flags.ts'
import type { Command } from '../../../shell/shell.ts'
import { UsageError } from '../../../shell/shell.ts'
import { HOME_HELP } from '../../../store-access/open-store.ts'
import { archiveThread, deleteThread, renameThread, setQueueMode, unarchiveThread } from './edit-thread.ts'
import { exportThread } from './export-thread.ts'
import { listThreads } from './list-threads.ts'
import { searchThreads } from './search-threads.ts'
import { showThread } from './show-thread.ts'
import type { ThreadAction } from './thread-action.ts'
import { THREAD_OPTIONS } from './thread-action.ts'

const HELP = `Usage: capstan threads [options]              list threads, newest first
       capstan threads search <words>         list threads that contain all the words
       capstan threads show <id>              print one thread
       capstan threads export <id>            write one thread as Markdown or JSON lines
       capstan threads rename <id> <title>
       capstan threads archive|unarchive <id>
       capstan threads queue <id> <mode>      what messages do that wait for a running turn:
                                              collect, one-by-one, interrupt or default
       capstan threads delete <id>            delete a thread and everything in it

The start of an id is enough, if only one id starts with it.

${HOME_HELP}
  --json                lists as JSON lines, a single thread as one JSON object
  --limit <n>           list, search: the most threads to print; default 30
  --archived            list: the archived threads
  --format <name>       export: md (default) or jsonl, one message per line
  --out <file>          export: the file to write; default standard output
  --yes                 delete: do not ask

Exit codes: 0 done, 1 failed, 2 bad usage`

const ACTIONS: Readonly<Record<string, ThreadAction>> = {
  list: listThreads,
  search: searchThreads,
  show: showThread,
  export: exportThread,
  rename: renameThread,
  archive: archiveThread,
  unarchive: unarchiveThread,
  queue: setQueueMode,
  delete: deleteThread,
}

export const threads: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'threads',
      options: THREAD_OPTIONS,
      allowPositionals: true,
    })
    const [name = 'list', ...words] = positionals
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action) throw new UsageError(`There is no action "${name}". See "capstan threads --help".`)
    return action(words, values, shell)
  },
}
