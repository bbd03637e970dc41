import type { CSSProperties, ReactElement } from 'react'
import { useFailureWords } from '../../i18n/use-failure-words.ts'
import { useT } from '../../i18n/use-t.ts'
import { toPath } from '../../routing/route.ts'
import { Link } from '../../routing/router.tsx'
import { Table } from '../../ui/surfaces/table.tsx'
import { ToneIcon } from '../run-status.tsx'
import { useRowWords } from './use-row-words.ts'
import type { Waterfall, WaterfallRow } from './waterfall.ts'

/** The same rows as the chart, as a table. */
export function WaterfallTable({ waterfall }: { readonly waterfall: Waterfall }): ReactElement {
  const t = useT()
  const toWords = useRowWords()
  const failureWords = useFailureWords()

  const failureOf = (row: WaterfallRow): string => {
    if (row.kind === 'call') return row.call.failure ? failureWords(row.call.failure, 'call').why : ''
    const { outcome } = row.run
    return outcome?.type === 'failed' ? failureWords(outcome.failure, 'model').why : ''
  }

  return (
    <div className="runs-table">
      <Table
        caption={t('runs.waterfall.label')}
        rows={waterfall.rows}
        rowKey={({ key }) => key}
        columns={[
          {
            key: 'what',
            title: t('runs.columns.what'),
            cell: (row) => (
              <span className="runs-table-name" style={{ '--level': row.level } as CSSProperties}>
                {row.kind === 'call' ? (
                  <Link to={toPath({ page: 'chat', threadId: row.call.threadId, callId: row.call.callId })}>
                    <bdi>{toWords(row).name}</bdi>
                  </Link>
                ) : (
                  <bdi>{toWords(row).name}</bdi>
                )}
              </span>
            ),
          },
          {
            key: 'status',
            title: t('runs.columns.status'),
            cell: (row) => (
              <span className="runs-with-icon">
                <ToneIcon tone={row.tone} />
                {toWords(row).status}
              </span>
            ),
          },
          {
            key: 'start',
            title: t('runs.columns.offset'),
            align: 'end',
            cell: (row) => <span className="ui-figures">{toWords(row).start}</span>,
          },
          {
            key: 'duration',
            title: t('runs.columns.duration'),
            align: 'end',
            cell: (row) => <span className="ui-figures">{toWords(row).duration}</span>,
          },
          { key: 'failure', title: t('runs.columns.failure'), cell: failureOf },
        ]}
      />
    </div>
  )
}
