import { bundleProcess } from './bundle-process.ts'
import { COUNTED_OF_PROCESS, countFindings } from './counts.ts'
import type { Flags } from './flags.ts'
import { HELP, isUnattendedRound, readFlags } from './flags.ts'
import type { RoundReport } from './run-round.ts'
import { runRound } from './run-round.ts'
import { runRounds } from './run-rounds.ts'
import { toLines } from './to-lines.ts'
import { bundleUnattended, runUnattendedRound } from './unattended/run-unattended-round.ts'

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
  const turns = flags.mix === 'unattended' ? undefined : await bundleProcess()
  const unattended = flags.mix === 'turns' ? undefined : await bundleUnattended(flags.unattendedSabotage)
  try {
    const reports = await runRounds(flags, (round) =>
      isUnattendedRound(flags.mix, round)
        ? runUnattendedRound({ seed, round, program: unattended!.program, keep })
        : runRound({ seed, round, program: turns!.program, keep, ...options }),
    )
    report(reports, flags, performance.now() - startedAt)
    return reports.some(({ findings }) => findings.length > 0) ? 1 : 0
  } finally {
    await Promise.all([turns?.remove(), unattended?.remove()])
  }
}

function report(reports: readonly RoundReport[], { json, seed }: Flags, ms: number): void {
  const counts = countFindings(
    reports.flatMap(({ findings }) => findings),
    COUNTED_OF_PROCESS,
  )
  process.stdout.write(
    json
      ? `${JSON.stringify({ rounds: reports.length, ...counts })}\n`
      : `${toLines(reports, { seed, ms, names: COUNTED_OF_PROCESS }).join('\n')}\n`,
  )
}

process.exitCode = await main()
