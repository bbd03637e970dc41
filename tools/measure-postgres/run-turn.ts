import { createSession, defineTool } from '@capstan/harness'
import type { ModelClient } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import type { TurnEvent } from '@capstan/protocol'
import { answerOf } from '../../bench/src/answers.ts'
import { LOOKUP } from '../../bench/src/script.ts'
import { INPUT_SCHEMA } from '../../bench/src/subject.ts'

interface TurnOptions {
  readonly store: Store
  readonly model: ModelClient
  readonly effect: 'read' | 'write'
  readonly onEvent?: (event: TurnEvent) => void
}

const MOST_ITERATIONS = 1_000

/** A turn in a new thread, to its end. As in the server, its message is safe before anything else happens. */
export async function runTurn({ store, model, effect, onEvent = () => {} }: TurnOptions): Promise<void> {
  const session = createSession({
    store,
    model,
    onEvent,
    tools: [
      defineTool({
        name: LOOKUP,
        description: 'Reads one entry by its number.',
        input: INPUT_SCHEMA,
        effect,
        returns: [],
        run: ({ i }) => answerOf(Number(i)),
      }),
    ],
    safety: { mode: 'full' },
    limits: { maxIterations: MOST_ITERATIONS },
    budget: { iterations: MOST_ITERATIONS },
  })
  const { outcome } = await session.submit('Read them all.')
  const { type, text } = await outcome
  if (type !== 'done') throw new Error(`a turn ended ${type}: ${text}`)
}
