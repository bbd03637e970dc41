import { toolBytes } from '../canonical-request.ts'
import { toReply } from '../script.ts'
import type { Subject } from '../subject.ts'
import { createTape } from '../tape.ts'
import { toFiftyApps } from './fifty-apps.ts'

export interface MeasuredSchema {
  /** What is sent as tools with one request, by the form in which the subject takes apps. */
  readonly bytes: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

const DONE = 'Hello.'

/** How much every request carries once fifty apps of twenty actions are connected. */
export async function measureSchemaBytes(name: string, subject: Subject): Promise<MeasuredSchema> {
  const apps = toFiftyApps()
  const bytes: Record<string, number> = {}
  const problems: string[] = []
  for (const [form, each] of Object.entries(subject.withApps ?? { [name]: subject })) {
    const tape = createTape({ replies: [toReply([DONE])], finalText: DONE, lookups: [] }, 'all')
    const conversation = await each.open({
      instructions: 'You are helpful.',
      tools: subject.withApps ? [] : apps.flatMap(({ tools }) => tools),
      apps,
      tape,
      maxIterations: 2,
    })
    const text = await conversation.send('Hello?')
    await conversation.close?.()
    const [request] = tape.requests
    if (text !== DONE || !request) problems.push(`${form} answered "${text}"`)
    else if (request.tools.length === 0) problems.push(`${form} sent no tools`)
    else bytes[form] = toolBytes(request)
  }
  return { bytes, problems }
}
