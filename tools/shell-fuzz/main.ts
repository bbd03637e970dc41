import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { EVERYDAY, TRICKS } from './corpus.ts'
import { fuzz } from './fuzz.ts'
import { whyNoTracing } from './trace-lines.ts'

const HELP = `Generates command lines, runs those judged to read in a sandbox under a tracer, and counts what a read must not do.

npm run shell-fuzz -- [options]

  --count N   number of lines (20000)
  --seed S    seed of the random numbers (1)
  --jobs N    sandboxes at once (2)
  --json      print the counts as one line of JSON, as the last line
  --help

Needs bubblewrap and strace. Exits with 1 when anything was found, 2 when it cannot run.
`

async function main(): Promise<number> {
  const options = {
    count: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const
  const { values } = parseArgs({ options })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const [count, jobs] = [Number(values.count), Number(values.jobs)]
  if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(jobs) || jobs < 1) {
    process.stderr.write('--count and --jobs are whole numbers above 0.\n')
    return 2
  }
  const problem = whyNoTracing()
  if (problem !== undefined) {
    process.stderr.write(`Cannot trace: ${problem}.\n`)
    return 2
  }
  const report = await fuzz({ count, seed: values.seed, jobs })
  for (const { line, shell, what } of report.findings.slice(0, 50))
    process.stdout.write(`${what}  <-  ${shell}: ${JSON.stringify(line)}\n`)
  process.stdout.write(
    `${report.generated} lines, ${report.judgedRead} judged read and run by two shells in ${report.seconds} s: ` +
      `${report.writes} writes, ${report.connects} connections, ${report.starts} other programs, ${report.secrets} shown variables.\n` +
      `Everyday reads judged read: ${report.everydayRead} of ${EVERYDAY.length}. Tricks judged read: ${report.tricksRead} of ${TRICKS.length}.\n`,
  )
  const { findings, ...counts } = report
  if (values.json) process.stdout.write(`${JSON.stringify(counts)}\n`)
  return findings.length > 0 || report.tricksRead > 0 ? 1 : 0
}

process.exitCode = await main()
