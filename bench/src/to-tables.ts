import { APP_CALLS } from './measures/measure-app-requests.ts'
import { SCENARIOS } from './measures/prefix-scenarios.ts'
import type { LedgerComparison, Multiples } from './compare-ledger.ts'
import type { BenchReport } from './run-bench.ts'
import { THIS_REPOSITORY } from './subjects/catalog.ts'
import { WORKLOAD_NAMES } from './workloads.ts'

/** The report for people. Pure. */
export function toTables(report: BenchReport): string {
  const sections = [`Node ${report.node}, ${toVersions(report)}`]
  if (report.rows.length > 0) {
    sections.push(`µs per iteration (times the floor)\n${toTable(toCostRows(report))}`)
  }
  if (report.ledger) {
    sections.push(`What others cost, as a multiple of Capstan\n${toTable(toLedgerRows(report.ledger))}`)
  }
  if (Object.keys(report.postgres).length > 0) {
    sections.push(
      `On one PostgreSQL server, as a multiple of Capstan (of Capstan with a sync after each commit)\n${toTable(toPostgresRows(report))}`,
    )
  }
  const sessions = Object.entries(report.sessions)
  if (sessions.length > 0) {
    sections.push(
      `A thousand conversations of three iterations at once\n${toTable([
        ['subject', 'ms', 'KB each'],
        ...sessions.map(([name, { ms, kbPerSession }]) => [name, String(ms), String(kbPerSession)]),
      ])}`,
    )
  }
  if (report.prefix.length > 0) {
    sections.push(
      `Share of the prompt prefix that is kept, at the worst step\n${toTable(toPrefixRows(report))}`,
    )
  }
  if (report.connect) {
    const { p50Ms, p95Ms, runs } = report.connect
    sections.push(
      `From connected to usable in a running turn: ${p50Ms} ms, p95 ${p95Ms} ms, of ${runs} runs in one process`,
    )
  }
  const schemas = Object.entries(report.schemaBytes)
  if (schemas.length > 0) {
    sections.push(
      `Bytes of tools per request, 50 apps of 20 actions\n${toTable(schemas.map(([name, bytes]) => [name, String(bytes)]))}`,
    )
  }
  if (Object.keys(report.appRequests).length > 0) {
    sections.push(
      `Model requests of a turn with calls in one app: the first turn / later ones\n${toTable(toAppRows(report))}`,
    )
  }
  for (const [extra, values] of Object.entries(report.extra)) {
    sections.push(
      `${extra}\n${toTable(Object.entries(values).map(([name, value]) => [name, String(value)]))}`,
    )
  }
  for (const { subject, measure, problems } of report.errors) {
    sections.push(`FAILED ${subject}, ${measure}: ${problems.join('; ')}`)
  }
  return `${sections.join('\n\n')}\n`
}

function toVersions({ versions }: BenchReport): string {
  return (
    Object.entries(versions)
      .filter(([, version]) => version !== THIS_REPOSITORY)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ') || 'no peers'
  )
}

function toCostRows({ rows, growth }: BenchReport): readonly (readonly string[])[] {
  const workloads = WORKLOAD_NAMES.filter((name) => rows.some((row) => row.workload === name))
  const subjects = [...new Set(rows.map((row) => row.subject))]
  const body = subjects.map((subject) => {
    const cells = workloads.map((workload) => {
      const row = rows.find((each) => each.workload === workload && each.subject === subject)
      if (!row) return '-'
      return row.ratioToFloor === null
        ? String(row.usPerIteration)
        : `${row.usPerIteration} (${row.ratioToFloor})`
    })
    return [subject, ...cells, String(growth[subject] ?? '-')]
  })
  return [['subject', ...workloads, 'growth'], ...body]
}

function toLedgerRows(ledger: LedgerComparison): readonly (readonly string[])[] {
  const toRow = (name: string, multiples: Multiples): readonly string[] => [
    name,
    ...WORKLOAD_NAMES.map((workload) => String(multiples[workload] ?? '-')),
  ]
  return [
    ['with its ledger on SQLite', ...WORKLOAD_NAMES],
    toRow('its own ledger in memory', ledger.vsMemory),
    toRow('ai-sdk', ledger.vsAiSdk),
    ...Object.entries(ledger.vsPersistedPeers).map(([name, multiples]) => toRow(name, multiples)),
    toRow('with its ledger in memory', {}).map((cell, column) => (column === 0 ? cell : '')),
    ...Object.entries(ledger.memoryVsPeers).map(([name, multiples]) => toRow(name, multiples)),
  ]
}

function toPostgresRows({ postgres }: BenchReport): readonly (readonly string[])[] {
  const workloads = WORKLOAD_NAMES.filter((name) =>
    Object.values(postgres).some(({ vsCapstan }) => vsCapstan[name] !== undefined),
  )
  const body = Object.entries(postgres).map(([subject, { durability, vsCapstan, vsCapstanSynced }]) => [
    subject,
    ...workloads.map((name) => `${vsCapstan[name] ?? '-'} (${vsCapstanSynced?.[name] ?? '-'})`),
    durability,
  ])
  return [['subject', ...workloads, 'a step is stored'], ...body]
}

function toPrefixRows({ prefix }: BenchReport): readonly (readonly string[])[] {
  const subjects = [...new Set(prefix.map((row) => row.subject))]
  const body = subjects.map((subject) => [
    subject,
    ...SCENARIOS.map((scenario) => {
      const row = prefix.find((each) => each.scenario === scenario && each.subject === subject)
      return row ? `${(row.retention * 100).toFixed(1)} %` : '-'
    }),
  ])
  return [['subject', ...SCENARIOS], ...body]
}

function toAppRows({ appRequests }: BenchReport): readonly (readonly string[])[] {
  const body = Object.entries(appRequests).map(([subject, rows]) => [
    subject,
    ...APP_CALLS.map((calls) => {
      const row = rows.find((each) => each.calls === calls)
      return row ? `${row.first} / ${row.later}` : '-'
    }),
  ])
  return [['subject', ...APP_CALLS.map((calls) => `${calls} ${calls === 1 ? 'call' : 'calls'}`)], ...body]
}

function toTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join('  '),
    )
    .join('\n')
}
