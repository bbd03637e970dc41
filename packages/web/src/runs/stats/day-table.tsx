import type { StatsDay } from '@capstan/protocol'
import type { ReactElement } from 'react'
import type { Formatters } from '../../i18n/formatters.ts'
import { useFormatters } from '../../i18n/use-formatters.ts'
import { useT } from '../../i18n/use-t.ts'
import type { TableColumn } from '../../ui/surfaces/table.tsx'
import { Table } from '../../ui/surfaces/table.tsx'
import type { DayMeasure } from './day-bars.ts'
import { TOKEN_PARTS, toDayChart } from './day-bars.ts'

interface Texts {
  readonly t: ReturnType<typeof useT>
  readonly format: Formatters
}

/** The figures of the chart, newest day first. Days without any turn are left out. */
export function DayTable({
  days,
  measure,
  caption,
}: {
  readonly days: readonly StatsDay[]
  readonly measure: DayMeasure
  readonly caption: string
}): ReactElement {
  const texts = { t: useT(), format: useFormatters() }
  return (
    <Table
      caption={caption}
      rows={days.filter(({ turns, usd }) => turns > 0 || usd > 0).toReversed()}
      rowKey={({ day }) => day}
      columns={measure === 'cost' ? costColumns(texts) : tokenColumns(texts)}
    />
  )
}

function dayColumns({ t, format }: Texts): readonly TableColumn<StatsDay>[] {
  return [
    { key: 'day', title: t('runs.columns.day'), cell: ({ day }) => format.day(day) },
    {
      key: 'turns',
      title: t('runs.columns.turns'),
      align: 'end',
      cell: ({ turns }) => format.number(turns),
    },
  ]
}

function costColumns(texts: Texts): readonly TableColumn<StatsDay>[] {
  const { t, format } = texts
  return [
    ...dayColumns(texts),
    {
      key: 'failed',
      title: t('runs.columns.failed'),
      align: 'end',
      cell: ({ failed }) => format.number(failed),
    },
    { key: 'usd', title: t('runs.columns.cost'), align: 'end', cell: ({ usd }) => format.currency(usd) },
  ]
}

function tokenColumns(texts: Texts): readonly TableColumn<StatsDay>[] {
  const { t, format } = texts
  return [
    ...dayColumns(texts),
    ...TOKEN_PARTS.map((part): TableColumn<StatsDay> => ({
      key: part,
      title: t(`runs.stats.parts.${part}`),
      align: 'end',
      cell: (day) => format.number(partOf(day, part)),
    })),
  ]
}

const partOf = (day: StatsDay, part: (typeof TOKEN_PARTS)[number]): number =>
  toDayChart([day], 'tokens').bars[0]?.parts.find((each) => each.part === part)?.value ?? 0
