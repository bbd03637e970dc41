import type { ArtifactStore } from '../ports/artifact-store.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { defineTool } from '../turn/tool/tool.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import { labelled } from './labelled.ts'

// Below the budget of a result, so that what is read here is not put aside again.
const MAX_BYTES = 12 * 1024

/** Reads on in a result that was too large for the conversation. Reaches the artifacts of its own thread alone. */
export function createReadArtifactTool(artifacts: ArtifactStore): Tool {
  return defineTool({
    name: 'read_artifact',
    description:
      'Read a part of a result that was too large to show whole. Give the id that the shortened result named, and the ' +
      'offset where to go on.',
    effect: 'read',
    resultsFrom: 'tool',
    returns: 'repeated',
    destinations: [],
    exact: true, // it was shortened once, and this is the way to the rest
    input: {
      type: 'object',
      properties: {
        id: { type: 'string', description: 'The id of the stored result.' },
        offset: { type: 'integer', minimum: 0, description: 'Where to begin, in bytes. Default 0.' },
        limit: {
          type: 'integer',
          minimum: 1,
          description: `How many bytes to read. Default and most: ${MAX_BYTES}.`,
        },
      },
      required: ['id'],
      additionalProperties: false,
    },
    label: labelled('Read on in a large result', 'id'),
    async run(args, { run }) {
      const { id, offset = 0, limit = MAX_BYTES } = args as { id: string; offset?: number; limit?: number }
      const slice = await artifacts.read(run.threadId, id, { offset, maxBytes: Math.min(limit, MAX_BYTES) })
      if (!slice) {
        return fail(`There is no stored result "${id}" in this conversation. It may have been removed.`, {
          errorCode: 'ENOENT',
        })
      }
      if (slice.text === '' && slice.bytes > 0)
        return succeed(`[the end: the result has ${slice.bytes} bytes]`)
      const place =
        slice.nextOffset === undefined
          ? `the end of ${slice.bytes} bytes`
          : `${slice.bytes} bytes in all; read on with offset ${slice.nextOffset}`
      return succeed(`${slice.text}\n[${place}]`)
    },
  })
}
