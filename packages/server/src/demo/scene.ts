import type { DemoReply, Story } from './story.ts'

/** Something the script knows by heart. */
export interface Scene {
  /** What to type, and what it shows. Absent: it is not offered. */
  readonly offer?: { readonly prompt: string; readonly shows?: string }
  /** Whether its tools are there. */
  readonly isPossible: (story: Story) => boolean
  readonly fits: (words: string) => boolean
  readonly next: (story: Story) => DemoReply
}

export const always = (): boolean => true
export const needs =
  (...tools: readonly string[]) =>
  (story: Story): boolean =>
    tools.every((tool) => story.has(tool))
export const matches =
  (...patterns: readonly RegExp[]) =>
  (words: string): boolean =>
    patterns.every((pattern) => pattern.test(words))
