import type { SandboxProfile } from '@capstan/harness/sandbox'
import { sanitizeLine } from '@capstan/harness/connectors'
import type { RefusedHost } from './network/host-proxy.ts'
import { isInside } from './paths.ts'
import { SYSTEM_FOLDERS } from './system-files.ts'
import type { PassedLimit } from './limits/watch-limits.ts'

/** What is known about a program that was confined. */
export interface Refusals {
  readonly profile: SandboxProfile
  readonly changedIn: string
  /** Seen by our own proxy. */
  readonly hosts: readonly RefusedHost[]
  readonly passed: { readonly limit: PassedLimit; readonly most: number } | undefined
}

const SAYS_READ_ONLY = /EROFS|read-only file ?system/i
const SAYS_NO_NETWORK =
  /ENETUNREACH|EAI_AGAIN|ENOTFOUND|network is unreachable|could not resolve|name resolution|getaddrinfo/i
const SAYS_MISSING = /ENOENT|no such file or directory|EACCES|permission denied|cannot find module/i
const MAX_PATH_CHARS = 200

/**
 * In words what a program was refused, with the setting that would allow it. Hosts and limits are facts; the rest is
 * guessed from what the program printed, and worded as a guess. Never says whether a file exists. Pure.
 */
export function explainRefusal(refusals: Refusals, printed: string): string | undefined {
  const sentences = [explainLimit(refusals), ...explainHosts(refusals), ...explainPrinted(refusals, printed)]
  const said = sentences.filter((sentence) => sentence !== undefined)
  return said.length === 0 ? undefined : said.join(' ')
}

function explainLimit({ passed }: Refusals): string | undefined {
  if (!passed) return undefined
  return passed.limit === 'memory'
    ? `The sandbox ended it because it used more than ${passed.most} MB of memory.`
    : `The sandbox ended it because it ran more than ${passed.most} processes at the same time.`
}

function explainHosts({ hosts, changedIn }: Refusals): readonly string[] {
  const [first, ...others] = hosts
  if (!first) return []
  const name = sanitizeLine(`${first.host}:${first.port}`, 120)
  const more = others.length === 0 ? '' : ` and ${others.length} other hosts`
  return [
    first.reason === 'private-address'
      ? `The sandbox refused ${name}${more}: the name leads to a private address. To allow it, add that address to the hosts in ${changedIn}.`
      : `The sandbox refused ${name}${more}. To allow it, add it to the hosts in ${changedIn}.`,
  ]
}

function explainPrinted({ profile, changedIn }: Refusals, printed: string): readonly string[] {
  const line = printed.split('\n').find((one) => SAYS_READ_ONLY.test(one) || SAYS_MISSING.test(one))
  const path = line === undefined ? undefined : outsidePath(line, profile)
  const sentences: string[] = []
  if (line !== undefined && SAYS_READ_ONLY.test(line))
    sentences.push(
      `It may not write ${path === undefined ? 'there' : `to ${path}`}. To allow it, add the folder with writing in ${changedIn}.`,
    )
  else if (path !== undefined)
    sentences.push(`It cannot see ${path}. If it should, add the folder in ${changedIn}.`)
  if (profile.network === 'off' && SAYS_NO_NETWORK.test(printed))
    sentences.push(`It has no network. If it needs one, allow it in ${changedIn}.`)
  return sentences
}

/** The first path in a line that the program cannot reach, or can only read. */
function outsidePath(line: string, { folders }: SandboxProfile): string | undefined {
  const paths = line.match(/\/[^\s'":,;()[\]]+/g) ?? []
  const isKnown = (path: string): boolean =>
    folders.some((folder) => folder.access === 'write' && isInside(folder.path, path)) ||
    ['/proc', '/dev', ...SYSTEM_FOLDERS].some((own) => isInside(own, path))
  const found = paths.find((path) => !isKnown(path))
  return found === undefined ? undefined : sanitizeLine(found, MAX_PATH_CHARS)
}
