import { ScriptedModel, says } from '@capstan/harness/testing'
import type {
  ApiProblem,
  LoginRow,
  Me,
  MemberLink,
  MemberRow,
  SettingsPatch,
  ThreadSummary,
  UserLimits,
} from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { openAuth } from '../../auth/auth.ts'
import { startServer } from '../../serve.ts'
import type { Client, TestServer } from '../test-server.fixture.ts'
import { connected, createFolder, redeem, startTestServer, toClient } from '../test-server.fixture.ts'
import { onTestFinished } from 'vitest'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function logInWith(server: TestServer, userId: string, agent: string): Promise<Client> {
  const answer = await redeem(server.url, server.auth.mintTicket(userId), { 'user-agent': agent })
  return toClient(server, answer.headers.getSetCookie()[0]!.split(';')[0]!, userId)
}

const loginsOf = async (client: Client): Promise<readonly LoginRow[]> =>
  (await client.json<{ logins: readonly LoginRow[] }>('GET', '/api/logins')).logins

async function problemOf(answer: Response): Promise<ApiProblem['error'] & { readonly status: number }> {
  return { ...((await answer.json()) as ApiProblem).error, status: answer.status }
}

const send = (client: Client, method: string, path: string, body?: unknown): Promise<Response> =>
  client.request(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })

describe('the list of logins', () => {
  it('has the device and the times of each login, and marks the one that asks', async () => {
    const server = await startTestServer()
    const desk = await logInWith(server, 'ada', FIREFOX)
    await logInWith(server, 'ada', '<script>alert(1)</script> iPhone')
    const logins = await loginsOf(desk)
    expect(logins.map(({ device, isThis }) => ({ device, isThis }))).toEqual(
      expect.arrayContaining([
        { device: 'Firefox on Linux', isThis: true },
        { device: 'iPhone', isThis: false },
      ]),
    )
    for (const { createdAt, usedAt } of logins) expect(usedAt).toBeGreaterThanOrEqual(createdAt)
    expect(JSON.stringify(logins)).not.toContain(desk.cookie.split('=')[1])
  })

  it('ends one login at once, with its socket, and leaves the others', async () => {
    const server = await startTestServer()
    const [desk, phone] = [await server.logIn('ada'), await server.logIn('ada')]
    const [there, here] = [phone.open(), desk.open()]
    expect([await connected(there), await connected(here)]).toEqual(['connected', 'connected'])
    const closed = new Promise((resolve) => there.once('disconnect', resolve))
    const other = (await loginsOf(desk)).find(({ isThis }) => !isThis)!
    expect((await send(desk, 'DELETE', `/api/logins/${other.id}`)).status).toBe(204)
    await closed
    expect((await phone.request('/api/me')).status).toBe(401)
    expect((await desk.request('/api/me')).status).toBe(200)
    expect(here.connected).toBe(true)
    expect((await send(desk, 'DELETE', `/api/logins/${other.id}`)).status).toBe(404)
  })

  it('ends all other logins of the user, and no login of another user', async () => {
    const server = await startTestServer()
    const [desk, phone, eve] = [
      await server.logIn('ada'),
      await server.logIn('ada'),
      await server.logIn('eve'),
    ]
    expect(await desk.json('POST', '/api/logins/revoke-others')).toEqual({ revoked: 1 })
    const statuses = [desk, phone, eve].map(async (one) => (await one.request('/api/me')).status)
    expect(await Promise.all(statuses)).toEqual([200, 401, 200])
  })
})

describe('what a user may do', () => {
  it('is said by the server: the owner everything, a member nothing of the machine', async () => {
    const server = await startTestServer()
    const owner = await (await server.logIn('local')).json<Me>('GET', '/api/me')
    const member = await (await server.logIn('ada')).json<Me>('GET', '/api/me')
    expect([owner.role, member.role]).toEqual(['owner', 'member'])
    expect(new Set(Object.values(owner.can))).toEqual(new Set([true]))
    expect(new Set(Object.values(member.can))).toEqual(new Set([false]))
  })
})

/** A server whose clock can be moved, so that a login is no longer fresh. */
async function startWithClock(): Promise<{ server: TestServer; pass: (ms: number) => void }> {
  const inner = await startTestServer()
  let ahead = 0
  const folder = await createFolder()
  const auth = openAuth({ folder, now: () => Date.now() + ahead })
  const running = await startServer({ assistant: inner.assistant, auth, port: 0, checkAnswers: true })
  onTestFinished(() => running.stop({ graceMs: 0 }))
  const logIn = async (userId = 'local'): Promise<Client> => {
    const answer = await redeem(running.url, auth.mintTicket(userId))
    return toClient(running, answer.headers.getSetCookie()[0]!.split(';')[0]!, userId)
  }
  return { server: { ...inner, ...running, auth, folder, logIn }, pass: (ms) => void (ahead += ms) }
}

const MACHINE: readonly [string, string, unknown][] = [
  ['PATCH', '/api/settings', { safetyMode: 'full' } satisfies SettingsPatch],
  ['PATCH', '/api/settings', { theme: 'dark', roots: ['/srv'] } satisfies SettingsPatch],
  ['PATCH', '/api/settings', { sharedRoots: ['/srv'] } satisfies SettingsPatch],
  ['POST', '/api/mcp-servers', { name: 'X', transport: { type: 'stdio', command: 'x', args: [] } }],
  ['PATCH', '/api/mcp-servers/files', { shared: true }],
  ['POST', '/api/members', { userId: 'ada' }],
  // The key is sent to the address in the name of a model, and that model then makes the calls.
  ['PATCH', '/api/settings', { model: 'http://evil.example/v1#model' } satisfies SettingsPatch],
  ['POST', '/api/settings/test-model', { model: 'http://evil.example/v1#model' }],
]

describe('what reaches the machine', () => {
  it.each(MACHINE)(
    'asks the owner to log in again after ten minutes: %s %s %j',
    async (method, path, body) => {
      const { server, pass } = await startWithClock()
      const owner = await server.logIn()
      pass(11 * 60_000)
      const problem = await problemOf(await send(owner, method, path, body))
      expect(problem).toMatchObject({ status: 403, code: 'login_again' })
      expect(await owner.json('GET', '/api/settings')).toMatchObject({ theme: 'system' })
      expect(server.auth.listMembers()).toEqual([])
      // A program with the install token is always fresh.
      const asProgram: RequestInit = {
        method,
        headers: { authorization: `Bearer ${server.auth.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }
      const byToken = await fetch(`${server.url}${path}`, asProgram)
      expect([200, 404]).toContain(byToken.status)
    },
  )

  it('is allowed again after a new ticket, which works once and only for the same user', async () => {
    const { server, pass } = await startWithClock()
    const owner = await server.logIn()
    pass(11 * 60_000)
    const again = (ticket: string): Promise<Response> => send(owner, 'POST', '/api/login/again', { ticket })
    expect(await problemOf(await again('guess'))).toMatchObject({ code: 'invalid', field: 'ticket' })
    expect((await again(server.auth.mintTicket('ada'))).status).toBe(400)
    expect((await send(owner, 'POST', '/api/members', { userId: 'ada' })).status).toBe(403)
    const ticket = server.auth.mintTicket()
    expect((await again(ticket)).status).toBe(204)
    expect((await again(ticket)).status).toBe(400)
    expect((await send(owner, 'POST', '/api/members', { userId: 'ada' })).status).toBe(200)
    expect(await loginsOf(owner)).toHaveLength(1)
    pass(11 * 60_000)
    // The login page of the same browser does the same, without a second login.
    const page = await redeem(server.url, server.auth.mintTicket(), { cookie: owner.cookie })
    expect(page.headers.getSetCookie()).toEqual([])
    expect((await send(owner, 'POST', '/api/members', { userId: 'eve' })).status).toBe(200)
    expect(await loginsOf(owner)).toHaveLength(1)
  })

  it('can be taken away without a fresh login', async () => {
    const { server, pass } = await startWithClock()
    const owner = await server.logIn()
    pass(11 * 60_000)
    for (const patch of [{ safetyMode: 'read-only' }, { roots: [] }, { sharedRoots: [] }])
      expect((await send(owner, 'PATCH', '/api/settings', patch)).status).toBe(200)
  })

  it('is never allowed to a member, however fresh the login is', async () => {
    const { server } = await startWithClock()
    const ada = await server.logIn('ada')
    for (const [method, path, body] of MACHINE)
      expect((await problemOf(await send(ada, method, path, body))).code).toBe('forbidden')
  })
})

describe('a member', () => {
  it('is added by the owner, logs in with the link, and is listed with the use of the logins', async () => {
    const server = await startTestServer()
    const owner = await server.logIn()
    const { member, link } = await owner.json<MemberLink>('POST', '/api/members', { userId: ' Grace ' })
    expect(member).toMatchObject({ userId: 'grace', logins: 0 })
    expect(link).toMatch(new RegExp(`^${server.url}/login\\?ticket=`))
    const answer = await redeem(server.url, new URL(link).searchParams.get('ticket')!)
    expect(answer.headers.getSetCookie()).toHaveLength(1)
    const { members } = await owner.json<{ members: readonly MemberRow[] }>('GET', '/api/members')
    expect(members).toEqual([expect.objectContaining({ userId: 'grace', logins: 1 })])
    for (const userId of ['grace', 'local', '', 'a b', '../x', '__proto__', 'ａda'])
      expect((await problemOf(await send(owner, 'POST', '/api/members', { userId }))).code).toBe('invalid')
  })

  it('who is removed is logged out at once, and no older ticket logs them in', async () => {
    const server = await startTestServer()
    const [owner, ada] = [await server.logIn(), await server.logIn('ada')]
    const older = server.auth.mintTicket('ada')
    const socket = ada.open()
    await connected(socket)
    const closed = new Promise((resolve) => socket.once('disconnect', resolve))
    expect((await send(owner, 'DELETE', '/api/members/ada')).status).toBe(204)
    await closed
    expect((await ada.request('/api/me')).status).toBe(401)
    expect((await redeem(server.url, older)).headers.getSetCookie()).toEqual([])
    expect((await send(owner, 'DELETE', '/api/members/ada')).status).toBe(404)
    expect((await send(owner, 'DELETE', '/api/members/local')).status).toBe(404)
    const { link } = await owner.json<MemberLink>('POST', '/api/members', { userId: 'ada' })
    expect((await redeem(server.url, older)).headers.getSetCookie()).toEqual([])
    const newer = new URL(link).searchParams.get('ticket')!
    expect((await redeem(server.url, newer)).headers.getSetCookie()).toHaveLength(1)
  })
})

describe('the limits of a member', () => {
  const LIMITS: UserLimits = {
    turnsAtOnce: 2,
    messagesPerMinute: 3,
    usdPerDay: 1,
    threads: 2,
    storedMegabytes: 100,
  }

  async function startLimited(limits: Partial<UserLimits>, model = new ScriptedModel(says('Hi.'))) {
    const server = await startTestServer({ model })
    const [owner, ada] = [await server.logIn(), await server.logIn('ada')]
    const wanted = {
      limits: { ...LIMITS, turnsAtOnce: 100, messagesPerMinute: 100, threads: 100, ...limits },
    }
    expect(await owner.json<MemberRow>('PATCH', '/api/members/ada', wanted)).toMatchObject(wanted)
    return { server, owner, ada }
  }

  const newThread = async (client: Client): Promise<string> =>
    (await client.json<ThreadSummary>('POST', '/api/threads', {})).id

  const say = (client: Client, threadId: string, messageId: string): Promise<Response> =>
    send(client, 'POST', `/api/threads/${threadId}/messages`, { text: 'Hello', messageId })

  it('hold for what is stored, name the largest conversations, and let go when one is deleted', async () => {
    const replies = Array.from({ length: 4 }, () => says('Hi.'))
    const { server, owner, ada } = await startLimited({ storedMegabytes: 1 }, new ScriptedModel(...replies))
    const threadId = await newThread(ada)
    const image = Buffer.alloc(700_000, '\x89PNG\r\n\x1a\n', 'latin1').toString('base64')
    const file = { name: 'tides.png', mediaType: 'image/png', data: image }
    const fill = { text: 'Tides', messageId: 'm1', attachments: [file] }
    expect((await send(ada, 'POST', `/api/threads/${threadId}/messages`, fill)).status).toBe(202)
    await server.assistant.threadsOf('ada').idle()
    const other = await newThread(ada)
    const more = { ...fill, messageId: 'm2' }
    const problem = await problemOf(await send(ada, 'POST', `/api/threads/${other}/messages`, more))
    expect(problem).toMatchObject({ status: 429, code: 'limit_reached', field: 'storedMegabytes' })
    expect(problem.message).toMatch(/Delete conversations.*The largest: "Tides" \(.*MB\)/)
    const { members } = await owner.json<{ members: readonly MemberRow[] }>('GET', '/api/members')
    expect(members[0]?.storedBytes).toBeGreaterThanOrEqual(700_000)
    await send(ada, 'DELETE', `/api/threads/${threadId}`)
    expect((await send(ada, 'POST', `/api/threads/${other}/messages`, more)).status).toBe(202)
  })

  it('hold for messages per minute, and say when to try again', async () => {
    const replies = Array.from({ length: 10 }, () => says('Hi.'))
    const { server, owner, ada } = await startLimited({ messagesPerMinute: 2 }, new ScriptedModel(...replies))
    const threadId = await newThread(ada)
    for (const id of ['m1', 'm2']) {
      expect((await say(ada, threadId, id)).status).toBe(202)
      await server.assistant.threadsOf('ada').idle()
    }
    const problem = await problemOf(await say(ada, threadId, 'm3'))
    expect(problem).toMatchObject({ status: 429, code: 'rate_limited' })
    expect(problem.retryAfterMs).toBeGreaterThan(50_000)
    const own = await newThread(owner)
    for (const id of ['m1', 'm2', 'm3']) {
      expect((await say(owner, own, id)).status).toBe(202)
      await server.assistant.threadsOf('local').idle()
    }
  })

  it('hold for turns at once, also for requests at the same time', async () => {
    const never = new Promise<never>(() => {})
    const model = { id: 'x/y', abilities: { tools: true, images: true, files: [] }, stream: () => never }
    const server = await startTestServer({ model })
    const ada = await server.logIn('ada')
    await server.assistant.limits.change('ada', { ...LIMITS, messagesPerMinute: 100, threads: 100 })
    const threads = await Promise.all(Array.from({ length: 6 }, () => newThread(ada)))
    const answers = await Promise.all(threads.map((id) => say(ada, id, `m-${id}`)))
    const refused = answers.filter(({ status }) => status !== 202)
    expect(refused).toHaveLength(4)
    expect(await problemOf(refused[0]!)).toMatchObject({ code: 'limit_reached', field: 'turnsAtOnce' })
    await server.assistant.stopTurns('ada')
    await server.assistant.threadsOf('ada').idle()
    expect((await say(ada, threads[5]!, 'later')).status).toBe(202)
  })

  it('hold for money and for conversations', async () => {
    const { owner, ada } = await startLimited({ usdPerDay: 0, threads: 2 })
    const [threadId] = [await newThread(ada), await newThread(ada)]
    expect(await problemOf(await say(ada, threadId, 'm1'))).toMatchObject({
      status: 429,
      code: 'limit_reached',
      field: 'usdPerDay',
    })
    const third = await send(ada, 'POST', '/api/threads', {})
    expect(await problemOf(third)).toMatchObject({ code: 'limit_reached', field: 'threads' })
    for (let count = 0; count < 3; count++) await newThread(owner)
  })
})
