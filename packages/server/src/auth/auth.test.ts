import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError, StoreError } from '@capstan/harness'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAuth } from './auth.ts'
import { mintTicket } from './ticket.ts'

let folder: string
let now: number
const open = () => openAuth({ folder, now: () => now })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'capstan-auth-'))
  now = 1_800_000_000_000
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** From here on nothing can be written, as on a full disk. The result makes it good again. */
async function breakFile(): Promise<() => Promise<void>> {
  const draft = join(folder, 'logins.json.new')
  await mkdir(draft)
  return () => rm(draft, { recursive: true })
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('a ticket', () => {
  it('logs its user in once, also when a program beside the server made it', () => {
    const auth = open()
    const ticket = mintTicket(folder, 'ada', now)
    const cookie = auth.redeemTicket(ticket)!
    expect(auth.identify({ cookie })).toMatchObject({ userId: 'ada' })
    expect(auth.redeemTicket(ticket)).toBeUndefined()
  })

  it('is used up after a restart, too', () => {
    const ticket = open().mintTicket('ada')
    expect(open().redeemTicket(ticket)).toBeTypeOf('string')
    expect(open().redeemTicket(ticket)).toBeUndefined()
  })

  it('that was used is not good again when the file that says so is damaged', async () => {
    const used = open().mintTicket('ada')
    open().redeemTicket(used)
    await writeFile(join(folder, 'logins.json'), '{"logins":[')
    now += 1000
    expect(open().redeemTicket(used)).toBeUndefined()
    const auth = open() // the damage was mended, and what it cost is still known
    expect(auth.redeemTicket(used)).toBeUndefined()
    expect(auth.redeemTicket(auth.mintTicket('ada'))).toBeTypeOf('string')
  })

  it('is not used up by a login that could not be kept', async () => {
    const auth = open()
    const ticket = auth.mintTicket('ada')
    const repair = await breakFile()
    expect(() => auth.redeemTicket(ticket)).toThrow(StoreError)
    await repair()
    expect(auth.redeemTicket(ticket)).toBeTypeOf('string')
  })

  it('is good for an hour', () => {
    const auth = open()
    const ticket = auth.mintTicket('ada')
    now += HOUR_MS
    expect(auth.redeemTicket(ticket)).toBeUndefined()
  })

  it('cannot be made up, changed or taken from another installation', async () => {
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
    expect(forged.map((ticket) => auth.redeemTicket(ticket))).toEqual(forged.map(() => undefined))
  })
})

describe('a login', () => {
  it('survives a restart, and no file holds what the browser holds', async () => {
    const auth = open()
    const cookie = auth.redeemTicket(auth.mintTicket('ada'))!
    expect(open().identify({ cookie })).toMatchObject({ userId: 'ada' })
    const kept = await readFile(join(folder, 'logins.json'), 'utf8')
    expect(kept).not.toContain(cookie)
    for (const name of ['install.key', 'logins.json'])
      expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600)
  })

  it('is over at once when it is revoked, and whoever listens hears which', () => {
    const auth = open()
    const cookie = auth.redeemTicket(auth.mintTicket('ada'))!
    const other = auth.redeemTicket(auth.mintTicket('ada'))!
    const { login } = auth.identify({ cookie })!
    const received: string[] = []
    auth.onLogOut((gone) => received.push(gone))
    auth.logOut(login!)
    expect(received).toEqual([login])
    expect(auth.isGood(login!)).toBe(false)
    expect(auth.identify({ cookie })).toBeUndefined()
    expect(open().identify({ cookie })).toBeUndefined()
    expect(auth.identify({ cookie: other })).toBeDefined()
  })

  it('ends when it was not used for ninety days, and lasts while it is', () => {
    const auth = open()
    const [used, unused] = [1, 2].map(() => auth.redeemTicket(auth.mintTicket('ada'))!)
    now += 60 * DAY_MS
    expect(auth.identify({ cookie: used! })).toBeDefined()
    now += 60 * DAY_MS
    expect(auth.identify({ cookie: used! })).toBeDefined()
    expect(auth.identify({ cookie: unused! })).toBeUndefined()
  })

  it('is found also when the day of its use cannot be written down', async () => {
    const auth = open()
    const cookie = auth.redeemTicket(auth.mintTicket('ada'))!
    now += 2 * DAY_MS
    await breakFile()
    expect(auth.identify({ cookie })).toMatchObject({ userId: 'ada' })
  })

  it('is over also when that cannot be written down, and whoever listens hears of it', async () => {
    const auth = open()
    const cookie = auth.redeemTicket(auth.mintTicket('ada'))!
    const { login } = auth.identify({ cookie })!
    const received: string[] = []
    auth.onLogOut((gone) => received.push(gone))
    await breakFile()
    expect(() => auth.logOut(login!)).toThrow(StoreError)
    expect(received).toEqual([login])
    expect(auth.identify({ cookie })).toBeUndefined()
  })

  it('has an id for the browser that no other login has', () => {
    const auth = open()
    const [one, other] = [1, 2].map(() =>
      auth.identify({ cookie: auth.redeemTicket(auth.mintTicket('ada'))! }),
    )
    expect(one!.browserId).not.toBe(other!.browserId)
  })

  it('of a user with a hundred browsers takes the place of the one used longest ago', () => {
    const auth = open()
    const cookies = Array.from({ length: 101 }, () => {
      now += 1000
      return auth.redeemTicket(auth.mintTicket('ada'))!
    })
    expect(auth.identify({ cookie: cookies[0]! })).toBeUndefined()
    expect(auth.identify({ cookie: cookies[1]! })).toBeDefined()
    expect(auth.identify({ cookie: cookies[100]! })).toBeDefined()
  })

  it('is nobody when the file is damaged', async () => {
    const auth = open()
    const cookie = auth.redeemTicket(auth.mintTicket('ada'))!
    await writeFile(join(folder, 'logins.json'), '{"logins":[{"hash":1}]}')
    expect(open().identify({ cookie })).toBeUndefined()
  })
})

describe('the install token', () => {
  it('is the owner, the same after a restart, and nothing else is', () => {
    const auth = open()
    const { token } = open()
    expect(auth.identify({ authorization: `Bearer ${token}` })).toMatchObject({ userId: 'local' })
    for (const authorization of ['', 'Bearer ', `Basic ${token}`, `Bearer ${token}x`, token])
      expect(auth.identify({ authorization })).toBeUndefined()
  })

  it('is not what a ticket is signed with', () => {
    expect(open().redeemTicket(open().token)).toBeUndefined()
  })

  it('comes from a file that is for the owner alone, whoever put it there', async () => {
    open()
    await chmod(join(folder, 'install.key'), 0o644)
    open()
    expect((await stat(join(folder, 'install.key'))).mode & 0o777).toBe(0o600)
  })

  it('is not waited for where no folder can be', async () => {
    await writeFile(join(folder, 'a-file'), '')
    for (const place of [join(folder, 'a-file', 'home'), '/proc/no/such/folder'])
      expect(() => openAuth({ folder: place })).toThrow(ConfigurationError)
  })

  it('cannot be had from a file that holds none', async () => {
    await writeFile(join(folder, 'install.key'), 'short')
    await chmod(join(folder, 'install.key'), 0o600)
    expect(open).toThrow('holds no secret')
  })
})
