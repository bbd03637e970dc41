import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createListener, createThread } from '../load-test/listener.ts'
import type { RunningCluster } from './start-cluster.ts'
import { startCluster } from './start-cluster.ts'
import type { Role } from './start-node.ts'

const KEYS = ['CAPSTAN_MODEL', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY']
const PUBLIC = 'https://capstan.example.org'

async function start(...roles: readonly Role[]): Promise<{ cluster: RunningCluster; lines: string[] }> {
  const home = await mkdtemp(join(tmpdir(), 'capstan-cluster-test-'))
  await chmod(home, 0o711)
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const key of KEYS) vi.stubEnv(key, undefined)
  vi.stubEnv('OLLAMA_HOST', '127.0.0.1:9')
  const lines: string[] = []
  const args = ['--no-demo', '--fast', '--origin', PUBLIC]
  const cluster = await startCluster({ home, roles, port: 0, args, print: (line) => lines.push(line) })
  onTestFinished(() => cluster.stop())
  return { cluster, lines }
}

async function logIn(url: string, link: string): Promise<string> {
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URL(link).searchParams,
  })
  return answer.headers.getSetCookie()[0]!.split(';')[0]!
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a cluster on one machine', () => {
  it('is one assistant behind one link, also when a node dies', { timeout: 120_000 }, async () => {
    const { cluster, lines } = await start('all', 'web', 'all')
    const { url, link, nodes } = cluster
    const cookie = await logIn(url, link)
    const readMe = async () => (await fetch(`${url}/api/me`, { headers: { cookie } })).status
    expect([await readMe(), await readMe(), await readMe()]).toEqual([200, 200, 200])
    const diagnostics = await fetch(`${url}/api/diagnostics`, { headers: { cookie } })
    expect(await diagnostics.text()).toContain('The data in PostgreSQL can be read and written.')
    // A link for a person elsewhere, as in the log of a container.
    expect(new URL(nodes[0]!.link).origin).toBe(PUBLIC)

    const listeners = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const threadId = await createThread(url, cookie)
        return createListener({ url, sendUrl: url, cookie, threadId })
      }),
    )
    await Promise.all(listeners.map((listener) => listener.sendUntil(Date.now() + 50)))
    nodes[0]!.kill()
    await expect.poll(() => lines).toContain('node-1 ended: SIGKILL')
    await expect.poll(async () => [await readMe(), await readMe(), await readMe()]).toEqual([200, 200, 200])
    // Its socket reconnects to another node and misses nothing.
    await Promise.all(listeners.map((listener) => listener.sendUntil(Date.now() + 50)))
    for (const listener of listeners) {
      const { turns, gaps, repeats } = listener.close()
      expect(turns).toBeGreaterThanOrEqual(2)
      expect({ gaps, repeats }).toEqual({ gaps: 0, repeats: 0 })
    }

    await cluster.stop()
    expect(nodes.map(({ pid }) => isAlive(pid))).toEqual([false, false, false])
    await expect(fetch(url)).rejects.toThrow()
  })
})
