import { SandboxError } from '@capstan/harness/sandbox'
import { canHoldByCgroup, createCgroupHold, limitsMemory } from './cgroup.ts'
import type { CgroupFacts, CgroupPlace } from './find-cgroup.ts'
import { findCgroupPlaces, readCgroupFacts } from './find-cgroup.ts'
import type { Hold, Holding } from './hold.ts'
import { findPidNamespaceHold } from './pid-namespace.ts'

/** What can be asked of the machine. Given in tests. */
export interface Machine {
  readonly isRoot?: boolean
  readonly cgroups?: CgroupFacts
  readonly kernel?: string
}

const NOTHING: Hold = { prefix: [], wasOutOfMemory: () => false, release() {} }

/**
 * The first way that works here: a cgroup; the kernel's own count of processes, which leaves the root user out; a
 * namespace with few process ids. Tries them for real.
 */
export function findHolding({
  isRoot = process.getuid?.() === 0,
  cgroups = readCgroupFacts(),
  kernel,
}: Machine = {}): Holding {
  const place = findCgroupPlaces(cgroups).find(canHoldByCgroup)
  if (place) return holdByCgroup(place)
  if (!isRoot) return { found: 'The kernel limits their processes.', create: () => NOTHING }
  const create = findPidNamespaceHold(kernel)
  if (create) return { found: 'A process namespace limits their processes.', create }
  return {
    found:
      'But their processes are only counted four times a second: a program that starts very many at once can take ' +
      'this machine down.',
    next: 'Run Capstan as a normal user, or give it a writable cgroup (systemd: Delegate=yes), or use Linux 6.14 or later.',
    create: () => NOTHING,
  }
}

function holdByCgroup(place: CgroupPlace): Holding {
  return {
    found: limitsMemory(place)
      ? 'A cgroup limits their processes and memory.'
      : 'A cgroup limits their processes.',
    create(limits) {
      try {
        return createCgroupHold(place, limits)
      } catch (error) {
        const why = (error as NodeJS.ErrnoException).code ?? 'error'
        throw new SandboxError('unavailable', `A cgroup for the program could not be made (${why}).`)
      }
    },
  }
}
