import type { Artifact } from '../ports/artifact-store.ts'
import type { ToolOutcome } from '../turn/tool/tool-outcome.ts'
import { letOthersRun } from '../turn/let-others-run.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import { createScrubStream } from './scrub/scrub-stream.ts'
import type { CallName } from './spill.ts'
import { Spill } from './spill.ts'
import type { ToolPath } from './tool-path.ts'

/** An output for the rest of the path: scrubbed, and small enough to hold in memory. */
export interface HeldOutput {
  /** All of it, or the beginning of one that went to an artifact. */
  readonly text: string
  /** The size of the whole scrubbed output. */
  readonly bytes: number
  /** Set when `text` is only the beginning; without an artifact the rest could not be kept. */
  readonly rest?: { readonly artifact: Artifact | undefined }
}

/** An outcome whose text may already have been read. */
export type HeldOutcome = ToolOutcome & { readonly held?: HeldOutput }

/** Outputs up to this size are held in memory; larger ones go to an artifact while they arrive. */
export const MAX_HELD_CHARS = 64 * 1024

/** After so many characters of one long text the event loop gets a turn: scrubbing them takes about 10 ms. */
const PAUSE_IN_TEXT_CHARS = 2 * MAX_HELD_CHARS

/**
 * Takes an output in pieces of any size and holds only a little of it. Everything passes the scrubber first, so no later
 * stage sees a raw secret.
 */
class OutputSink {
  readonly #path: ToolPath
  readonly #name: CallName
  readonly #scrub: ReturnType<typeof createScrubStream>
  #held = ''
  #bytes = 0
  /** Whether the last piece ended in the middle of a character. */
  #endsInside = false
  #spill: Spill | undefined

  constructor(path: ToolPath, name: CallName) {
    this.#path = path
    this.#name = name
    this.#scrub = createScrubStream(path.services.secrets)
  }

  async push(text: string): Promise<void> {
    for (let at = 0; at < text.length; at += MAX_HELD_CHARS) {
      if (at > 0 && at % PAUSE_IN_TEXT_CHARS === 0) await letOthersRun()
      await this.#take(this.#scrub.push(text.slice(at, at + MAX_HELD_CHARS)))
    }
  }

  async end(): Promise<HeldOutput> {
    await this.#take(this.#scrub.end())
    if (!this.#spill) return { text: this.#held, bytes: this.#bytes }
    return { text: this.#held, bytes: this.#bytes, rest: { artifact: await this.#spill.close() } }
  }

  async discard(): Promise<void> {
    await this.#spill?.discard()
  }

  #count(safe: string): void {
    this.#bytes += Buffer.byteLength(safe)
    // Each half of a character counts as three bytes, and both together are four.
    if (this.#endsInside && /^[\udc00-\udfff]/.test(safe)) this.#bytes -= 2
    this.#endsInside = /[\ud800-\udbff]$/.test(safe)
  }

  async #take(safe: string): Promise<void> {
    if (safe === '') return
    this.#count(safe)
    if (this.#spill) return this.#spill.write(safe)
    this.#held += safe
    if (this.#held.length <= MAX_HELD_CHARS) return
    this.#spill = new Spill(this.#name, this.#path)
    await this.#spill.write(this.#held)
    // A copy: a slice would keep the whole text in memory.
    this.#held = Buffer.from(this.#held.slice(0, this.#path.limits.maxOutputBytes)).toString()
  }
}

/** Holds a long text piece by piece, so that scrubbing never makes a second long text. */
export async function holdLongText(text: string, name: CallName, path: ToolPath): Promise<HeldOutput> {
  const sink = new OutputSink(path, name)
  await sink.push(text)
  return sink.end()
}

/** Small pieces are joined up to this size, because each scrubbed piece has a fixed cost. */
const JOINED_CHARS = 16 * 1024
/** After so many characters the event loop gets a turn, even if the tool never waits. */
const PAUSE_AFTER_CHARS = 1024 * 1024

/**
 * Reads an output in pieces of text or bytes. An error of the iterator is a failure of the tool. Once the call was
 * abandoned, nothing more is read and nothing is kept.
 */
export async function drainOutput(
  output: AsyncIterable<unknown>,
  name: CallName,
  path: ToolPath,
  signal: AbortSignal,
): Promise<HeldOutcome> {
  const sink = new OutputSink(path, name)
  const discard = () => void sink.discard()
  signal.addEventListener('abort', discard, { once: true })
  const decoder = new TextDecoder()
  let joined = ''
  let taken = 0
  try {
    for await (const piece of output) {
      if (signal.aborted) return fail('It was stopped while its output came in.', { cancelled: true })
      joined += piece instanceof Uint8Array ? decoder.decode(piece, { stream: true }) : String(piece)
      taken += PIECE_CHARS
      if (joined.length >= JOINED_CHARS) {
        taken += joined.length
        await sink.push(joined)
        joined = ''
      }
      if (taken >= PAUSE_AFTER_CHARS) {
        taken = 0
        await letOthersRun()
      }
    }
    await sink.push(joined + decoder.decode())
    const held = await sink.end()
    return { ...succeed(held.text), held }
  } catch (error) {
    await sink.discard()
    throw error
  } finally {
    signal.removeEventListener('abort', discard)
  }
}

/** The size an empty piece counts as: a tool may yield empty pieces for ever. */
const PIECE_CHARS = 16
