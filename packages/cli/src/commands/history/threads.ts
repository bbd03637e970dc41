import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import type { ThreadHit } from '@capstan/harness'
import { explainThread, toJsonl, toMarkdown } from '@capstan/harness'
import type { RunRow, ThreadRow } from '@capstan/protocol'
import { wrap } from '../../terminal/display-width.ts'
import { drawTable } from '../../render/draw-table.ts'
import { drawThread } from '../../render/draw-thread.ts'
import { toPrintable, toPrintableLine } from '../../terminal/printable.ts'
import { isTerminal, paint, styleOf } from '../../terminal/style.ts'
import { toWhen } from '../../render/when.ts'
import type { ThreadEditor } from '../../server-access/thread-editor.ts'
import { withThreadEditor } from '../../server-access/thread-editor.ts'
import { EXIT } from '../../shell/exit-code.ts'
import { findThread, toShortIds } from '../../store-access/find-by-id.ts'
import { HOME_HELP, USER_ID } from '../../store-access/open-store.ts'
import { parseFlags } from '../../shell/parse-flags.ts'
import type { Command, Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { STORE_OPTIONS, toLimit, withStore, writeJson, writeLines } from '../../store-access/with-store.ts'

const HELP = `Usage: capstan threads [options]              the conversations, newest first
       capstan threads search <words>         those that hold all the words
       capstan threads show <id>              one of them, to read
       capstan threads export <id>            the same for a file
       capstan threads rename <id> <title>
       capstan threads archive|unarchive <id>
       capstan threads delete <id>            with everything in it

The beginning of an id is enough, as long as no other begins so.

${HOME_HELP}
  --json                lists as JSON lines, a single thing as one JSON object
  --limit <n>           list: how many at most; default 30
  --archived            list: the archived ones
  --format <name>       export: md (default) or jsonl, one message per line
  --out <file>          export: where to; default standard output
  --yes                 delete: do not ask

Exit codes: 0 done, 1 it could not be done, 2 bad usage`

const OPTIONS = {
  ...STORE_OPTIONS,
  limit: { type: 'string' },
  archived: { type: 'boolean' },
  format: { type: 'string' },
  out: { type: 'string' },
  yes: { type: 'boolean' },
} as const

interface Flags {
  readonly home?: string
  readonly json?: boolean
  readonly limit?: string
  readonly archived?: boolean
  readonly format?: string
  readonly out?: string
  readonly yes?: boolean
}

type Action = (words: readonly string[], flags: Flags, shell: Shell) => Promise<number>

export const threads: Command = {
  summary: 'list, read, search and export conversations',
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseFlags(args, {
      command: 'threads',
      options: OPTIONS,
      allowPositionals: true,
    })
    const [name = 'list', ...words] = positionals
    const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
    if (!action) throw new UsageError(`Threads cannot "${name}". See "capstan threads --help".`)
    return action(words, values, shell)
  },
}

const ACTIONS: Readonly<Record<string, Action>> = {
  list,
  search,
  show,
  export: exportThread,
  rename,
  archive: (words, flags, shell) => setArchived(words, flags, shell, true),
  unarchive: (words, flags, shell) => setArchived(words, flags, shell, false),
  delete: deleteThread,
}

async function list(words: readonly string[], flags: Flags, shell: Shell): Promise<number> {
  if (words.length > 0)
    throw new UsageError('A list takes no words. To find some, use "capstan threads search".')
  const limit = toLimit(flags.limit, 30)
  const archived = flags.archived ?? false
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const found = await store.threads.list({ userId: USER_ID, archived, limit: limit + 1 })
    const rows = found.slice(0, limit)
    if (flags.json) writeJson(shell, ...rows)
    else if (rows.length > 0) writeLines(shell, drawThreads(rows, await store.runs.unfinished(), shell))
    else if (archived) writeLines(shell, ['No thread is archived.'])
    else writeLines(shell, ['No threads yet. Begin one with "capstan chat".'])
    if (found.length > limit && !flags.json) writeLines(shell, ['', 'There are more: --limit shows them.'])
    return EXIT.done
  })
}

function drawThreads(
  rows: readonly ThreadRow[],
  unfinished: readonly RunRow[],
  shell: Shell,
): readonly string[] {
  const now = Date.now()
  const ids = toShortIds(rows.map(({ id }) => id))
  const states = new Map(unfinished.map(({ threadId, status }) => [threadId, status]))
  return drawTable(
    rows,
    [
      { title: 'THREAD', cell: ({ id }) => ids.get(id) ?? id, paint: () => 'cyan' },
      { title: 'UPDATED', cell: ({ updatedAt }) => toWhen(updatedAt, now) },
      ...(rows.some(({ id }) => states.has(id))
        ? [
            {
              title: 'STATE',
              cell: ({ id }: ThreadRow) => states.get(id) ?? '',
              paint: () => 'yellow' as const,
            },
          ]
        : []),
      { title: 'TITLE', cell: ({ title }) => title || '(untitled)', fills: true },
    ],
    shell,
  )
}

async function search(words: readonly string[], flags: Flags, shell: Shell): Promise<number> {
  if (words.join('').trim() === '') throw new UsageError('Search for what? Give one or more words.')
  const limit = toLimit(flags.limit, 30)
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const hits = await store.threads.search({ userId: USER_ID, words: words.join(' '), limit })
    if (flags.json) writeJson(shell, ...hits)
    else if (hits.length > 0) writeLines(shell, drawHits(hits, shell))
    else writeLines(shell, ['No thread holds all of that. Fewer words, or beginnings of words, find more.'])
    return EXIT.done
  })
}

function drawHits(hits: readonly ThreadHit[], { stdout, env }: Shell): readonly string[] {
  const style = styleOf(stdout, env)
  const ids = toShortIds(hits.map(({ thread }) => thread.id))
  return hits.flatMap(({ thread, excerpt }) => [
    `${paint(style, 'cyan', ids.get(thread.id) ?? thread.id)}  ${paint(style, 'bold', toPrintableLine(thread.title) || '(untitled)')}`,
    ...wrap(toPrintableLine(excerpt), style.width - 2).map((line) => `  ${paint(style, 'dim', line)}`),
  ])
}

async function show(words: readonly string[], flags: Flags, shell: Shell): Promise<number> {
  const id = onlyId(words, 'show')
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const thread = await findThread(store, id)
    const turns = explainThread(await store.ledger.read(thread.id))
    if (flags.json) {
      writeJson(shell, { thread, turns })
      return EXIT.done
    }
    const style = styleOf(shell.stdout, shell.env)
    writeLines(shell, [
      paint(style, 'bold', toPrintableLine(thread.title) || '(untitled)'),
      paint(style, 'dim', thread.id),
      '',
      ...(turns.length > 0 ? drawThread(turns, style) : ['Nothing has been said yet.']),
    ])
    return EXIT.done
  })
}

async function exportThread(words: readonly string[], flags: Flags, shell: Shell): Promise<number> {
  const id = onlyId(words, 'export')
  const format = flags.format ?? (flags.json ? 'jsonl' : 'md')
  if (format !== 'md' && format !== 'jsonl') throw new UsageError(`--format is md or jsonl, not "${format}".`)
  return withStore(shell, { home: flags.home, readOnly: true }, async (store) => {
    const thread = await findThread(store, id)
    const records = await store.ledger.read(thread.id)
    const text = (format === 'md' ? toMarkdown : toJsonl)(thread, records)
    if (flags.out === undefined) {
      shell.stdout.write(isTerminal(shell.stdout, shell.env) ? toPrintable(text) : text)
      return EXIT.done
    }
    await writeOut(flags.out, text)
    shell.stderr.write(`Written to ${toPrintableLine(flags.out)}.\n`)
    return EXIT.done
  })
}

async function writeOut(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new CommandError(`"${file}" could not be written (${code}).`)
  }
}

async function rename([id, ...words]: readonly string[], flags: Flags, shell: Shell): Promise<number> {
  const title = words.join(' ').trim()
  if (id === undefined || title === '') throw new UsageError('Give the id of the thread and its new title.')
  return change(id, flags, shell, async (editor, thread) => {
    await editor.rename(thread.id, title)
    return `Renamed to "${title}".`
  })
}

async function setArchived(
  words: readonly string[],
  flags: Flags,
  shell: Shell,
  archived: boolean,
): Promise<number> {
  const id = onlyId(words, archived ? 'archive' : 'unarchive')
  return change(id, flags, shell, async (editor, thread) => {
    await editor.archive(thread.id, archived)
    const name = nameOf(thread)
    return archived
      ? `Archived ${name}. "capstan threads --archived" shows it, "unarchive" brings it back.`
      : `${name} is back among the threads.`
  })
}

/** Does it, says so, and with `--json` answers with the thread as it is now. */
async function change(
  id: string,
  { home, json }: Flags,
  shell: Shell,
  apply: (editor: ThreadEditor, thread: ThreadRow) => Promise<string>,
): Promise<number> {
  return withThreadEditor(shell, home, async (store, editor) => {
    const thread = await findThread(store, id)
    const confirmation = await apply(editor, thread)
    if (json) writeJson(shell, await store.threads.get(thread.id))
    else writeLines(shell, [toPrintableLine(confirmation)])
    return EXIT.done
  })
}

async function deleteThread(words: readonly string[], flags: Flags, shell: Shell): Promise<number> {
  const id = onlyId(words, 'delete')
  const canAsk = shell.stdin.isTTY && isTerminal(shell.stdout, shell.env) && !flags.json
  if (!flags.yes && !canAsk) throw new UsageError('A deleted thread cannot be brought back: add --yes.')
  return withThreadEditor(shell, flags.home, async (store, editor) => {
    const thread = await findThread(store, id)
    if (!flags.yes && !(await confirm(`Delete ${nameOf(thread)} and everything in it for good?`, shell))) {
      writeLines(shell, ['Nothing was deleted.'])
      return EXIT.done
    }
    await editor.delete(thread.id)
    if (flags.json) writeJson(shell, { id: thread.id, deleted: true })
    else writeLines(shell, [`Deleted ${nameOf(thread)}.`])
    return EXIT.done
  })
}

async function confirm(question: string, { stdin, stdout }: Shell): Promise<boolean> {
  const lines = createInterface({ input: stdin })
  stdout.write(`${question} Type yes to do it: `)
  try {
    for await (const line of lines) return line.trim().toLowerCase() === 'yes'
    return false
  } finally {
    lines.close()
  }
}

const nameOf = ({ title, id }: ThreadRow): string => (title === '' ? id : `"${toPrintableLine(title)}"`)

function onlyId(words: readonly string[], action: string): string {
  const [id, ...more] = words
  if (id === undefined || id === '' || more.length > 0)
    throw new UsageError(`Give the id of one thread: capstan threads ${action} <id>.`)
  return id
}
