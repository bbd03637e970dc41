import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

const PACKED = '(?:archives?|zip|gzip|bzip2|xz|lzma|zstd|tar|rar|7z|compressed|jar|cpio|stream|header)'

/** A file that was to be unpacked or decoded is not what it was taken for, or is damaged. */
export const DAMAGE_RULES: readonly TextRule[] = [
  {
    name: 'unknown-packing',
    class: 'unsupported',
    pattern: anyOf`
      \bneed \w+ compat\b|\bcan(?:not|'t| not) identify (?:the )?(?:image|media|audio|video) ?file`,
  },
  {
    name: 'would-overwrite',
    class: 'conflict',
    pattern: anyOf`
      (?:^|\n)(?:replace|overwrite|would you like to replace)\b.{1,120}\?
      \bnot overwritten\b`,
  },
  {
    name: 'not-unpackable',
    class: 'invalid_input',
    pattern: anyOf`
      \bnot in \w+ format\b|\b(?:is )?not an? (?:valid )?${PACKED} ?(?:file|archive|format)?\b|does not look like an? \w+ archive
      \bis not \w+ archive|can ?not open the file as \[?\w*\]? ?archive|bad zip ?file|file format not recogni[sz]ed|unrecogni[sz]ed (?:archive|header|file) ?format|unrecogni[sz]ed header
      unexpected (?:end|eof)(?: of| in)? (?:file|archive|input|data)|premature end|ends? unexpectedly|ended before the end|truncated (?:\w+ )?(?:archive|file|input|header|data)
      central[- ]directory|end-of-central|end header not found|zip ?(?:file )?exception|incorrect header check|bad magic|magic number
      \bcrc\b.{0,20}(?:error|failed|mismatch)|checksum (?:error|mismatch|failed)|\bdata error\b|\b${PACKED}\b.{0,40}\bcorrupt|corrupt\w*\b.{0,40}\b${PACKED}\b
      refusing to create an empty|skipping to next header`,
  },
]
