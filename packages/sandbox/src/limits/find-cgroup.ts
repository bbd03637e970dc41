import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isInside } from '../paths.ts'

/** A folder of the kernel in which a group of processes can be made. */
export interface CgroupPlace {
  readonly version: 1 | 2
  readonly folder: string
}

/** What the kernel says about this process: `/proc/self/cgroup` and `/proc/self/mountinfo`. */
export interface CgroupFacts {
  readonly groups: string
  readonly mounts: string
}

/** Empty when the kernel does not say. */
export function readCgroupFacts(): CgroupFacts {
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return ''
    }
  }
  return { groups: read('/proc/self/cgroup'), mounts: read('/proc/self/mountinfo') }
}

/**
 * Where a group could be made, the best first: inside our own group, so that its limits stay in force; beside it, because
 * version 2 forbids groups inside of one that holds processes. Pure; whether it works must be tried.
 */
export function findCgroupPlaces(facts: CgroupFacts): readonly CgroupPlace[] {
  return [...placesOf(2, facts), ...placesOf(1, facts)]
}

function placesOf(version: 1 | 2, facts: CgroupFacts): readonly CgroupPlace[] {
  const mount = findMount(version, facts.mounts)
  const path = ownPath(version, facts.groups)
  if (!mount || path === undefined || !isInside(mount.root, path)) return []
  const own = resolve(mount.at, '.' + path.slice(mount.root === '/' ? 0 : mount.root.length))
  const beside = dirname(own)
  const folders = version === 2 && isInside(mount.at, beside) ? [own, beside] : [own]
  return folders.map((folder) => ({ version, folder }))
}

function ownPath(version: 1 | 2, groups: string): string | undefined {
  for (const line of groups.split('\n')) {
    const [, controllers = '', path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? []
    if (version === 2 ? controllers === '' : controllers.split(',').includes('pids')) {
      if (path !== undefined) return path
    }
  }
  return undefined
}

function findMount(
  version: 1 | 2,
  mounts: string,
): { readonly root: string; readonly at: string } | undefined {
  for (const line of mounts.split('\n')) {
    const [before = '', after = ''] = line.split(' - ')
    const [, , , root, at] = before.split(' ')
    const [type, , options = ''] = after.split(' ')
    const isWanted =
      version === 2 ? type === 'cgroup2' : type === 'cgroup' && options.split(',').includes('pids')
    if (isWanted && root !== undefined && at !== undefined) return { root, at }
  }
  return undefined
}
