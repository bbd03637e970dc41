/** Prints a line of numbers under a name. */
export type Report = (name: string, numbers: Readonly<Record<string, number>>) => void

export const printReport: Report = (name, numbers) => {
  const cells = Object.entries(numbers).map(([what, value]) => `${String(value)} ${what}`)
  console.log(`${name.padEnd(48)} ${cells.join(', ')}`)
}

/** Of times in milliseconds, rounded. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return toDigits(sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0)
}

export const toDigits = (value: number, digits = 2): number => Number(value.toFixed(digits))
