import type { ScanOptions } from './reply-scanner.ts'
import { ReplyScanner } from './reply-scanner.ts'
import type { Segment } from './segment.ts'

/** The segments of a complete reply. */
export function scanReply(reply: string, options: ScanOptions): readonly Segment[] {
  const scanner = new ReplyScanner(options)
  return [...scanner.push(reply), ...scanner.end()]
}

/** The text of these segments, for people. */
export function displayOf(segments: readonly Segment[]): string {
  let display = ''
  for (const segment of segments) display += segment.text ?? ''
  return display
}
