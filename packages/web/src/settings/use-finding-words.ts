import type { DiagnosticCheck } from '@capstan/protocol'
import { en } from '../i18n/en/index.ts'
import { useFormatters } from '../i18n/use-formatters.ts'
import { useT } from '../i18n/use-t.ts'

/** What a check found, and what to do, in the active language. */
export interface FindingWords {
  readonly found: string
  readonly next?: string
}

/** Words a check by its facts. A newer server may send facts that this page does not know: then in English. */
export function useFindingWords(): (check: DiagnosticCheck) => FindingWords {
  const t = useT()
  const format = useFormatters()
  return ({ finding, remedy, found, next }) => {
    const { code, freeBytes = 0, at = 0, names = [] } = finding
    const values = {
      version: '',
      oldest: '',
      folder: '',
      detail: '',
      model: '',
      address: '',
      known: 0,
      done: 0,
      total: 0,
      connected: 0,
      ...finding,
      size: format.bytes(freeBytes),
      names: format.list(names),
      time: format.dateTime(at),
    }
    const knowsRemedy = remedy !== undefined && remedy in en.problems.remedies
    const step = knowsRemedy ? t(`problems.remedies.${remedy}`, values) : next
    return {
      found: code in en.problems.findings ? t(`problems.findings.${code}`, values) : found,
      ...(step === undefined ? {} : { next: step }),
    }
  }
}
