/** What a tool answers: a line, JSON as an app sends it, or a piece of a log. */
export type AnswerKind = 'line' | 'json200' | 'json2k' | 'log16k'

/** Made once, so that writing it is not measured. */
export function answerOf(i: number, kind: AnswerKind = 'line'): string {
  return (MADE[kind][i] ??= ANSWERS[kind](i))
}

const MADE: Readonly<Record<AnswerKind, string[]>> = { line: [], json200: [], json2k: [], log16k: [] }

const ANSWERS: Readonly<Record<AnswerKind, (i: number) => string>> = {
  line: (i) => `Entry ${i} holds the value ${i * 7}.`,
  json200: (i) => JSON.stringify(toRecord(i)),
  json2k: (i) =>
    JSON.stringify({
      total: 10,
      next: null,
      items: Array.from({ length: 10 }, (_, n) => toRecord(i * 10 + n)),
    }),
  log16k: (i) => Array.from({ length: 160 }, (_, n) => toLogLine(i * 160 + n)).join('\n'),
}

/** About 200 bytes. */
function toRecord(i: number): object {
  return {
    id: `rec_${100_000 + i}`,
    title: `Quarterly plan, draft ${i}`,
    status: STATES[i % STATES.length],
    owner: { id: 40 + (i % 9), name: NAMES[i % NAMES.length] },
    value: i * 7,
    tags: ['plan', `q${(i % 4) + 1}`],
    url: `https://app.example/records/${100_000 + i}`,
    updatedAt: timeOf(i),
  }
}

/** About 100 bytes. */
function toLogLine(i: number): string {
  const level = i % 40 === 0 ? 'WARN' : 'INFO'
  return `${timeOf(i)} ${level} worker-${i % 6} handled request ${50_000 + i} of ${NAMES[i % NAMES.length]} in ${(i * 13) % 400} ms`
}

const STATES = ['open', 'in review', 'done'] as const
const NAMES = ['Ada', 'Grace', 'Linus', 'Margaret', 'Edsger'] as const

/** A day in 2026. */
const timeOf = (i: number): string => new Date(1_770_000_000_000 + i * 61_000).toISOString()
