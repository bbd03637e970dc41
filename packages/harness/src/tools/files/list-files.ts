import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Tool } from '../../turn/tool/tool.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import { succeed } from '../../turn/tool/tool-outcome.ts'
import { labelled } from '../labelled.ts'
import { toFileFailure, unsupportedFile } from './file-failure.ts'
import type { FileRules } from './locate.ts'
import { locate } from './locate.ts'
import { createPathMatcher } from './match-path.ts'
import { openFolder } from './open-inside.ts'
import { entriesOf, walk } from './walk.ts'

const MAX_LISTED = 1_000

/** Lists one folder, or everything below it that fits a pattern. */
export function createListFilesTool(rules: FileRules): Tool {
  return defineTool({
    name: 'list_files',
    description:
      'List a folder. With a pattern such as *.ts or src/**/*.{ts,tsx}: the files below it that fit, except in .git ' +
      `and node_modules. At most ${MAX_LISTED}. Folders end in /.`,
    effect: 'read',
    resultsFrom: 'file',
    returns: ['private', 'untrusted'], // whoever made a file chose its name
    destinations: [],
    input: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'The folder, relative to the working folder. Default: the working folder.',
        },
        pattern: { type: 'string', description: '* and ? within a name, ** over folders, {a,b} either.' },
      },
      additionalProperties: false,
    },
    label: labelled('List files', 'path', '.'),
    async run(args, { signal }) {
      const { path = '.', pattern } = args as { path?: string; pattern?: string }
      const place = await locate(path, rules, { forWriting: false })
      if ('refusal' in place) return place.refusal
      try {
        if (!(await lstat(place.path)).isDirectory()) return unsupportedFile(path, 'is not a folder')
      } catch (error) {
        return toFileFailure(path, error)
      }
      // The walk goes through the folder that was checked, also when its path is changed meanwhile.
      const folder = await openFolder(place.path, path, rules.roots)
      if ('refusal' in folder) return folder.refusal
      try {
        const listed =
          pattern === undefined ? listFolder(folder.at('.')) : listFitting(folder.at('.'), pattern, signal)
        const { lines, isCut } = await listed
        if (lines.length === 0)
          return succeed(pattern === undefined ? '(the folder is empty)' : '(nothing fits)')
        return succeed(
          lines.join('\n') + (isCut ? '\n[there are more: name a folder or a narrower pattern]' : ''),
        )
      } finally {
        await folder.close()
      }
    },
  })
}

interface Listed {
  readonly lines: readonly string[]
  readonly isCut: boolean
}

async function listFolder(folder: string): Promise<Listed> {
  const entries = await entriesOf(folder)
  const lines = await Promise.all(
    entries.slice(0, MAX_LISTED).map(async (entry) => {
      if (entry.isDirectory()) return `${entry.name}/`
      if (entry.isSymbolicLink()) return `${entry.name} (a link)`
      if (!entry.isFile()) return `${entry.name} (not a file)`
      return `${entry.name} (${await sizeOf(join(folder, entry.name))})`
    }),
  )
  return { lines, isCut: entries.length > MAX_LISTED }
}

async function listFitting(folder: string, pattern: string, signal: AbortSignal): Promise<Listed> {
  const fits = createPathMatcher(pattern)
  const lines: string[] = []
  const steps = walk(folder, signal)
  for (let step = await steps.next(); ; step = await steps.next()) {
    if (step.done) return { lines, isCut: step.value.isCut }
    const { shown, entry } = step.value
    if (entry.isDirectory() || !fits(shown)) continue
    if (lines.length === MAX_LISTED) return { lines, isCut: true }
    lines.push(shown)
  }
}

async function sizeOf(path: string): Promise<string> {
  try {
    return `${(await lstat(path)).size} bytes`
  } catch {
    return 'gone'
  }
}
