const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Steps of minutes and hours, for axes where decimal steps do not fit. */
const CLOCK_STEPS = [10, 15, 30]
  .map((seconds) => seconds * SECOND)
  .concat([1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE))
  .concat([1, 2, 3, 6, 12].map((hours) => hours * HOUR))

/** Ticks of a time axis from `startMs` to `endMs`: round numbers, at most `most` of them. */
export function toTimeTicks(startMs: number, endMs: number, most: number): readonly number[] {
  const step = timeStep((endMs - startMs) / Math.max(1, most))
  const ticks: number[] = []
  for (let tick = Math.ceil(startMs / step) * step; tick <= endMs; tick += step) ticks.push(tick)
  return ticks.slice(0, most + 1)
}

function timeStep(atLeastMs: number): number {
  if (atLeastMs <= 5 * SECOND) return Math.max(1, roundStep(atLeastMs))
  const clock = CLOCK_STEPS.find((step) => step >= atLeastMs)
  return clock ?? Math.ceil(roundStep(atLeastMs / DAY)) * DAY
}

/** The smallest of 1, 2, 5, 10, 20, 50 … (or 0.1, 0.2 …) that is at least this large. */
function roundStep(atLeast: number): number {
  if (!(atLeast > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(atLeast))
  const digit = [1, 2, 5].find((each) => each * power >= atLeast * (1 - 1e-9)) ?? 10
  return digit * power
}

/** Ticks of an axis from 0 to a round number that is at least `most`. Without any value, 0 and 1. */
export function toValueTicks(most: number, count: number): readonly number[] {
  if (!(most > 0)) return [0, 1]
  const step = roundStep(most / count)
  const steps = Math.ceil(most / step - 1e-9)
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)))
}
