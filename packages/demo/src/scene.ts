import type { DemoReply, DemoTurn } from './demo-turn.ts'

/** One dialogue of the script. */
export interface Scene {
  /** What to type, and what it shows. A scene without it is not offered. */
  readonly offer?: { readonly prompt: string; readonly shows?: string }
  /** Whether its tools exist. */
  readonly isPossible: (turn: DemoTurn) => boolean
  readonly fits: (words: string) => boolean
  readonly next: (turn: DemoTurn) => DemoReply
}

export const always = (): boolean => true
export const needs =
  (...tools: readonly string[]) =>
  (turn: DemoTurn): boolean =>
    tools.every((tool) => turn.has(tool))
/** A prompt of the script is short. */
const MAX_CHARS = 500
export const matches =
  (...patterns: readonly RegExp[]) =>
  (words: string): boolean =>
    patterns.every((pattern) => pattern.test(words.slice(0, MAX_CHARS)))
