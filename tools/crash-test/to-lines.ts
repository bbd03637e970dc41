import type { Counted } from './counts.ts'
import { countFindings } from './counts.ts'
import type { RoundReport } from './run-round.ts'

interface Ran {
  readonly seed: number
  readonly ms: number
  readonly names: readonly Counted[]
  /** What else is told, after the counts. */
  readonly more?: readonly string[]
}

/** The result for people. */
export function toLines(
  reports: readonly RoundReport[],
  { seed, ms, names, more = [] }: Ran,
): readonly string[] {
  const counts = countFindings(
    reports.flatMap(({ findings }) => findings),
    names,
  )
  const sum = (number: (report: RoundReport) => number) =>
    reports.reduce((total, one) => total + number(one), 0)
  const failed = reports.filter(({ findings }) => findings.length > 0).map(({ round }) => round)
  return [
    `${reports.length} rounds of seed ${seed}: ${sum(({ starts }) => starts)} starts, ` +
      `${sum(({ kills }) => kills)} kills, ${(ms / 1000).toFixed(1)} s`,
    ...names.map((name) => `  ${name.padEnd(16)} ${counts[name]}`),
    ...more,
    failed.length === 0
      ? 'Nothing was lost and nothing was done twice.'
      : `Failed: rounds ${failed.join(', ')}`,
  ]
}
