import { WEBHOOK_KINDS } from '@capstan/protocol'
import type { WebhookKind } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { readChallenge, readOccurrence } from './read-occurrence.ts'
import { requestOf, SECRET, signed as signedAt, signText } from './signed-request.fixture.ts'
import { verifySignature } from './verify-signature.ts'

const NOW = 1_700_000_000_000
const hmac = (text: string): string => signText(text, SECRET)

const signed = (kind: WebhookKind, fields: object = {}, at = NOW, secret = SECRET) =>
  signedAt(kind, JSON.stringify(fields), at, secret)

describe('the signature of a webhook', () => {
  it.each(WEBHOOK_KINDS)('of %s is accepted as the service documents it', (kind) => {
    expect(verifySignature(kind, signed(kind, { id: 'x' }), SECRET, NOW)).toBe(true)
  })

  it.each(WEBHOOK_KINDS)('of %s is refused with another secret, an empty one, or other bytes', (kind) => {
    const request = signed(kind, { id: 'x' })
    expect(verifySignature(kind, request, 'another', NOW)).toBe(false)
    expect(verifySignature(kind, signed(kind, {}, NOW, ''), '', NOW)).toBe(false)
    const changed = { ...request, body: Buffer.concat([request.body, Buffer.from(' ')]) }
    expect(verifySignature(kind, changed, SECRET, NOW)).toBe(false)
    expect(verifySignature(kind, requestOf('{}', {}), SECRET, NOW)).toBe(false)
  })

  it.each(WEBHOOK_KINDS.filter((kind) => kind !== 'github'))(
    'of %s is refused outside of its time window',
    (kind) => {
      const request = signed(kind)
      expect(verifySignature(kind, request, SECRET, NOW + 50_000)).toBe(true)
      expect(verifySignature(kind, request, SECRET, NOW + 301_000)).toBe(false)
      expect(verifySignature(kind, request, SECRET, NOW - 301_000)).toBe(false)
    },
  )

  it.each(WEBHOOK_KINDS)('of %s from another service is refused', (kind) => {
    for (const other of WEBHOOK_KINDS.filter((one) => one !== kind))
      expect(verifySignature(kind, signed(other), SECRET, NOW), other).toBe(false)
  })

  it("matches GitHub's published example", () => {
    const request = requestOf('Hello, World!', {
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    })
    expect(verifySignature('github', request, "It's a Secret to Everybody", NOW)).toBe(true)
  })

  it("matches Slack's published example", () => {
    const body =
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar' +
      '&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com' +
      '%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN' +
      '&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
    const request = requestOf(body, {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': '1531420618',
      'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
    })
    expect(verifySignature('slack', request, '8f742231b10e8888abcd99yyyzzz85a5', 1_531_420_618_000)).toBe(
      true,
    )
    expect(readOccurrence('slack', request).label).toBe('/webhook-collect in foobar')
  })

  it('of Stripe may stand beside the signature of an older secret', () => {
    const time = String(NOW / 1000)
    const good = hmac(`${time}.{}`)
    const request = requestOf('{}', { 'stripe-signature': `t=${time}, v1=${'0'.repeat(64)}, v1=${good}` })
    expect(verifySignature('stripe', request, SECRET, NOW)).toBe(true)
  })

  it('with a time that is no number is refused', () => {
    for (const time of ['', 'NaN', '1e9', '-1', ' 1700000000'])
      expect(
        verifySignature(
          'generic',
          requestOf('{}', {
            'x-capstan-timestamp': time,
            'x-capstan-signature': `sha256=${hmac(`${time}.{}`)}`,
          }),
          SECRET,
          NOW,
        ),
        time,
      ).toBe(false)
  })
})

describe('the occurrence of a webhook', () => {
  it.each([
    ['generic', { id: 'order-7', title: 'New order' }, 'order-7', 'New order'],
    ['composio', { metadata: { trigger_slug: 'NEW_MAIL' } }, 'delivery-1', 'NEW_MAIL'],
    ['stripe', { id: 'evt_1', type: 'invoice.paid' }, 'evt_1', 'invoice.paid'],
    ['slack', { event_id: 'Ev1', event: { type: 'message', text: 'Hi' } }, 'Ev1', 'message Hi'],
  ] as const)('of %s has the id and a line of its service', (kind, fields, externalId, label) => {
    expect(readOccurrence(kind, signed(kind, fields))).toEqual({ externalId, label })
  })

  it('of github is known by its signed bytes, since the header with its id is not signed', () => {
    const request = signed('github', { action: 'opened', repository: { full_name: 'a/b' } })
    const repeat = {
      ...request,
      header: (name: string) => (name === 'x-github-delivery' ? 'another' : request.header(name)),
    }
    expect(readOccurrence('github', repeat)).toEqual(readOccurrence('github', request))
    expect(readOccurrence('github', request).label).toBe('opened in a/b')
  })

  it('of linear is known by what is signed, also when it is sent again with another time', () => {
    const fields = { type: 'Issue', action: 'create', data: { title: 'Bug' } }
    const request = signed('linear', fields)
    const replayed = {
      ...request,
      header: (name: string) => (name === 'linear-delivery' ? 'another' : request.header(name)),
    }
    const { externalId, label } = readOccurrence('linear', request)
    expect(label).toBe('Issue create Bug')
    expect(readOccurrence('linear', replayed).externalId).toBe(externalId)
    expect(readOccurrence('linear', signed('linear', fields, NOW + 9_000)).externalId).toBe(externalId)
    expect(readOccurrence('linear', signed('linear', { ...fields, action: 'remove' })).externalId).not.toBe(
      externalId,
    )
  })

  it.each(['generic', 'stripe', 'slack'] as const)(
    'of %s is the same one under another content type, which is not signed',
    (kind) => {
      const request = signed(kind, { id: 'evt_1', event_id: 'Ev1', type: 'x' })
      const replayed = {
        ...request,
        header: (name: string) =>
          name === 'content-type' ? 'application/x-www-form-urlencoded' : request.header(name),
      }
      expect(readOccurrence(kind, replayed)).toEqual(readOccurrence(kind, request))
    },
  )

  it('without an id is known by its signed bytes', () => {
    const [one, again, later, other] = [
      signed('generic', { a: 1 }),
      signed('generic', { a: 1 }),
      signed('generic', { a: 1 }, NOW + 1000),
      signed('generic', { a: 2 }),
    ].map((request) => readOccurrence('generic', request).externalId)
    expect(again).toBe(one)
    expect(new Set([one, later, other]).size).toBe(3)
  })

  it('is read from a body of any form', () => {
    for (const body of ['', 'null', '[1]', '{', '7', '"x"', '{"id":7,"repository":"x","event":null}'])
      for (const kind of WEBHOOK_KINDS)
        expect(readOccurrence(kind, requestOf(body, {})).externalId, `${kind} ${body}`).toHaveLength(64)
  })

  it('of Slack may be the question whether the address is ours', () => {
    const request = signed('slack', { type: 'url_verification', challenge: 'abc' })
    expect(readChallenge('slack', request)).toBe('abc')
    expect(readChallenge('generic', request)).toBeUndefined()
    expect(readChallenge('slack', signed('slack', { type: 'event_callback' }))).toBeUndefined()
  })
})
