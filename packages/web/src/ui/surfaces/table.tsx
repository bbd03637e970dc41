import './surface.css'
import type { Key, ReactElement, ReactNode } from 'react'

export interface TableColumn<Row> {
  readonly key: string
  readonly title: ReactNode
  /** `end` for numbers. */
  readonly align?: 'start' | 'end'
  readonly cell: (row: Row) => ReactNode
}

export interface TableProps<Row> {
  /** What the table contains, for screen readers. */
  readonly caption: string
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => Key
}

/** Scrolls sideways on a narrow screen; the first column is the header of the row. */
export function Table<Row>({ caption, columns, rows, rowKey }: TableProps<Row>): ReactElement {
  return (
    <div className="ui-table-frame" role="region" aria-label={caption} tabIndex={0}>
      <table className="ui-table">
        <caption className="ui-visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} scope="col" data-align={column.align ?? 'start'}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.key} scope="row" data-align={column.align ?? 'start'}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.key} data-align={column.align ?? 'start'}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
