import { bundleProcess } from './bundle-process.ts'
import { COUNTED, countFindings } from './counts.ts'
import type { Flags } from './flags.ts'
import { HELP, readFlags } from './flags.ts'
import type { RoundReport } from './run-round.ts'
import { runRound } from './run-round.ts'
import { runRounds } from './run-rounds.ts'
import { toLines } from './to-lines.ts'

async function main(): Promise<number> {
  const flags = readFlags()
  if (typeof flags === 'string') {
    const isHelp = flags === HELP
    ;(isHelp ? process.stdout : process.stderr).write(isHelp ? flags : `${flags}\n`)
    return isHelp ? 0 : 2
  }
  if (flags.nodes === undefined) return testProcess(flags)
  const { testNodes } = await import('./nodes/test-nodes.ts')
  // The package of the database server ends this process with 0, whatever `exitCode` says.
  process.exit(await testNodes({ ...flags, nodes: flags.nodes }))
}

/** One process with a store of its own, killed and started again. */
async function testProcess(flags: Flags): Promise<number> {
  const { seed, keep, sabotage, agents } = flags
  const options = { ...(sabotage && { sabotage }), ...(agents !== undefined && { agents }) }
  const startedAt = performance.now()
  const { program, remove } = await bundleProcess()
  try {
    const reports = await runRounds(flags, (round) => runRound({ seed, round, program, keep, ...options }))
    report(reports, flags, performance.now() - startedAt)
    return reports.some(({ findings }) => findings.length > 0) ? 1 : 0
  } finally {
    await remove()
  }
}

function report(reports: readonly RoundReport[], { json, seed }: Flags, ms: number): void {
  const counts = countFindings(reports.flatMap(({ findings }) => findings))
  process.stdout.write(
    json
      ? `${JSON.stringify({ rounds: reports.length, ...counts })}\n`
      : `${toLines(reports, { seed, ms, names: COUNTED }).join('\n')}\n`,
  )
}

process.exitCode = await main()
