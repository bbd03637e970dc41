import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tryTool } from '../../testing/try-tool.ts'
import { createWebFetchTool } from '../web-fetch.ts'

// Names as an attacker's DNS server would answer them. What is not listed does not exist.
const NAMES: Record<string, readonly string[]> = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'sub.localhost': ['127.0.0.1'],
  'localhost.localdomain': ['127.0.0.1'],
  'ip6-localhost': ['::1'],
  'localtest.me': ['127.0.0.1'],
  'deep.under.localtest.me': ['::1'],
  'lvh.me': ['127.0.0.1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
  '7f000001.nip.io': ['127.0.0.1'],
  'app-127-0-0-1.sslip.io': ['127.0.0.1'],
  '169.254.169.254.nip.io': ['169.254.169.254'],
  'metadata.google.internal': ['169.254.169.254'],
  'metadata.google.internal.': ['169.254.169.254'],
  'instance-data.ec2.internal': ['169.254.169.254'],
  'two-faces.test': ['93.184.216.34', '127.0.0.1'],
  'two-faces-first.test': ['127.0.0.1', '93.184.216.34'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'nat64.test': ['64:ff9b::7f00:1'],
  'six-to-four.test': ['2002:7f00:1::1'],
  'zone.test': ['fe80::1%lo'],
  'nonsense.test': ['not an address'],
  'empty.test': [],
  'xn--fiqs8s.test': ['10.0.0.8'],
}
const resolve = async (name: string) => NAMES[name] ?? []

// PORT is that of the listener, which takes whatever reaches this machine.
const FORMS: readonly string[] = [
  // plain, and all the ways to write 127.0.0.1
  'http://127.0.0.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://127.1:PORT/',
  'http://127.0.1:PORT/',
  'http://127.255.255.254:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7F.0x0.0x0.0x1:PORT/',
  'http://0x7f.1:PORT/',
  'http://017700000001:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://0177.0.0.01:PORT/',
  'http://00000177.0.0.1:PORT/',
  'http://127.0.0x0.1:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://127%2e0%2e0%2e1:PORT/',
  'http://①②⑦.⓪.⓪.①:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://127。0。0。1:PORT/',
  'http://127.0.0.1\t:PORT/',
  'http:127.0.0.1:PORT/',
  'http:///127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  ' http://127.0.0.1:PORT/ ',
  'HTTP://127.0.0.1:PORT/',
  'http://127.0.0.1:PORT\\@93.184.216.34/',
  'http://127.0.0.1:PORT#@93.184.216.34/',
  'http://127.0.0.1:PORT?@93.184.216.34/',
  // this machine by its other names and numbers
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://0x0:PORT/',
  'http://[::]:PORT/',
  'http://[::1]:PORT/',
  'http://[0:0:0:0:0:0:0:1]:PORT/',
  'http://[0000::0001]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'http://[::ffff:0:127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::]:PORT/',
  ...Object.keys(NAMES)
    .filter((name) => name !== 'xn--fiqs8s.test')
    .map((name) => `http://${name}:PORT/`),
  'http://LOCALHOST:PORT/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:PORT/',
  'http://中国.test:PORT/',
  // the metadata services of clouds
  'http://169.254.169.254/latest/meta-data/',
  'http://2852039166/',
  'http://0xa9fea9fe/',
  'http://025177524776/',
  'http://0251.0376.0251.0376/',
  'http://0xA9.0xFE.0xA9.0xFE/',
  'http://169.254.43518/',
  'http://169.16689662/',
  'http://425.510.425.510/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[fd00:ec2::254]/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://168.63.129.16/',
  // networks at home and at work
  'http://10.0.0.1/',
  'http://172.16.0.1/',
  'http://192.168.0.1/',
  'http://[fe80::1]/',
  'http://[fe80::1%25lo]:PORT/',
  'http://[fc00::1]/',
  'http://224.0.0.1/',
  'http://255.255.255.255/',
  // other schemes and forms
  'https://127.0.0.1:PORT/',
  'file:///etc/passwd',
  'ftp://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/_GET',
  'data:text/plain,hello',
  'ws://127.0.0.1:PORT/',
  'http://user@127.0.0.1:PORT/',
  'http://user:password@93.184.216.34/',
  'http://93.184.216.34@127.0.0.1:PORT/',
  'blob:http://127.0.0.1:PORT/x',
  '//127.0.0.1:PORT/',
  '127.0.0.1:PORT',
]

let inner: Server
let connections = 0
let port = 0

beforeAll(async () => {
  inner = createServer((_request, response) => response.end('inner secret'))
  inner.on('connection', () => connections++)
  // Every address of this machine.
  await new Promise<void>((done) => inner.listen(0, done))
  port = (inner.address() as AddressInfo).port
})

afterAll(async () => {
  await new Promise((done) => inner.close(done))
})

const withPort = (form: string) => form.replaceAll('PORT', String(port))

describe('an internal address', () => {
  it('has more than 60 forms in this list', () => {
    expect(new Set(FORMS).size).toBeGreaterThan(60)
  })

  it.each(FORMS)('is not fetched as %s', async (form) => {
    const outcome = await tryTool(createWebFetchTool({ resolve }), { url: withPort(form) })
    expect(outcome.ok).toBe(false)
    expect(outcome.text).not.toContain('inner secret')
    // Refused before the network was asked, never a connection that failed.
    const refusedBy = outcome.deniedBy ?? outcome.errorCode
    expect(['policy', 'invalid_arguments', 'ENOTFOUND']).toContain(refusedBy)
    expect(connections).toBe(0)
  })

  it('could be reached without the check, so the refusals prove something', async () => {
    const before = connections
    const tool = createWebFetchTool({ allowHosts: [`127.0.0.1:${port}`] })
    const outcome = await tryTool(tool, { url: withPort('http://127.0.0.1:PORT/') })
    expect(outcome.text).toContain('inner secret')
    expect(connections).toBe(before + 1)
  })

  it('stays refused at other ports and names than the allowed one', async () => {
    const before = connections
    const tool = createWebFetchTool({
      resolve,
      allowHosts: [`127.0.0.1:${port + 1}`, `localtest.me:${port + 1}`],
    })
    for (const form of ['http://127.0.0.1:PORT/', 'http://localtest.me:PORT/', 'http://[::1]:PORT/']) {
      expect(await tryTool(tool, { url: withPort(form) })).toMatchObject({ deniedBy: 'policy' })
    }
    expect(connections).toBe(before)
  })
})

describe('a public page that redirects to an internal address', () => {
  const visited: string[] = []
  let front: Server
  let frontPort = 0

  beforeAll(async () => {
    front = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://front.test')
      visited.push(url.pathname)
      const to = url.searchParams.get('to')
      if (to === null) response.end('the front page')
      else response.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end('moved')
    })
    await new Promise<void>((done) => front.listen(0, '127.0.0.1', done))
    frontPort = (front.address() as AddressInfo).port
  })

  afterAll(async () => {
    await new Promise((done) => front.close(done))
  })

  const NAMES_WITH_FRONT = async (name: string) => (name === 'front.test' ? ['127.0.0.1'] : resolve(name))
  const visit = (path: string) =>
    tryTool(createWebFetchTool({ resolve: NAMES_WITH_FRONT, allowHosts: [`front.test:${frontPort}`] }), {
      url: `http://front.test:${frontPort}${path}`,
    })
  const moved = (to: string, status = 302) => `/moved?status=${status}&to=${encodeURIComponent(to)}`

  it.each([301, 302, 303, 307, 308])('is not followed by a %i', async (status) => {
    const before = connections
    const outcome = await visit(moved(withPort('http://127.0.0.1:PORT/'), status))
    expect(outcome).toMatchObject({ ok: false, deniedBy: 'policy' })
    expect(connections).toBe(before)
  })

  it.each([
    '//127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://2130706433:PORT/',
    'http://two-faces.test:PORT/',
    'http://169.254.169.254/latest/meta-data/iam/',
    'file:///etc/passwd',
    'http://front.test@127.0.0.1:PORT/',
  ])('is not followed to %s', async (form) => {
    const before = connections
    expect(await visit(moved(withPort(form)))).toMatchObject({ ok: false, deniedBy: 'policy' })
    expect(connections).toBe(before)
  })

  it('is not followed at the end of a chain of public redirects', async () => {
    const before = connections
    const last = withPort('http://127.0.0.1:PORT/')
    const chain = [1, 2, 3].reduce((to, hop) => `/hop${hop}?to=${encodeURIComponent(to)}`, last)
    expect(await visit(chain)).toMatchObject({ ok: false, deniedBy: 'policy' })
    expect(visited).toEqual(expect.arrayContaining(['/hop1', '/hop2', '/hop3']))
    expect(connections).toBe(before)
  })

  it('is followed within the allowed host, five times at most', async () => {
    const chain = (moves: number) =>
      Array.from({ length: moves }).reduce<string>((to) => `/hop?to=${encodeURIComponent(to)}`, '/end')
    expect(await visit(chain(5))).toMatchObject({ ok: true })
    expect(await visit(chain(6))).toMatchObject({ ok: false, errorCode: 'unsupported' })
  })

  it('is resolved again at every hop, so a name that turns internal is refused', async () => {
    const before = connections
    let asked = 0
    const turning = async (name: string) => {
      if (name === 'front.test') return ['127.0.0.1']
      asked++
      return ['10.1.2.3']
    }
    const tool = createWebFetchTool({ resolve: turning, allowHosts: [`front.test:${frontPort}`] })
    const url = `http://front.test:${frontPort}${moved(withPort('http://turning.test:PORT/'))}`
    expect(await tryTool(tool, { url })).toMatchObject({ deniedBy: 'policy' })
    expect(asked).toBe(1)
    expect(connections).toBe(before)
  })
})

// A second loopback address needs no setup on Linux alone.
describe.skipIf(process.platform !== 'linux')('a name whose address changes', () => {
  it('is connected to at the checked address', async () => {
    const hits: string[] = []
    const listen = (address: string, atPort: number) =>
      new Promise<Server>((done) => {
        const server = createServer((request, response) => {
          hits.push(`${address} ${request.headers.host}`)
          response.end('hello')
        })
        server.listen(atPort, address, () => done(server))
      })
    const checked = await listen('127.0.0.1', 0)
    const rebindPort = (checked.address() as AddressInfo).port
    const rebound = await listen('127.0.0.2', rebindPort)
    let asked = 0
    const rebinding = async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.2'])
    const tool = createWebFetchTool({ resolve: rebinding, allowHosts: [`rebind.test:${rebindPort}`] })
    const outcome = await tryTool(tool, { url: `http://rebind.test:${rebindPort}/` })
    await Promise.all([checked, rebound].map((server) => new Promise((done) => server.close(done))))
    expect(outcome).toMatchObject({ ok: true })
    expect(asked).toBe(1)
    expect(hits).toEqual([`127.0.0.1 rebind.test:${rebindPort}`])
  })
})
