import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder, missing } from './confined.fixture.ts'
import { guardArguments } from './guard.ts'
import type { Mount } from './mounts.ts'
import { bindArguments } from './mounts.ts'
import { systemArguments } from './system-files.ts'

const LIMITS = { processes: 10, memoryMb: 64, fileMb: 1 }

function createMounts() {
  const outer = join(makeFolder(), "it's outer")
  const inner = join(outer, 'inner')
  mkdirSync(inner, { recursive: true })
  return [outer, inner].map((path): Mount => ({ source: path, at: path, access: 'read' }))
}

/** Runs the guard where other things are mounted than it was told. */
function runGuard(told: readonly Mount[], mounted: readonly Mount[]) {
  const options = ['--unshare-all', ...systemArguments('off'), ...mounted.flatMap(bindArguments)]
  const args = [...options, '--', ...guardArguments(told, LIMITS), 'echo', 'ran']
  const { stdout, stderr, status } = spawnSync('bwrap', args, { encoding: 'utf8' })
  return { stdout, stderr, status }
}

describe.skipIf(missing !== undefined)('the guard of a start', () => {
  it('lets a program start when all is mounted as it was told', () => {
    const mounts = createMounts()
    expect(runGuard(mounts, mounts)).toEqual({ stdout: 'ran\n', stderr: '', status: 0 })
  })

  it('notices that an inner folder is not laid over the outer one, though the right one shows', () => {
    const [outer, inner] = createMounts()
    expect(runGuard([outer!, inner!], [outer!])).toMatchObject({ stdout: '', status: 126 })
  })

  it('throws for a path that is gone', () => {
    expect(() => guardArguments([{ source: '/nowhere', at: '/x', access: 'read' }], LIMITS)).toThrow(
      'replaced',
    )
  })
})
