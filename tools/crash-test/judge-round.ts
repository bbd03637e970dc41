import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openEmbeddedStore } from '@capstan/stores'
import type { Finding } from './counts.ts'
import { openJournal } from './journal.ts'
import { judgeEvidence, readRecords } from './judge-evidence.ts'
import { roundFiles } from './round-files.ts'
import type { Scenario } from './scenario.ts'
import { readEffects } from './services.ts'

/** Judges what a round left in its folder. */
export async function judgeRound(folder: string, scenario: Scenario): Promise<readonly Finding[]> {
  const files = roundFiles(folder)
  const store = openEmbeddedStore({ folder: files.store })
  try {
    const { lines } = openJournal(files.journal)
    return await judgeEvidence({
      scenario,
      lines,
      isLossTold: lines.some(({ type }) => type === 'loss'),
      effects: readEffects(files.effects),
      records: await readRecords(store, scenario),
      store,
    })
  } finally {
    await store.close()
  }
}

/** Checks the integrity of the database files. */
export function checkDatabases(folder: string): readonly Finding[] {
  const findings: Finding[] = []
  for (const name of globSync('**/*.{db,sqlite,sqlite3}', { cwd: roundFiles(folder).store })) {
    const database = new DatabaseSync(join(roundFiles(folder).store, name))
    const rows = database.prepare('PRAGMA integrity_check').all() as { integrity_check: string }[]
    database.close()
    for (const { integrity_check: text } of rows) {
      if (text !== 'ok') findings.push({ count: 'invariantBreaks', text: `${name}: ${text}` })
    }
  }
  return findings
}

/** What the processes of a round wrote to standard error. */
export function readErrors(folder: string): string {
  const { errors } = roundFiles(folder)
  return existsSync(errors) ? readFileSync(errors, 'utf8').trim() : ''
}
