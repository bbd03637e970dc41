import type { PackageShape } from './measure-tree.ts'

/** The largest sizes that `--check` accepts. */
export const LIMITS = { functionLines: 100, fileLines: 400 } as const

/** The packages that `--check` looks at. One that does not exist is left out. */
export const CHECKED_PACKAGES: readonly string[] = [
  'harness',
  'stores',
  'connectors',
  'server',
  'cli',
  'client',
]

/** One sentence for each function and each file above the limits; empty when there is none. */
export function findOversized(packages: readonly PackageShape[]): readonly string[] {
  return packages
    .filter(({ name }) => CHECKED_PACKAGES.includes(name))
    .flatMap(({ files }) => files)
    .flatMap(({ file, lines, functions }) => [
      ...(lines > LIMITS.fileLines
        ? [`${file} has ${lines} lines; the limit for a file is ${LIMITS.fileLines}`]
        : []),
      ...functions
        .filter((found) => found.lines > LIMITS.functionLines)
        .map(
          (found) =>
            `${file}:${found.line} ${found.name} has ${found.lines} lines; the limit for a function is ${LIMITS.functionLines}`,
        ),
    ])
}
