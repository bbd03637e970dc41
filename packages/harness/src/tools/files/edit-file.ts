import type { Tool } from '../../turn/tool/tool.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail, succeed } from '../../turn/tool/tool-outcome.ts'
import { labelled } from '../labelled.ts'
import { tooLarge, unsupportedFile } from './file-failure.ts'
import type { FileRules, Place } from './locate.ts'
import { locate } from './locate.ts'
import { openForReading, readPart } from './open-inside.ts'
import { replaceFile } from './replace-file.ts'
import type { Roots } from './roots.ts'
import { MAX_WRITTEN_BYTES } from './write-file.ts'

/** Changes one place in a file. When it is not clear which place is meant, nothing is changed. */
export function createEditFileTool(rules: FileRules): Tool {
  return defineTool({
    name: 'edit_file',
    description:
      'Replace one piece of text in a file. The text to find must be exactly as in the file, white space included, and ' +
      'occur exactly once: add lines around it until it does.',
    effect: 'write',
    idempotent: true,
    returns: [],
    destinations: ['path'],
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to the working folder.' },
        find: { type: 'string', minLength: 1, description: 'The text to replace, as it is in the file.' },
        replace: { type: 'string', description: 'What to put there.' },
      },
      required: ['path', 'find', 'replace'],
      additionalProperties: false,
    },
    label: labelled('Edit a file', 'path'),
    async run(args) {
      const { path, find, replace } = args as { path: string; find: string; replace: string }
      const place = await locate(path, rules, { forWriting: true })
      if ('refusal' in place) return place.refusal
      const read = await readText(place, rules.roots)
      if ('refusal' in read) return read.refusal
      const places = findAll(read.text, find)
      if (places.length !== 1) return notOnce(place.shown, places, read.text, find)
      const [at] = places
      // By slices: in a replacement string, $ would have a meaning.
      const text = read.text.slice(0, at) + replace + read.text.slice(at! + find.length)
      if (Buffer.byteLength(text) > MAX_WRITTEN_BYTES) return tooLarge(place.shown, 'would become too large')
      const refusal = await replaceFile(place, text, rules.roots)
      return refusal ?? succeed(`Changed ${place.shown} at line ${lineAt(read.text, at!)}.`)
    },
  })
}

async function readText(place: Place, roots: Roots): Promise<{ text: string } | { refusal: ToolOutcome }> {
  const opened = await openForReading(place, roots)
  if ('refusal' in opened) return opened
  try {
    if (opened.bytes > MAX_WRITTEN_BYTES) {
      return {
        refusal: tooLarge(place.shown, `has ${opened.bytes} bytes; the most to edit is ${MAX_WRITTEN_BYTES}`),
      }
    }
    const content = await readPart(opened.file, 0, opened.bytes)
    // What cannot be read exactly would not be written back exactly.
    if (content.includes(0)) return { refusal: unsupportedFile(place.shown, 'is a binary file') }
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    return { refusal: unsupportedFile(place.shown, 'is not UTF-8 text') }
  } finally {
    await opened.file.close()
  }
}

const MAX_COUNTED = 1_000

// Also places that overlap: any of them could be the one that is meant.
function findAll(text: string, find: string): readonly number[] {
  const places: number[] = []
  for (let at = text.indexOf(find); at >= 0 && places.length < MAX_COUNTED; at = text.indexOf(find, at + 1)) {
    places.push(at)
  }
  return places
}

function notOnce(shown: string, places: readonly number[], text: string, find: string): ToolOutcome {
  if (places.length > 0) {
    const lines = places.slice(0, 10).map((at) => lineAt(text, at))
    return fail(
      `The text to find occurs ${places.length === MAX_COUNTED ? `at least ${MAX_COUNTED}` : places.length} times in ${shown} (at lines ${lines.join(', ')}${places.length > 10 ? ', …' : ''}). ` +
        'Nothing was changed. Add what stands around the one you mean.',
      { errorCode: 'invalid_input' },
    )
  }
  const hint =
    find.includes('\n') && text.includes('\r\n') && !find.includes('\r\n')
      ? ' The file ends its lines with \\r\\n.'
      : ''
  return fail(
    `The text to find occurs 0 times in ${shown}. Nothing was changed.${hint} Read the file again and copy the text exactly.`,
    { errorCode: 'invalid_input' },
  )
}

const lineAt = (text: string, at: number): number => {
  let line = 1
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line++
  return line
}
