import type { Flags } from './flags.ts'
import { aloneCommand } from './flags.ts'
import type { RoundReport } from './run-round.ts'

const MAX_FINDINGS = 12

/** Runs the wanted rounds in several lanes, and prints each that failed. `run` gets the number of its lane. */
export async function runRounds<Report extends RoundReport>(
  flags: Flags,
  run: (round: number, lane: number) => Promise<Report>,
): Promise<readonly Report[]> {
  const { only, keep } = flags
  const rounds = only === undefined ? Array.from({ length: flags.rounds }, (_, n) => n + 1) : [only]
  const reports: Report[] = []
  const wanted = rounds.length
  const work = async (lane: number): Promise<void> => {
    for (let round = rounds.shift(); round !== undefined; round = rounds.shift()) {
      const done = await run(round, lane)
      reports.push(done)
      printProgress(reports, wanted)
      if (done.findings.length > 0 || keep) printRound(done, flags)
    }
  }
  await Promise.all(Array.from({ length: Math.min(flags.jobs, wanted) }, (_, lane) => work(lane)))
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  return reports
}

function printProgress(reports: readonly RoundReport[], wanted: number): void {
  if (!process.stderr.isTTY) return
  const failed = reports.filter(({ findings }) => findings.length > 0).length
  process.stderr.write(`\r\u001b[K${reports.length} of ${wanted} rounds, ${failed} failed`)
}

function printRound({ round, findings, folder, errors, kills, starts, ms }: RoundReport, flags: Flags): void {
  const lines = [`\nround ${round}: ${starts} starts, ${kills} kills, ${Math.round(ms)} ms`]
  for (const { count, text } of findings.slice(0, MAX_FINDINGS)) lines.push(`  ${count}: ${text}`)
  if (findings.length > MAX_FINDINGS) lines.push(`  and ${findings.length - MAX_FINDINGS} more`)
  if (findings.length > 0 && errors !== '')
    lines.push(
      ...errors
        .split('\n')
        .slice(-8)
        .map((line) => `  | ${line}`),
    )
  if (folder !== undefined) lines.push(`  kept in ${folder}`)
  if (findings.length > 0) lines.push(`  alone: ${aloneCommand(flags, round)}`)
  process.stderr.write(`${lines.join('\n')}\n`)
}
