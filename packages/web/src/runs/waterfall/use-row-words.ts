import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import { agentName, toName } from '@capstan/client'
import type { WaterfallRow } from './waterfall.ts'

export interface RowWords {
  readonly name: string
  readonly status: string
  readonly start: string
  readonly duration: string
  /** The whole row as a sentence, for screen readers. */
  readonly sentence: string
}

/** The texts of a waterfall row in the active language. */
export function useRowWords(): (row: WaterfallRow) => RowWords {
  const t = useT()
  const format = useFormatters()
  return (row) => {
    const name =
      row.kind === 'call'
        ? toName(row.call.tool)
        : row.run.parent
          ? t('runs.subAgent', { agent: agentName(row.run) })
          : t('runs.turn')
    const status = row.kind === 'run' ? t(`runs.statuses.${row.run.status}`) : t(`runs.tones.${row.tone}`)
    const start = format.duration(row.startMs)
    const took = format.duration(row.endMs - row.startMs)
    const isGoingOn = row.tone === 'running' || (row.kind === 'run' && row.run.endedAt === undefined)
    const duration = isGoingOn ? t('runs.waterfall.soFar', { duration: took }) : took
    return {
      name,
      status,
      start,
      duration,
      sentence: t('runs.waterfall.row', { name, status, start, duration }),
    }
  }
}
