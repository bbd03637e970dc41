import { parseArgs } from 'node:util'
import { simulate } from './simulate.ts'

const HELP = `Simulates threads over shards and checks the rule that finds them: docs/scale.md says what the rule is.

npm run scale-simulation -- [options]

  --threads N      threads (10000000)
  --users N        users (a tenth of the threads)
  --shards N       shards (16)
  --skew S         exponent of Zipf's law for threads per user; 0: all have the same (0.8)
  --hot-users N    users that are busier than their threads say (20)
  --hot-share S    the part of all turns that they make together (0.1)
  --seed N         (1)
  --json           print the report as one line of JSON
  --help

Exits with 1 when the rule does not hold.
`

const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: '10000000' },
    users: { type: 'string' },
    shards: { type: 'string', default: '16' },
    skew: { type: 'string', default: '0.8' },
    'hot-users': { type: 'string', default: '20' },
    'hot-share': { type: 'string', default: '0.1' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

if (values.help) process.stdout.write(HELP)
else {
  const threads = Number(values.threads)
  const startedAt = performance.now()
  const report = simulate({
    threads,
    users: Number(values.users ?? Math.ceil(threads / 10)),
    shards: Number(values.shards),
    skew: Number(values.skew),
    hotUsers: Number(values['hot-users']),
    hotShare: Number(values['hot-share']),
    seed: Number(values.seed),
  })
  const numbers = {
    ...report,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
  }
  process.stdout.write(`${JSON.stringify(numbers, undefined, values.json ? 0 : 2)}\n`)
  process.exitCode = report.problems.length > 0 ? 1 : 0
}
