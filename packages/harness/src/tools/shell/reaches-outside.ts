import { lstatSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { isRepositoryMetadata, isSecretFile } from '../files/special-names.ts'
import type { Roots } from '../files/roots.ts'
import type { CommandVerdict } from './command-class.ts'
import type { Word } from './command-line.ts'
import { TALKS } from './programs.ts'

/**
 * Whether a command names something outside of the roots, or something inside them that file tools would refuse. It
 * looks at words, through links; a program may still open what no word names.
 */
export function reachesOutside(verdict: CommandVerdict, folder: string, roots: Roots): boolean {
  const runs = (...names: readonly string[]): boolean =>
    verdict.commands.some(({ words: [program] }) => names.includes(program?.text ?? ''))
  const moves = runs('cd', 'pushd', 'popd')
  const pipesNames = runs('xargs')
  const words = verdict.commands.flatMap(
    ({ grammar, assignments, words: [program, ...args], redirections }) => [
      ...grammar,
      ...assignments,
      // A path that is only printed is not opened, unless another program reads it.
      ...(TALKS.has(program?.text ?? '') && !pipesNames ? [] : args),
      ...redirections.map(({ target }) => target),
    ],
  )
  return words.some((word) => {
    if (moves && climbs(word)) return true
    return pathsIn(word).some((path) => isOutside(path, verdict, folder, roots))
  })
}

// After a change of folder, dots lead elsewhere than they seem to from here.
const climbs = ({ text }: Word): boolean => text.split('/').includes('..')

// The word itself, and what may stand behind an option or a name: --file=/x, -f/x, of=/x.
function pathsIn({ text, hasGlob }: Word): readonly string[] {
  const beforeGlob = text.slice(0, Math.max(0, text.search(/[*?[]/)))
  const written = hasGlob ? beforeGlob.slice(0, beforeGlob.lastIndexOf('/') + 1) : text
  const value = written.slice(written.indexOf('=') + 1)
  const attached = /^-\w([/~.].*)$/s.exec(written)?.[1]
  // A slash alone is what fields are cut at.
  const isSeparator = attached === undefined || attached === '/'
  return [...(written.startsWith('-') ? [] : [written]), value, ...(isSeparator ? [] : [attached])]
}

const STREAMS = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/

function isOutside(written: string, { class: reach }: CommandVerdict, folder: string, roots: Roots): boolean {
  if (written === '' || written.includes('\0') || STREAMS.test(written)) return false
  const path = resolve(folder, written.replace(/^~(?=\/|$)/, homedir()))
  const existing = deepestExisting(path)
  const isInside = roots.around(existing) !== undefined
  // To read what is not there does no harm, and many a pattern looks like a path.
  if (!isInside) return written.startsWith('~') || reach !== 'read' || isThere(path)
  if (isSecretFile(existing)) return true
  return reach !== 'read' && isRepositoryMetadata(path.slice(roots.around(existing)!.length))
}

function deepestExisting(path: string): string {
  for (let at = path; ; at = dirname(at)) {
    try {
      return realpathSync.native(at)
    } catch {
      if (at === dirname(at)) return at
    }
  }
}

function isThere(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}
