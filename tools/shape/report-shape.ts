import type { FileShape, FunctionShape } from './measure-source.ts'
import type { FolderShape, PackageShape } from './measure-tree.ts'

/** The middle and the ninetieth percentile of a list of sizes. */
interface Spread {
  readonly count: number
  readonly median: number
  readonly p90: number
}

/** What `npm run shape` prints. */
export interface ShapeReport {
  readonly packages: readonly { readonly name: string; readonly files: Spread; readonly functions: Spread }[]
  readonly largestFunctions: readonly FunctionShape[]
  readonly largestFiles: readonly { readonly file: string; readonly lines: number }[]
  readonly largestFolders: readonly FolderShape[]
}

/**
 * Sums up measured packages. `top` is the length of each list of the largest. Functions on one line are left out of the
 * medians: there are so many short callbacks that they would hide every change.
 */
export function reportShape(packages: readonly PackageShape[], top: number): ShapeReport {
  const all = { name: 'all', files: packages.flatMap(({ files }) => files) }
  return {
    packages: [...packages, all].map(({ name, files }) => ({
      name,
      files: spreadOf(files.map(({ lines }) => lines)),
      functions: spreadOf(
        functionsOf(files)
          .map(({ lines }) => lines)
          .filter((lines) => lines > 1),
      ),
    })),
    largestFunctions: largest(functionsOf(all.files), ({ lines }) => lines, top),
    largestFiles: largest(all.files, ({ lines }) => lines, top).map(({ file, lines }) => ({ file, lines })),
    largestFolders: largest(
      packages.flatMap(({ folders }) => folders),
      ({ files }) => files,
      top,
    ),
  }
}

const functionsOf = (files: readonly FileShape[]): readonly FunctionShape[] =>
  files.flatMap(({ functions }) => functions)

function largest<Item>(items: readonly Item[], size: (item: Item) => number, top: number): readonly Item[] {
  return items.toSorted((a, b) => size(b) - size(a)).slice(0, top)
}

function spreadOf(sizes: readonly number[]): Spread {
  const sorted = sizes.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  return { count: sorted.length, median: at(0.5), p90: at(0.9) }
}

/** The report as lines of text. */
export function drawShape(report: ShapeReport): readonly string[] {
  return [
    `${'package'.padEnd(12)}${SPREAD_HEADINGS.map((heading) => heading.padStart(12)).join('')}`,
    ...report.packages.map(
      ({ name, files, functions }) => `${name.padEnd(12)}${drawSpread(files)}${drawSpread(functions)}`,
    ),
    '',
    'Largest functions',
    ...report.largestFunctions.map(({ name, file, line, lines }) =>
      drawSize(lines, `${name}  ${file}:${line}`),
    ),
    '',
    'Largest files',
    ...report.largestFiles.map(({ file, lines }) => drawSize(lines, file)),
    '',
    'Most crowded folders (files directly in it, tests included)',
    ...report.largestFolders.map(({ folder, files }) => drawSize(files, folder)),
  ]
}

const SPREAD_HEADINGS = ['files', 'median', 'p90', 'functions', 'median', 'p90']

const drawSpread = ({ count, median, p90 }: Spread): string =>
  [count, median, p90].map((size) => String(size).padStart(12)).join('')

const drawSize = (size: number, what: string): string => `${String(size).padStart(6)}  ${what}`
