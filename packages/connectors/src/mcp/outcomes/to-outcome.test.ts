import type { CallToolResult } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { MEDIA_LIMITS } from './to-media.ts'
import { toOutcome } from './to-outcome.ts'

const outcomeOf = (content: CallToolResult['content'], more: Partial<CallToolResult> = {}) =>
  toOutcome({ result: { content, ...more }, wantedVisits: [] })
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64')
const PIXEL = new Uint8Array([137, 80, 78, 71])
const image = (data = base64(PIXEL), mimeType = 'image/png') => ({ type: 'image' as const, data, mimeType })

describe('the answer of an MCP tool', () => {
  it('carries an image as bytes, with a line that describes it', () => {
    const outcome = outcomeOf([{ type: 'text', text: 'Here:' }, image()])
    expect(outcome.media).toEqual([{ mediaType: 'image/png', bytes: PIXEL }])
    expect(outcome.text).toBe('Here:\n\n[image: image/png, 4 bytes]')
  })

  it('carries a recording and a blob as files, the blob with the name from its address', () => {
    const outcome = outcomeOf([
      { type: 'audio', data: base64('la la'), mimeType: 'audio/wav' },
      {
        type: 'resource',
        resource: {
          uri: 'file:///reports/year%20end.pdf?v=2',
          mimeType: 'application/pdf',
          blob: base64('%PDF'),
        },
      },
    ])
    expect(outcome.media).toEqual([
      { mediaType: 'audio/wav', bytes: new Uint8Array(Buffer.from('la la')) },
      { mediaType: 'application/pdf', bytes: new Uint8Array(Buffer.from('%PDF')), name: 'year end.pdf' },
    ])
    expect(outcome.text).toContain('[file: file:///reports/year%20end.pdf?v=2, application/pdf, 4 bytes]')
  })

  it('keeps a text resource as text', () => {
    const outcome = outcomeOf([{ type: 'resource', resource: { uri: 'note://1', text: 'buy milk' } }])
    expect(outcome).toMatchObject({ text: 'note://1:\nbuy milk' })
    expect(outcome.media).toBeUndefined()
  })

  it('describes images beyond the number that may be attached', () => {
    const outcome = outcomeOf(Array.from({ length: MEDIA_LIMITS.maxCount + 1 }, () => image()))
    expect(outcome.media).toHaveLength(MEDIA_LIMITS.maxCount)
    expect(outcome.text.match(/not attached/g)).toHaveLength(1)
    expect(outcome.text.endsWith('[image: image/png, 4 bytes; not attached]')).toBe(true)
  })

  it('describes an image that is too large, and attaches the ones after it', () => {
    const outcome = outcomeOf([image('A'.repeat(MEDIA_LIMITS.maxTotalBytes * 2)), image()])
    expect(outcome.media).toEqual([{ mediaType: 'image/png', bytes: PIXEL }])
    expect(outcome.text).toMatch(/\[image: image\/png, 24\.0 MB; not attached\]/)
  })

  it('never passes on a media type that is none', () => {
    const outcome = outcomeOf([image(undefined, 'image/png\r\nx-evil: 1'), image(undefined, '')])
    expect(outcome.media?.map(({ mediaType }) => mediaType)).toEqual([
      'application/octet-stream',
      'application/octet-stream',
    ])
  })

  it('has no media when it is an error', () => {
    const outcome = outcomeOf([image()], { isError: true })
    expect(outcome).toMatchObject({ ok: false, text: '[image: image/png, 4 bytes; not attached]' })
    expect(outcome.media).toBeUndefined()
  })
})
