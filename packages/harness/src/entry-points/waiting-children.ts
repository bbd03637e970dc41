import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import type { SubAgentResult, WaitingChild } from './child-run.ts'

const MAX_WAITING = 100

/** Children that wait for an answer, by name. When there are too many, the oldest is dropped. */
export class WaitingChildren {
  readonly #children = new Map<string, WaitingChild>()
  #count = 0

  find(name: string): WaitingChild | undefined {
    return this.#children.get(name)
  }

  remove(name: string): void {
    this.#children.delete(name)
  }

  /** The tool result for the parent. Only `completed` reads as success. */
  toOutcome(id: string, result: SubAgentResult<unknown>): ToolOutcome {
    const { status, text, failure, continuation, missingModel } = result
    const account = result.account === undefined ? '' : ` ${result.account}`
    const goOn = continuation
      ? ` To let it go on, call continue_agent with agent "${this.#keep(continuation as WaitingChild)}".`
      : ''
    const ranOn =
      missingModel === undefined
        ? ''
        : `It ran on the model of its parent, because "${missingModel}" cannot be had. `
    switch (status) {
      case 'completed':
        return ranOn === '' ? succeed(text) : { ...succeed(text), lead: ranOn }
      case 'awaiting-user':
        return {
          ...succeed(text),
          lead:
            `${ranOn}The agent "${id}" waits for an answer of the user; its task is not done yet. Relay its question ` +
            `and do not delegate again.${goOn}${account}\nIts question: `,
        }
      case 'incomplete':
        return {
          ...fail(text, { failure }),
          lead: `${ranOn}The agent "${id}" did NOT finish. Do not report this as done.${goOn}${account}\nSo far: `,
        }
      case 'failed':
        return {
          ...fail(text, { failure }),
          lead: `${ranOn}The agent "${id}" failed and its work is not done. Do not claim success.${account}\n`,
        }
    }
  }

  // The name must not look like a secret token: scrubbing would remove it from the output.
  newName(id: string, before = 0): string {
    this.#count = Math.max(this.#count, before) + 1
    return `${id}_${this.#count}`
  }

  #keep(child: WaitingChild): string {
    const { name } = child
    this.#children.set(name, child)
    if (this.#children.size > MAX_WAITING) this.#children.delete(this.#children.keys().next().value!)
    return name
  }
}
