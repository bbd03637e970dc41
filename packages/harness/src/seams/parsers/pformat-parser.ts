import type { ResponseParser } from '../seams.ts'
import { toPositionalInstructions } from './instructions.ts'
import { createTextParser } from './text-parser.ts'

/**
 * Reads positional calls, `name[a|b|c]` between tags, which take a fraction of the tokens. Also reads everything the
 * `xml` dialect reads. Never throws.
 */
export const pformatParser: ResponseParser = createTextParser('pformat', toPositionalInstructions)
