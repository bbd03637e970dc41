import type { MemoryFact } from '@capstan/protocol'
import { MAX_FACT_CHARS } from '@capstan/protocol'
import { drawTable } from '../../render/draw-table.ts'
import { toWhen } from '../../render/when.ts'
import { EXIT } from '../../shell/exit-code.ts'
import type { Shell } from '../../shell/shell.ts'
import { CommandError, UsageError } from '../../shell/shell.ts'
import { writeJson, writeLines } from '../../shell/write.ts'
import { USER_ID } from '../../store-access/open-store.ts'
import { withStore } from '../../store-access/with-store.ts'
import type { MemoryEditor } from './change-memory.ts'
import { withMemoryEditor } from './change-memory.ts'
import type { MemoryAction, MemoryFlags } from './memory-action.ts'
import { refuseWords } from './memory-action.ts'

/** `capstan memory facts …`: what is known about the person. */
export const manageFacts: MemoryAction = async ([name = 'list', ...words], flags, shell) => {
  switch (name) {
    case 'list':
      refuseWords(words, 'facts list')
      return listFacts(flags, shell)
    case 'add':
      return addFact(words.join(' '), flags, shell)
    case 'accept':
      return answerFacts(words, 'accepted', flags, shell)
    case 'reject':
      return answerFacts(words, 'rejected', flags, shell)
    case 'forget':
      return forgetFacts(words, flags, shell)
    default:
      throw new UsageError(`There is no action "facts ${name}". See "capstan memory --help".`)
  }
}

async function listFacts(flags: MemoryFlags, shell: Shell): Promise<number> {
  return withStore(shell, { home: flags.home, readOnly: true }, async ({ memory }) => {
    const all = await memory.facts.list(USER_ID)
    const facts = all.toSorted((a, b) => Number(isWaiting(b)) - Number(isWaiting(a)))
    if (flags.json) writeJson(shell, ...facts)
    else if (facts.length === 0)
      writeLines(shell, [
        'No facts are known.',
        'Add one: capstan memory facts add "I prefer short answers."',
      ])
    else writeLines(shell, drawFacts(facts, shell))
    return EXIT.done
  })
}

const isWaiting = ({ status }: MemoryFact): boolean => status === 'proposed'

function drawFacts(facts: readonly MemoryFact[], shell: Shell): readonly string[] {
  const now = Date.now()
  return drawTable(
    facts,
    [
      { title: 'FACT', cell: ({ id }) => id, paint: () => 'cyan' },
      { title: 'STATUS', cell: ({ status }) => status },
      { title: 'WHEN', cell: ({ changedAt }) => toWhen(changedAt, now) },
      {
        title: 'TEXT',
        cell: ({ text, origin }) => (origin.isUntrusted ? `${text} (after reading text of others)` : text),
        fills: true,
      },
    ],
    shell,
  )
}

async function addFact(given: string, flags: MemoryFlags, shell: Shell): Promise<number> {
  const text = given.replaceAll(/\s+/g, ' ').trim()
  if (text === '' || text.length > MAX_FACT_CHARS)
    throw new UsageError(`Give a text of 1 to ${MAX_FACT_CHARS} characters.`)
  return withMemoryEditor(shell, flags.home, async (memory) => {
    const fact = await memory.addFact(text)
    if (flags.json) writeJson(shell, fact)
    else writeLines(shell, [`Added ${fact.id}. New conversations know it.`])
    return EXIT.done
  })
}

async function answerFacts(
  ids: readonly string[],
  status: 'accepted' | 'rejected',
  flags: MemoryFlags,
  shell: Shell,
): Promise<number> {
  requireIds(ids)
  return withMemoryEditor(shell, flags.home, async (memory) => {
    await requireFacts(memory, ids)
    for (const id of ids) {
      const fact = await memory.changeFact(id, { status })
      if (flags.json && fact) writeJson(shell, fact)
      else writeLines(shell, [`${id} is ${status}.`])
    }
    return EXIT.done
  })
}

async function forgetFacts(ids: readonly string[], flags: MemoryFlags, shell: Shell): Promise<number> {
  requireIds(ids)
  if (!flags.yes) throw new UsageError('What is forgotten cannot be restored: add --yes.')
  return withMemoryEditor(shell, flags.home, async (memory) => {
    await requireFacts(memory, ids)
    const forgotten = await memory.forgetFacts(ids)
    if (flags.json) writeJson(shell, { forgotten })
    else writeLines(shell, [`Forgot ${forgotten} ${forgotten === 1 ? 'fact' : 'facts'}.`])
    return EXIT.done
  })
}

function requireIds(ids: readonly string[]): void {
  if (ids.length === 0) throw new UsageError('Give the ids of facts. See "capstan memory facts".')
}

/** Checked before the first one is changed. */
async function requireFacts(memory: MemoryEditor, ids: readonly string[]): Promise<void> {
  const known = new Set((await memory.facts()).map(({ id }) => id))
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined)
    throw new CommandError(`There is no fact "${missing}". Nothing was changed.`, { class: 'not_found' })
}
