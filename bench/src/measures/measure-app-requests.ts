import { toolResultsOf } from '../canonical-request.ts'
import { toCall, toReply } from '../script.ts'
import type { AppsSubject, Subject, WriteAppTurn } from '../subject.ts'
import { createTape } from '../tape.ts'
import { answerOf } from '../answers.ts'
import { toFiftyApps } from './fifty-apps.ts'

/** How many calls in one app a turn makes, one after the other. */
export const APP_CALLS = [1, 2, 5] as const

/** Model requests of a turn, and of the next one in the same conversation. */
export interface AppRequests {
  readonly calls: number
  readonly first: number
  readonly later: number
}

export interface MeasuredAppRequests {
  /** By the form in which the subject takes apps. */
  readonly requests: Readonly<Record<string, readonly AppRequests[]>>
  readonly problems: readonly string[]
}

const DONE = 'It is read.'

/** Counts the model requests of turns that make calls in one app. */
export async function measureAppRequests(name: string, subject: Subject): Promise<MeasuredAppRequests> {
  const requests: Record<string, readonly AppRequests[]> = {}
  const problems: string[] = []
  const plain: AppsSubject = { open: (stage) => subject.open(stage), writeAppTurn: callTools }
  for (const [form, each] of Object.entries(subject.withApps ?? { [name]: plain })) {
    const rows: AppRequests[] = []
    for (const calls of APP_CALLS) {
      const { problem, ...row } = await count(each, calls, subject.withApps !== undefined)
      if (problem === undefined) rows.push(row)
      else problems.push(`${form}, ${calls} calls: ${problem}`)
    }
    requests[form] = rows
  }
  return { requests, problems }
}

/** For a subject in which each action of an app is a tool. */
const callTools: WriteAppTurn = ({ calls }) =>
  calls.map(({ id, tool, i }) => toReply([], [toCall(id, tool, { i })]))

async function count(
  { open, writeAppTurn }: AppsSubject,
  calls: number,
  takesApps: boolean,
): Promise<AppRequests & { readonly problem?: string }> {
  const [app] = toFiftyApps()
  if (!app) throw new Error('there is no app')
  const toTurn = (isFirst: boolean) =>
    writeAppTurn({
      app,
      isFirst,
      calls: app.tools.slice(0, calls).map(({ name }, n) => {
        const i = isFirst ? n : calls + n
        return { id: i, tool: name, i }
      }),
    })
  const turns = [toTurn(true), toTurn(false)]
  const replies = turns.flatMap((turn) => [...turn, toReply([DONE])])
  const tape = createTape({ replies, finalText: DONE, lookups: [] }, 'all')
  const conversation = await open({
    instructions: 'You are helpful.',
    tools: takesApps ? [] : app.tools,
    apps: [app],
    tape,
    maxIterations: replies.length,
  })
  const texts = [await conversation.send('Read the registers.')]
  const first = tape.modelCalls
  texts.push(await conversation.send('And the next ones.'))
  await conversation.close?.()
  const seen = tape.requests.flatMap((request) => toolResultsOf(request))
  const missing = Array.from({ length: 2 * calls }, (_, i) => answerOf(i)).filter(
    (answer) => !seen.some((result) => result.includes(answer)),
  )
  const row = { calls, first, later: tape.modelCalls - first }
  if (texts.some((text) => text !== DONE)) return { ...row, problem: `answered "${texts.join('", "')}"` }
  if (missing.length > 0) return { ...row, problem: `the model did not see: ${missing.join(' ')}` }
  return row
}
