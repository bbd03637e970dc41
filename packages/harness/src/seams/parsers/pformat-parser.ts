import type { ResponseParser } from '../seams.ts'
import { toPositionalInstructions } from './instructions.ts'
import { createTextParser } from './text-parser.ts'

/**
 * Calls by position, `name[a|b|c]` between tags, at a fraction of the tokens; everything the `xml` dialect reads
 * is read as well. Never throws.
 */
export const pformatParser: ResponseParser = createTextParser('pformat', toPositionalInstructions)
