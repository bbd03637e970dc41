import { HELP, parseArguments } from './parse-arguments.ts'
import { runBench } from './run-bench.ts'
import { toTables } from './to-tables.ts'

const command = parseArguments(process.argv.slice(2))
switch (command.type) {
  case 'help':
    process.stdout.write(HELP)
    break
  case 'misuse':
    process.stderr.write(`${command.problem}\n\n${HELP}`)
    process.exitCode = 2
    break
  case 'run': {
    const report = await runBench({ ...command.options, report: (line) => process.stderr.write(`${line}\n`) })
    process.stdout.write(command.json ? `${JSON.stringify(report, null, 2)}\n` : toTables(report))
    if (report.errors.length > 0) process.exitCode = 1
    break
  }
}
