import type { ResponseParser } from '../seams.ts'
import { toXmlInstructions } from './instructions.ts'
import { createTextParser } from './text-parser.ts'

/** Reads calls written as JSON between tags, for models that take no tools. Never throws. */
export const xmlParser: ResponseParser = createTextParser('xml', toXmlInstructions)
