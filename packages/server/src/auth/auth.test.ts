import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError, StoreError } from '@capstan/harness'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Auth } from './auth.ts'
import { openAuth } from './auth.ts'
import { toDevice } from './device.ts'
import { mintTicket } from './ticket.ts'

let folder: string
let now: number
const open = () => openAuth({ folder, now: () => now })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-auth-'))
  now = 1_800_000_000_000
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }))

/** Makes every write fail, as a full disk does. The result repairs it. */
async function breakFile(): Promise<() => Promise<void>> {
  const path = join(folder, 'logins.json')
  await rm(path, { force: true })
  await mkdir(path)
  return () => rm(path, { recursive: true })
}

const logInTwice = async (auth: Auth): Promise<[string, string]> => [
  (await auth.redeemTicket(auth.mintTicket('ada')))!,
  (await auth.redeemTicket(auth.mintTicket('ada')))!,
]

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('a ticket', async () => {
  it('logs its user in once, also when another program minted it', async () => {
    const auth = open()
    const ticket = mintTicket(folder, 'ada', now)
    const cookie = (await auth.redeemTicket(ticket))!
    expect(auth.identify({ cookie })).toMatchObject({ userId: 'ada' })
    expect(await auth.redeemTicket(ticket)).toBeUndefined()
  })

  it('stays used after a restart', async () => {
    const ticket = open().mintTicket('ada')
    expect(await open().redeemTicket(ticket)).toBeTypeOf('string')
    expect(await open().redeemTicket(ticket)).toBeUndefined()
  })

  it('stays used when the file that records it is damaged', async () => {
    const used = open().mintTicket('ada')
    await open().redeemTicket(used)
    await writeFile(join(folder, 'logins.json'), '{"logins":[')
    now += 1000
    expect(await open().redeemTicket(used)).toBeUndefined()
    const auth = open() // the file was repaired, and the used tickets stay refused
    expect(await auth.redeemTicket(used)).toBeUndefined()
    expect(await auth.redeemTicket(auth.mintTicket('ada'))).toBeTypeOf('string')
  })

  it('is not used up by a login that could not be stored', async () => {
    const auth = open()
    const ticket = auth.mintTicket('ada')
    const repair = await breakFile()
    await expect(auth.redeemTicket(ticket)).rejects.toThrow(StoreError)
    await repair()
    expect(await auth.redeemTicket(ticket)).toBeTypeOf('string')
  })

  it('expires after an hour', async () => {
    const auth = open()
    const ticket = auth.mintTicket('ada')
    now += HOUR_MS
    expect(await auth.redeemTicket(ticket)).toBeUndefined()
  })

  it('is refused when forged, changed or minted by another installation', async () => {
    const auth = open()
    const [body, signature] = auth.mintTicket('ada').split('.') as [string, string]
    const eve = Buffer.from(body, 'base64url').toString().replace('ada', 'eve')
    const other = await mkdtemp(join(tmpdir(), 'capstan-auth-'))
    const foreign = mintTicket(other, 'ada', now)
    await rm(other, { recursive: true })
    const forged = [
      '',
      '.',
      body,
      `${body}.`,
      `${body}.${signature}.${signature}`,
      `${Buffer.from(eve).toString('base64url')}.${signature}`,
      `${body}.${signature.slice(0, -2)}AA`,
      foreign,
      'x'.repeat(100_000),
    ]
    expect(await Promise.all(forged.map((ticket) => auth.redeemTicket(ticket)))).toEqual(
      forged.map(() => undefined),
    )
  })
})

describe('a login', async () => {
  it('survives a restart, and no file contains the secret of the browser', async () => {
    const auth = open()
    const cookie = (await auth.redeemTicket(auth.mintTicket('ada')))!
    expect(open().identify({ cookie })).toMatchObject({ userId: 'ada' })
    const kept = await readFile(join(folder, 'logins.json'), 'utf8')
    expect(kept).not.toContain(cookie)
    for (const name of ['install.key', 'logins.json'])
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  })

  it('ends at once when it is revoked, and listeners receive its hash', async () => {
    const auth = open()
    const cookie = (await auth.redeemTicket(auth.mintTicket('ada')))!
    const other = (await auth.redeemTicket(auth.mintTicket('ada')))!
    const { login } = auth.identify({ cookie })!
    const received: string[] = []
    auth.onLogOut((gone) => received.push(gone))
    await auth.logOut(login!)
    expect(received).toEqual([login])
    expect(auth.isGood(login!)).toBe(false)
    expect(auth.identify({ cookie })).toBeUndefined()
    expect(open().identify({ cookie })).toBeUndefined()
    expect(auth.identify({ cookie: other })).toBeDefined()
  })

  it('ends after ninety days without use', async () => {
    const auth = open()
    const [used, unused] = await logInTwice(auth)
    now += 60 * DAY_MS
    expect(auth.identify({ cookie: used })).toBeDefined()
    now += 60 * DAY_MS
    expect(auth.identify({ cookie: used })).toBeDefined()
    expect(auth.identify({ cookie: unused })).toBeUndefined()
  })

  it('is found even when the day of its use cannot be stored', async () => {
    const auth = open()
    const cookie = (await auth.redeemTicket(auth.mintTicket('ada')))!
    now += 2 * DAY_MS
    await breakFile()
    expect(auth.identify({ cookie })).toMatchObject({ userId: 'ada' })
  })

  it('ends even when its end cannot be stored, and listeners are notified', async () => {
    const auth = open()
    const cookie = (await auth.redeemTicket(auth.mintTicket('ada')))!
    const { login } = auth.identify({ cookie })!
    const received: string[] = []
    auth.onLogOut((gone) => received.push(gone))
    await breakFile()
    await expect(auth.logOut(login!)).rejects.toThrow(StoreError)
    expect(received).toEqual([login])
    expect(auth.identify({ cookie })).toBeUndefined()
  })

  it('has its own browser id', async () => {
    const auth = open()
    const [one, other] = (await logInTwice(auth)).map((cookie) => auth.identify({ cookie }))
    expect(one!.browserId).not.toBe(other!.browserId)
  })

  it('replaces the least recently used one of a user with a hundred browsers', async () => {
    const auth = open()
    const cookies: string[] = []
    for (let count = 0; count < 101; count++) {
      now += 1000
      cookies.push((await auth.redeemTicket(auth.mintTicket('ada')))!)
    }
    expect(auth.identify({ cookie: cookies[0]! })).toBeUndefined()
    expect(auth.identify({ cookie: cookies[1]! })).toBeDefined()
    expect(auth.identify({ cookie: cookies[100]! })).toBeDefined()
  })

  it('identifies nobody when the file is damaged', async () => {
    const auth = open()
    const cookie = (await auth.redeemTicket(auth.mintTicket('ada')))!
    await writeFile(join(folder, 'logins.json'), '{"logins":[{"hash":1}]}')
    expect(open().identify({ cookie })).toBeUndefined()
  })
})

describe('the install token', () => {
  it('identifies the owner, also after a restart, and no other value does', () => {
    const auth = open()
    const { token } = open()
    expect(auth.identify({ authorization: `Bearer ${token}` })).toMatchObject({ userId: 'local' })
    for (const authorization of ['', 'Bearer ', `Basic ${token}`, `Bearer ${token}x`, token])
      expect(auth.identify({ authorization })).toBeUndefined()
  })

  it('cannot be redeemed as a ticket', async () => {
    expect(await open().redeemTicket(open().token)).toBeUndefined()
  })

  it('comes from a file whose permissions are corrected to owner-only', async () => {
    open()
    await chmod(join(folder, 'install.key'), 0o644)
    open()
    expect((await stat(join(folder, 'install.key'))).mode & 0o777).toBe(0o600)
  })

  it('fails at once when the folder cannot be created', async () => {
    await writeFile(join(folder, 'a-file'), '')
    for (const place of [join(folder, 'a-file', 'home'), '/proc/no/such/folder'])
      expect(() => openAuth({ folder: place })).toThrow(ConfigurationError)
  })

  it('cannot be read from a file without a secret', async () => {
    await writeFile(join(folder, 'install.key'), 'short')
    await chmod(join(folder, 'install.key'), 0o600)
    expect(open).toThrow('holds no secret')
  })
})

describe('a file of an older version', async () => {
  it('keeps its logins, none of them fresh, and their users are members', async () => {
    const auth = open()
    const cookies = [
      (await auth.redeemTicket(auth.mintTicket('local')))!,
      (await auth.redeemTicket(auth.mintTicket('ada')))!,
    ]
    const path = join(folder, 'logins.json')
    const file = JSON.parse(await readFile(path, 'utf8')) as { logins: object[]; members?: unknown }
    delete file.members
    file.logins = file.logins.map((login) => ({ ...login, freshUntil: undefined, device: undefined }))
    await writeFile(path, JSON.stringify(file))
    const newer = open()
    expect(cookies.map((cookie) => newer.identify({ cookie })?.isFresh)).toEqual([false, false])
    expect(newer.listMembers().map(({ userId }) => userId)).toEqual(['ada'])
  })
})

describe('a member', async () => {
  it('who was removed stays removed after a restart, and a ticket from before stays void', async () => {
    const auth = open()
    const cookie = (await auth.redeemTicket(auth.mintTicket('ada')))!
    const older = auth.mintTicket('ada')
    now += 1000
    expect(await auth.removeMember('ada')).toBe(true)
    const again = open()
    expect(again.identify({ cookie })).toBeUndefined()
    expect(again.listMembers()).toEqual([])
    expect(again.readTicket(older)).toBeUndefined()
    expect(await again.redeemTicket(older)).toBeUndefined()
    expect(await again.redeemTicket(again.mintTicket('ada'))).toBeTypeOf('string')
  })

  it('is removed even when that cannot be stored', async () => {
    const auth = open()
    const cookie = (await auth.redeemTicket(auth.mintTicket('ada')))!
    await breakFile()
    await expect(auth.removeMember('ada')).rejects.toThrow(StoreError)
    expect(auth.identify({ cookie })).toBeUndefined()
    expect(auth.listMembers()).toEqual([])
  })
})

describe('the name of a device', () => {
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Safari/604.1', 'Safari on iPhone'],
    ['Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
    ['<img src=x onerror=alert(1)>', ''],
    [`${'x'.repeat(100_000)} Firefox/1`, ''],
    [undefined, ''],
  ])('is made of words of our own: %s', (userAgent, device) => {
    expect(toDevice(userAgent)).toBe(device)
  })
})
