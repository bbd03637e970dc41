import type { Tool } from '../../turn/tool/tool.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import { succeed } from '../../turn/tool/tool-outcome.ts'
import { labelled } from '../labelled.ts'
import { tooLarge } from './file-failure.ts'
import type { FileRules } from './locate.ts'
import { locate } from './locate.ts'
import { replaceFile } from './replace-file.ts'

/** The most a file may hold that is written or edited here. */
export const MAX_WRITTEN_BYTES = 8 * 1024 * 1024

/** Writes a whole file, making the folders it needs. */
export function createWriteFileTool(rules: FileRules): Tool {
  return defineTool({
    name: 'write_file',
    description: 'Write a text file, new or in place of what was there. To change a part, use edit_file.',
    effect: 'write',
    idempotent: true,
    returns: [],
    destinations: ['path'],
    input: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'The file, relative to the working folder.' },
        content: { type: 'string', description: 'All of its text.' },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    label: labelled('Write a file', 'path'),
    async run(args) {
      const { path, content } = args as { path: string; content: string }
      const bytes = Buffer.byteLength(content)
      if (bytes > MAX_WRITTEN_BYTES)
        return tooLarge(path, `would have ${bytes} bytes; the most is ${MAX_WRITTEN_BYTES}`)
      const place = await locate(path, rules, { forWriting: true })
      if ('refusal' in place) return place.refusal
      const refusal = await replaceFile(place, content, rules.roots)
      return refusal ?? succeed(`${place.exists ? 'Replaced' : 'Wrote'} ${place.shown} (${bytes} bytes).`)
    },
  })
}
