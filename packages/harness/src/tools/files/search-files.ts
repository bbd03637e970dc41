import { lstat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Tool } from '../../turn/tool/tool.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import { fail, succeed } from '../../turn/tool/tool-outcome.ts'
import { labelled } from '../labelled.ts'
import { toFileFailure } from './file-failure.ts'
import type { FileRules } from './locate.ts'
import { locate } from './locate.ts'
import { openForReading, readPart } from './open-inside.ts'
import { isSecretFile } from './special-names.ts'
import type { Found } from './walk.ts'
import { walk } from './walk.ts'

const MAX_MATCHES = 200
const MAX_FILE_BYTES = 4 * 1024 * 1024
const MAX_TOTAL_BYTES = 512 * 1024 * 1024
const MAX_LINE_CHARS = 300
const NEW_LINE = 0x0a

/** Finds a literal text in files. It takes no pattern, because a pattern could take too long. */
export function createSearchFilesTool(rules: FileRules): Tool {
  return defineTool({
    name: 'search_files',
    description:
      'Find a text in files, exactly as written, upper and lower case told apart. Gives file:line: text, at most ' +
      `${MAX_MATCHES}. Binary files, files above ${MAX_FILE_BYTES / 1024 / 1024} MB, .git and node_modules are left out.`,
    effect: 'read',
    resultsFrom: 'file',
    returns: ['private', 'untrusted'],
    destinations: [],
    input: {
      type: 'object',
      properties: {
        pattern: {
          type: 'string',
          maxLength: 1_000,
          description: 'The text to find. Not a regular expression.',
        },
        path: { type: 'string', description: 'A folder or a file. Default: the working folder.' },
      },
      required: ['pattern'],
      additionalProperties: false,
    },
    label: labelled('Search files', 'pattern'),
    async run(args, { signal }) {
      const { pattern, path = '.' } = args as { pattern: string; path?: string }
      if (pattern === '') return fail('The text to find is empty.', { errorCode: 'invalid_arguments' })
      const place = await locate(path, rules, { forWriting: false })
      if ('refusal' in place) return place.refusal
      let isFile: boolean
      try {
        isFile = !(await lstat(place.path)).isDirectory()
      } catch (error) {
        return toFileFailure(path, error)
      }
      const prefix = isFile || place.shown === '.' ? '' : `${place.shown}/`
      const search = new Search(Buffer.from(pattern), rules, prefix)
      if (isFile) await search.look({ path: place.path, shown: place.shown })
      else {
        for await (const found of walk(place.path, signal)) {
          if (found.entry.isFile()) await search.look(found)
          if (search.isFull) break
        }
      }
      return succeed(search.report())
    },
  })
}

class Search {
  readonly #wanted: Buffer
  readonly #rules: FileRules
  readonly #prefix: string
  readonly #lines: string[] = []
  #files = 0
  #left = 0
  #bytes = 0

  constructor(wanted: Buffer, rules: FileRules, prefix: string) {
    this.#wanted = wanted
    this.#rules = rules
    this.#prefix = prefix
  }

  get isFull(): boolean {
    return this.#lines.length >= MAX_MATCHES || this.#bytes > MAX_TOTAL_BYTES
  }

  async look({ path, shown }: Pick<Found, 'path' | 'shown'>): Promise<void> {
    if (!this.#rules.allowSecretFiles && isSecretFile(basename(path))) return
    const opened = await openForReading({ path, shown, exists: true }, this.#rules.roots)
    if ('refusal' in opened) return
    try {
      if (opened.bytes > MAX_FILE_BYTES) {
        this.#left++
        return
      }
      const content = await readPart(opened.file, 0, opened.bytes)
      this.#bytes += content.length
      if (content.subarray(0, 8_192).includes(0)) return
      this.#files++
      this.#find(content, this.#prefix + shown)
    } finally {
      await opened.file.close()
    }
  }

  #find(content: Buffer, shown: string): void {
    let line = 1
    let counted = 0
    for (let at = content.indexOf(this.#wanted); at >= 0 && !this.isFull;) {
      for (
        let end = content.indexOf(NEW_LINE, counted);
        end >= 0 && end < at;
        end = content.indexOf(NEW_LINE, counted)
      ) {
        line++
        counted = end + 1
      }
      const lineEnd = content.indexOf(NEW_LINE, at)
      const end = lineEnd < 0 ? content.length : lineEnd
      this.#lines.push(`${shown}:${line}: ${excerpt(content, counted, at, end)}`)
      at = end >= content.length ? -1 : content.indexOf(this.#wanted, end + 1)
    }
  }

  report(): string {
    const left = this.#left === 0 ? '' : `, ${this.#left} too large to search`
    if (this.#lines.length === 0) return `(not found in ${this.#files} files${left})`
    const more = this.isFull
      ? '\n[stopped here: there may be more, search a smaller folder or a longer text]'
      : ''
    return `${this.#lines.join('\n')}${more}${left === '' ? '' : `\n[${left.slice(2)}]`}`
  }
}

// The line around a match; of a long one, what stands near it.
function excerpt(content: Buffer, from: number, at: number, to: number): string {
  const start = at - from > MAX_LINE_CHARS ? at - MAX_LINE_CHARS / 3 : from
  const text = content.toString('utf8', start, Math.min(to, start + MAX_LINE_CHARS)).trimEnd()
  return `${start > from ? '… ' : ''}${text}${to > start + MAX_LINE_CHARS ? ' …' : ''}`
}
