import type { CallId } from '@capstan/protocol'
import type { Artifact, ArtifactWriter } from '../ports/artifact-store.ts'
import type { ToolOutcome } from '../turn/tool-outcome.ts'
import { succeed } from '../turn/tool-outcome.ts'
import { createScrubStream } from './scrub/scrub-stream.ts'
import type { ToolPath } from './tool-path.ts'

/** An output as the rest of the path sees it: scrubbed, and small enough to hold. */
export interface HeldOutput {
  /** All of it, or the beginning when `artifact` keeps the whole. */
  readonly text: string
  /** Size of the whole, scrubbed. */
  readonly bytes: number
  readonly artifact?: Artifact
}

/** An outcome whose text may already have been taken in. */
export type HeldOutcome = ToolOutcome & { readonly held?: HeldOutput }

interface CallName {
  readonly callId: CallId
  readonly tool: string
}

/** Up to here an output is held; beyond it goes to an artifact while it is still coming in. */
export const MAX_HELD_CHARS = 64 * 1024

/**
 * Takes an output in pieces of any size and never holds more than a little of it. Everything passes the scrubber
 * first, so no later stage ever sees a raw secret.
 */
class OutputSink {
  readonly #path: ToolPath
  readonly #name: CallName
  readonly #scrub: ReturnType<typeof createScrubStream>
  #held = ''
  #bytes = 0
  #writer: ArtifactWriter | undefined

  constructor(path: ToolPath, name: CallName) {
    this.#path = path
    this.#name = name
    this.#scrub = createScrubStream(path.services.secrets)
  }

  async push(text: string): Promise<void> {
    for (let at = 0; at < text.length; at += MAX_HELD_CHARS) {
      await this.#take(this.#scrub.push(text.slice(at, at + MAX_HELD_CHARS)))
    }
  }

  async end(): Promise<HeldOutput> {
    await this.#take(this.#scrub.end())
    const artifact = await this.#writer?.close()
    return { text: this.#held, bytes: this.#bytes, artifact }
  }

  async discard(): Promise<void> {
    await this.#writer?.discard()
  }

  async #take(safe: string): Promise<void> {
    if (safe === '') return
    this.#bytes += Buffer.byteLength(safe)
    if (this.#writer) return this.#writer.write(safe)
    this.#held += safe
    if (this.#held.length <= MAX_HELD_CHARS) return
    const { services, run, limits } = this.#path
    this.#writer = services.artifacts.create({ threadId: run.threadId, ...this.#name })
    await this.#writer.write(this.#held)
    // A copy of its own: a slice would keep the whole text alive.
    this.#held = Buffer.from(this.#held.slice(0, limits.maxOutputBytes)).toString()
  }
}

/** A long text. Piece by piece, so that scrubbing it never makes a second long text. */
export async function holdLongText(text: string, name: CallName, path: ToolPath): Promise<HeldOutput> {
  const sink = new OutputSink(path, name)
  try {
    await sink.push(text)
    return await sink.end()
  } catch (error) {
    await sink.discard()
    throw error
  }
}

/** An output that comes in pieces: text or bytes. What a piece throws is the tool's failure. */
export async function drainOutput(
  output: AsyncIterable<unknown>,
  name: CallName,
  path: ToolPath,
): Promise<HeldOutcome> {
  const sink = new OutputSink(path, name)
  const decoder = new TextDecoder()
  try {
    for await (const piece of output) {
      await sink.push(piece instanceof Uint8Array ? decoder.decode(piece, { stream: true }) : String(piece))
    }
    await sink.push(decoder.decode())
    const held = await sink.end()
    return { ...succeed(held.text), held }
  } catch (error) {
    await sink.discard()
    throw error
  }
}
