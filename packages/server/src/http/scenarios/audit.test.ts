import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ScriptedModel } from '@capstan/harness/testing'
import type { MemberLink } from '@capstan/protocol'
import { expect, it, onTestFinished } from 'vitest'
import { openAuth } from '../../auth/auth.ts'
import { startServer } from '../../serve.ts'
import { openWorld } from '../../sessions/assistant.fixture.ts'
import { redeem, toClient } from '../test-server.fixture.ts'

const SECRET = 'a-very-secret-value'

/** The real assistant behind HTTP, with the owner logged in. */
async function openOwner() {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-audit-'))
  const shared = await mkdtemp(join(tmpdir(), 'capstan-papers-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  onTestFinished(() => rm(shared, { recursive: true, force: true }))
  const { assistant } = await openWorld({ folder, model: new ScriptedModel() })
  const auth = openAuth({ folder })
  const server = await startServer({ assistant, auth, port: 0, checkAnswers: true })
  onTestFinished(() => server.stop({ graceMs: 0 }))
  const logIn = async (userId: string) => {
    const answer = await redeem(server.url, auth.mintTicket(userId))
    return toClient(server, answer.headers.getSetCookie()[0]!.split(';')[0]!, userId)
  }
  return { assistant, shared, owner: await logIn('local'), logIn }
}

it('every change that matters for safety is a line of the audit log, with who, and without secrets', async () => {
  const { assistant, shared, owner, logIn } = await openOwner()
  const change = (patch: object) => owner.json('PATCH', '/api/settings', patch)
  await change({ theme: 'dark' })
  await change({ safetyMode: 'read-only' })
  await change({ roots: [shared], sharedRoots: [shared] })
  await change({ shell: 'ask', shellHosts: ['example.com'] })
  await change({ hosts: ['*.example.org'] })
  await change({ model: 'demo/scripted', modelKeys: { openai: SECRET } })
  const transport = { type: 'http', url: `https://mcp.example.org/mcp?key=${SECRET}` }
  await owner.json('POST', '/api/mcp-servers', { name: 'Files', transport })
  await owner.json('PATCH', '/api/mcp-servers/files', { isTrusted: true })
  await owner.json('PATCH', '/api/mcp-servers/files', { shared: true })
  const scopes = { read: true, write: true, admin: true }
  await owner.json('PUT', '/api/toolkits/files/scopes', scopes)
  await owner.json('DELETE', '/api/mcp-servers/files')
  await owner.json('PUT', '/api/secrets/github', { value: SECRET, hosts: ['api.github.com'] })
  await owner.json('DELETE', '/api/secrets/github')
  const { member } = await owner.json<MemberLink>('POST', '/api/members', { userId: 'ada' })
  await owner.json('PATCH', '/api/members/ada', { limits: { ...member.limits, usdPerDay: 1 } })
  const ada = await logIn('ada')
  await logIn('ada')
  await ada.json('POST', '/api/logins/revoke-others')
  await owner.json('DELETE', '/api/members/ada')
  await owner.json('POST', '/api/hold')
  await owner.json('POST', '/api/release')

  const lines = await assistant.store.audit.read()
  const shown = lines.map(({ userId, action, subject, facts }) =>
    [userId, action, subject, ...(facts ? [JSON.stringify(facts)] : [])].join(' '),
  )
  expect(shown.filter((line) => !line.includes(' login '))).toEqual([
    'local setting-change safetyMode {"from":"supervised","to":"read-only"}',
    `local setting-change roots {"added":"${shared}"}`,
    `local setting-change sharedRoots {"added":"${shared}"}`,
    'local setting-change shell {"from":"off","to":"ask"}',
    'local setting-change shellHosts {"added":"example.com"}',
    'local setting-change hosts {"added":"*.example.org"}',
    'local setting-change model {"from":"","to":"demo/scripted"}',
    'local setting-change modelKeys.openai {"isSet":true}',
    'local server-add files {"address":"https://mcp.example.org"}',
    'local server-change files {"isTrusted":true}',
    'local server-change files {"shared":true}',
    'local setting-change scopes.files {"read":true,"write":true,"admin":true}',
    'local server-remove files',
    'local secret-put github {"hosts":"api.github.com"}',
    'local secret-remove github',
    'local member-add ada',
    'local member-change ada {"turnsAtOnce":4,"messagesPerMinute":20,"usdPerDay":1,"threads":1000,"storedMegabytes":1000}',
    'ada login-end ada {"logins":1}',
    'local member-remove ada',
    'local hold  {"everybody":true}',
    'local release  {"everybody":true}',
  ])
  expect(shown.filter((line) => line.includes(' login '))).toHaveLength(3)
  expect(JSON.stringify(lines)).not.toContain(SECRET)
  expect(await assistant.store.audit.verify()).toMatchObject({ ok: true })
})
