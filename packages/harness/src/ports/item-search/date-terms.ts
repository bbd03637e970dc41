import type { FoundDate } from './find-dates.ts'

/** What a date is found by, the most exact first. */
export function toDateTerms({ year, month, day }: FoundDate): string[] {
  return [
    ...(year && day ? [`d:${year}-${month}-${day}`] : []),
    ...(day ? [`d:${month}-${day}`] : []),
    ...(year ? [`d:${year}-${month}`] : []),
    `d:${month}`,
  ]
}

/** The day of a time in milliseconds. */
export function toDate(at: number): FoundDate {
  const date = new Date(at)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}
