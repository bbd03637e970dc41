import type { ModelAbilities } from '../../models/model-client.ts'
import type { ResponseParser } from '../seams.ts'
import { nativeParser } from './native-parser.ts'
import { pformatParser } from './pformat-parser.ts'
import { xmlParser } from './xml-parser.ts'

/** How calls are written. `auto`: native for a model that takes tools, else `pformat`, the cheapest text dialect. */
export type Dialect = 'auto' | ResponseParser['dialect']

const PARSERS: Readonly<Record<ResponseParser['dialect'], ResponseParser>> = {
  native: nativeParser,
  xml: xmlParser,
  pformat: pformatParser,
}

/** The stock parser for a dialect and a model. */
export function chooseParser(dialect: Dialect, abilities: Pick<ModelAbilities, 'tools'>): ResponseParser {
  if (dialect === 'auto') return abilities.tools ? nativeParser : pformatParser
  return PARSERS[dialect]
}
