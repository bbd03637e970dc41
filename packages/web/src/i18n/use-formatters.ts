import type { Formatters } from './formatters.ts'
import { formattersFor } from './formatters.ts'
import { useLanguage } from './use-language.ts'

/** Dates, numbers and lists in the active language. */
export function useFormatters(): Formatters {
  return formattersFor(useLanguage().language)
}
