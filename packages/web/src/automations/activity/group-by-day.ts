/** What came in on one day of the reader's clock. */
export interface DayOf<Row> {
  /** Some time of that day. */
  readonly at: number
  readonly rows: readonly Row[]
}

/** Newest first in, newest first out. Pure. */
export function groupByDay<Row extends { readonly receivedAt: number }>(
  rows: readonly Row[],
): readonly DayOf<Row>[] {
  const days: { at: number; rows: Row[] }[] = []
  for (const row of rows) {
    const last = days.at(-1)
    if (last && toDay(last.at) === toDay(row.receivedAt)) last.rows.push(row)
    else days.push({ at: row.receivedAt, rows: [row] })
  }
  return days
}

const toDay = (at: number): string => new Date(at).toDateString()

/** 0: today, 1: yesterday. A day with a clock change counts as one. */
export function daysAgo(at: number, now: number): number {
  const day = new Date(now)
  for (let ago = 0; ago < 2; ago++) {
    if (day.toDateString() === toDay(at)) return ago
    day.setDate(day.getDate() - 1)
  }
  return 2
}
