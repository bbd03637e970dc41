import { parseArgs } from 'node:util'
import { DEFAULT_ROUNDS, MEASURES } from './run-bench.ts'
import type { BenchOptions } from './run-bench.ts'
import { SUBJECT_NAMES } from './subjects/catalog.ts'

export const HELP = `Usage: npm run bench -- [options]

Measures the cost of an iteration in Capstan, in a bare loop and in its peers, with one fake model.

  --json             print one JSON document instead of tables
  --only <list>      some of: ${MEASURES.join(', ')}
  --subjects <list>  some of: ${SUBJECT_NAMES.join(', ')}
  --rounds <n>       rounds per workload; the median counts (default ${DEFAULT_ROUNDS})
  --gc               force a full garbage collection before each round
  --help             this text

Peers are measured when they are installed: npm run bench:install
Exit codes: 0 all subjects followed the script, 1 a subject did not, 2 bad usage.
`

export type Command =
  | { readonly type: 'help' }
  | { readonly type: 'misuse'; readonly problem: string }
  | { readonly type: 'run'; readonly json: boolean; readonly options: BenchOptions }

/** Parses the command line. Pure. */
export function parseArguments(args: readonly string[]): Command {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean', default: false },
        gc: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        only: { type: 'string' },
        subjects: { type: 'string' },
        rounds: { type: 'string' },
      },
    })
    if (values.help) return { type: 'help' }
    const options: BenchOptions = {
      collect: values.gc,
      ...(values.only === undefined ? {} : { only: parseList('--only', values.only, MEASURES) }),
      ...(values.subjects === undefined
        ? {}
        : { subjects: parseList('--subjects', values.subjects, SUBJECT_NAMES) }),
      ...(values.rounds === undefined ? {} : { rounds: parseRounds(values.rounds) }),
    }
    return { type: 'run', json: values.json, options }
  } catch (error) {
    return { type: 'misuse', problem: error instanceof Error ? error.message : String(error) }
  }
}

function parseList<Name extends string>(flag: string, text: string, known: readonly Name[]): readonly Name[] {
  return text.split(',').map((part) => {
    const name = known.find((each) => each === part.trim())
    if (name === undefined) throw new Error(`${flag} takes ${known.join(', ')}, not "${part.trim()}"`)
    return name
  })
}

function parseRounds(text: string): number {
  const rounds = Number(text)
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`--rounds takes a whole number from 1, not "${text}"`)
  return rounds
}
