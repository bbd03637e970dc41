import type { CallId } from '@capstan/protocol'
import type { Artifact, ArtifactWriter } from '../ports/artifact-store.ts'
import type { ToolPath } from './tool-path.ts'

export interface CallName {
  readonly callId: CallId
  readonly tool: string
}

/**
 * Writes an output to an artifact for as long as the store takes it. Never throws: a store without space costs the
 * rest of the output, never the result of a call that has run.
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

  /** Undefined when it could not be kept whole. */
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
