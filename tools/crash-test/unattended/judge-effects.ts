import { existsSync, readFileSync } from 'node:fs'
import type { LedgerRecord, Store } from '@capstan/harness/stores'
import type { CallId, RunId } from '@capstan/protocol'
import type { Finding } from '../counts.ts'
import { roundFiles } from '../round-files.ts'
import { readEffects } from '../services.ts'
import { answersPath } from './play-round.ts'

/** Every effect was allowed by a person, was done once, and is told. */
export async function judgeEffects(
  { approvals }: Store,
  folder: string,
  records: readonly LedgerRecord[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const allowed = readAnswers(folder)
  const done = new Set<string>()
  const results = new Map(
    records.flatMap((record) =>
      record.type === 'call-result' ? [[`${record.runId}/${record.result.callId}`, record.result]] : [],
    ),
  )
  for (const { tool, key } of readEffects(roundFiles(folder).effects)) {
    const [runId, callId] = key.split('/') as [RunId, CallId]
    const asked = await approvals.findByCall(runId, callId)
    if (!asked || !allowed.has(asked.id) || !asked.decision?.startsWith('allow'))
      findings.push({
        count: 'effectsWithoutPerson',
        text: `${tool} of ${key} was done, and its question ended ${asked?.decision ?? 'nowhere'}`,
      })
    if (done.has(key)) findings.push({ count: 'duplicateWrites', text: `${tool} of ${key} was done twice` })
    done.add(key)
    const result = results.get(key)
    if (!result || (!result.ok && result.failure?.class !== 'interrupted'))
      findings.push({ count: 'unnamedUnknowns', text: `${tool} of ${key} was done and is not told` })
  }
  return findings
}

/** The questions that a person allowed. */
function readAnswers(folder: string): ReadonlySet<string> {
  const path = answersPath(folder)
  if (!existsSync(path)) return new Set()
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return new Set(
    lines.flatMap((line) => {
      const { id, decision } = JSON.parse(line) as { id: string; decision: string }
      return decision.startsWith('allow') ? [id] : []
    }),
  )
}
