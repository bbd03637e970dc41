import { classifyCommand } from '@capstan/harness/tools'
import { createRandom } from '../crash-test/random.ts'
import type { Judged } from './corpus.ts'
import { EVERYDAY, TRICKS } from './corpus.ts'
import { generateLine } from './generate-lines.ts'
import type { Finding } from './read-trace.ts'
import type { Case } from './trace-lines.ts'
import { traceLines } from './trace-lines.ts'
import type { World } from './world.ts'
import { createWorld } from './world.ts'

/** What to generate. */
export interface FuzzOptions {
  readonly count: number
  readonly seed: string
  readonly jobs: number
}

/** What came of it. */
export interface FuzzReport {
  readonly generated: number
  readonly judgedRead: number
  readonly everydayRead: number
  readonly tricksRead: number
  readonly writes: number
  readonly connects: number
  readonly starts: number
  readonly secrets: number
  readonly seconds: number
  readonly findings: readonly Finding[]
}

const BATCH = 250

/** Generates different lines, judges each in both folders, and traces those that are judged to read. */
export async function fuzz({ count, seed, jobs }: FuzzOptions): Promise<FuzzReport> {
  const startedAt = performance.now()
  const worlds = Array.from({ length: jobs }, createWorld)
  try {
    const lines = generate(count, seed)
    const reads = ({ plain, hostile }: World): readonly Case[] =>
      lines.flatMap((line, index) => toCases(line, index, [plain, hostile]))
    const findings: Finding[] = []
    const perWorld = worlds.map(reads)
    const run = async (world: World, job: number): Promise<void> => {
      const cases = perWorld[job]!
      for (let at = job * BATCH; at < cases.length; at += BATCH * jobs)
        findings.push(...(await traceLines(cases.slice(at, at + BATCH), world.folder)))
    }
    await Promise.all(worlds.map(run))
    const judged = new Set(perWorld[0]!.map(({ line }) => line))
    const among = (list: readonly Judged[]): number =>
      list.filter(({ line }) => isRead(line, worlds[0]!.plain)).length
    return {
      generated: lines.length,
      judgedRead: judged.size,
      everydayRead: among(EVERYDAY),
      tricksRead: among(TRICKS),
      ...countKinds(findings),
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      findings,
    }
  } finally {
    for (const { remove } of worlds) remove()
  }
}

const isRead = (line: string, folder: string): boolean => classifyCommand(line, folder).class === 'read'

// Each shell gets the line, in one folder or the other where both may be used.
function toCases(line: string, index: number, folders: readonly string[]): readonly Case[] {
  const allowed = folders.filter((folder) => isRead(line, folder))
  if (allowed.length === 0) return []
  return (['dash', 'bash'] as const).map((shell, at) => ({
    line,
    shell,
    folder: allowed[(index + at) % allowed.length]!,
  }))
}

// The corpus itself comes first, then what is made of it. No line comes twice.
function generate(count: number, seed: string): readonly string[] {
  const random = createRandom('shell-fuzz', seed)
  const lines = new Set([...EVERYDAY, ...TRICKS].slice(0, count).map(({ line }) => line))
  while (lines.size < count) {
    const line = generateLine(random)
    if (!line.includes('\0') && line.length < 2_000) lines.add(line)
  }
  return [...lines]
}

function countKinds(
  findings: readonly Finding[],
): Pick<FuzzReport, 'writes' | 'connects' | 'starts' | 'secrets'> {
  const count = (kind: RegExp): number => findings.filter(({ what }) => kind.test(what)).length
  const connects = count(/^connects/)
  const starts = count(/^starts/)
  const secrets = count(/^shows/)
  return { writes: findings.length - connects - starts - secrets, connects, starts, secrets }
}
