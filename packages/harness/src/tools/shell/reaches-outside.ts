import { lstatSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { isRepositoryMetadata, isSecretFile } from '../files/special-names.ts'
import type { Roots } from '../files/roots.ts'
import type { CommandVerdict } from './command-class.ts'
import { foldersOf } from './folders-of.ts'
import { followPath } from './follow-path.ts'
import { matchNames } from './match-names.ts'
import { TALKS } from './programs.ts'

/**
 * Whether a command names something outside of the roots, or something inside them that file tools would refuse. It
 * looks at words, through links, from every folder that the line may go to; a program may still open what no word names.
 * The folder is a true path.
 */
export function reachesOutside(verdict: CommandVerdict, folder: string, roots: Roots): boolean {
  const folders = foldersOf(verdict.commands, folder)
  if (!folders) return true
  const pipesNames = verdict.commands.some(({ words: [program] }) => program?.text === 'xargs')
  const words = verdict.commands.flatMap(
    ({ grammar, assignments, words: [program, ...args], redirections }) => [
      ...grammar,
      ...assignments,
      // A path that is only printed is not opened, unless another program reads it.
      ...(TALKS.has(program?.text ?? '') && !pipesNames ? [] : args),
      ...redirections.map(({ target }) => target),
    ],
  )
  const moves = folders.length > 1
  return words.some((word) => {
    if (moves && climbs(word.text)) return true
    return pathsIn(word.text).some((path) =>
      folders.some((from) => isOutside(path, word.hasGlob, verdict, followPath('/', from), roots)),
    )
  })
}

// After a change of folder, dots lead elsewhere than they seem to from here.
const climbs = (text: string): boolean => text.split('/').includes('..')

// The word itself, and what may stand behind an option or a name: --file=/x, -f/x, of=/x.
function pathsIn(text: string): readonly string[] {
  const value = text.slice(text.indexOf('=') + 1)
  const attached = /^-\w([/~.].*)$/s.exec(text)?.[1]
  // A slash alone is what fields are cut at.
  const isSeparator = attached === undefined || attached === '/'
  return [...(text.startsWith('-') ? [] : [text]), value, ...(isSeparator ? [] : [attached])]
}

const STREAMS = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/
const GLOB = /[*?[]/

function isOutside(
  written: string,
  hasGlob: boolean,
  verdict: CommandVerdict,
  folder: string,
  roots: Roots,
): boolean {
  if (written === '' || written.includes('\0') || STREAMS.test(written)) return false
  if (written.startsWith('~')) {
    // Another user's folder, or the one before.
    if (!/^~(\/|$)/.test(written) || hasGlob) return true
    return leadsOutside('/', `${homedir()}/${written.slice(2)}`, true, verdict, roots)
  }
  if (!hasGlob || !GLOB.test(written)) return leadsOutside(folder, written, false, verdict, roots)
  // Dots behind a pattern lead up from wherever it led to.
  if (climbs(written.slice(written.search(GLOB)))) return true
  const firstName = written.slice(0, written.search(GLOB)).lastIndexOf('/') + 1
  const before = written.slice(0, firstName)
  if (leadsOutside(folder, before, false, verdict, roots)) return true
  const names = matchNames(written.slice(firstName), followPath(folder, before))
  return names === undefined || names.some((path) => leadsOutside('/', path, false, verdict, roots))
}

// Some programs take the dots away themselves, before they follow a link.
const leadsOutside = (
  folder: string,
  written: string,
  isHome: boolean,
  verdict: CommandVerdict,
  roots: Roots,
): boolean =>
  [written, resolve(folder, written)].some((path) =>
    isPathOutside(followPath(folder, path), isHome, verdict, roots),
  )

function isPathOutside(
  path: string,
  isHome: boolean,
  { class: reach }: CommandVerdict,
  roots: Roots,
): boolean {
  const existing = deepestExisting(path)
  const root = roots.around(existing)
  // To read what is not there does no harm, and many a pattern looks like a path.
  if (root === undefined) return isHome || reach !== 'read' || isThere(path)
  if (isSecretFile(existing)) return true
  return reach !== 'read' && isRepositoryMetadata(path.slice(root.length))
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
