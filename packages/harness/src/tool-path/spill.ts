import type { CallId } from '@capstan/protocol'
import type { Artifact, ArtifactWriter } from '../ports/artifact-store.ts'
import type { ToolPath } from './tool-path.ts'

/** What names the artifact of a call. */
export interface CallName {
  readonly callId: CallId
  readonly tool: string
}

/**
 * Writes an output to an artifact until the store fails. Never throws: when a store has no space, the rest of the output
 * is lost, never the result of the call.
 */
export class Spill {
  #writer: ArtifactWriter | undefined

  constructor(name: CallName, { services, run }: ToolPath) {
    try {
      this.#writer = services.artifacts.create({ threadId: run.threadId, ...name })
    } catch {}
  }

  async write(text: string): Promise<void> {
    try {
      await this.#writer?.write(text)
    } catch {
      await this.discard()
    }
  }

  /** Undefined when the output could not be kept whole. */
  async close(): Promise<Artifact | undefined> {
    try {
      return await this.#writer?.close()
    } catch {
      await this.discard()
      return undefined
    }
  }

  async discard(): Promise<void> {
    const writer = this.#writer
    this.#writer = undefined
    try {
      await writer?.discard()
    } catch {}
  }
}
