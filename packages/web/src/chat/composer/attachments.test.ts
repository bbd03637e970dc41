import { describe, expect, it } from 'vitest'
import { attach, ATTACH_LIMITS } from './attachments.ts'

const file = (name: string, type: string, size = 3): File => new File([new Uint8Array(size)], name, { type })
const named = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name)

describe('attach', () => {
  it('reads a whole file', async () => {
    const { added } = await attach([new File(['höhe'], 'a.txt', { type: 'text/plain' })], [])
    expect(added).toMatchObject([{ name: 'a.txt', mediaType: 'text/plain', bytes: 5 }])
    expect(Buffer.from(added[0]!.data, 'base64').toString()).toBe('höhe')
  })

  it('reads a whole file of several hundred kilobytes', async () => {
    const { added } = await attach([file('big.bin', '', 300_001)], [])
    expect(Buffer.from(added[0]!.data, 'base64')).toHaveLength(300_001)
    expect(added[0]!.mediaType).toBe('application/octet-stream')
  })

  it('leaves out files that do not fit, reports them and keeps the others', async () => {
    const { added, problems } = await attach(
      [
        file('a.png', 'image/png'),
        file('big.png', 'image/png', ATTACH_LIMITS.maxImageBytes + 1),
        file('none.txt', 'text/plain', 0),
      ],
      [],
    )
    expect(named(added)).toEqual(['a.png'])
    expect(problems).toMatchObject([
      { type: 'too-large', name: 'big.png' },
      { type: 'empty', name: 'none.txt' },
    ])
  })

  it('accepts four images and four other files, including those already attached', async () => {
    const first = await attach(
      [1, 2, 3].map((n) => file(`${n}.png`, 'image/png')),
      [],
    )
    const more = await attach(
      [file('4.png', 'image/png'), file('5.png', 'image/png'), file('a.pdf', 'application/pdf')],
      first.added,
    )
    expect(named(more.added)).toEqual(['4.png', 'a.pdf'])
    expect(more.problems).toMatchObject([{ type: 'too-many-images', name: '5.png', count: 4 }])
  })

  it('leaves out what the model in use cannot read, and says why', async () => {
    const { added, problems } = await attach(
      [file('a.png', 'image/png'), file('a.pdf', 'application/pdf'), file('a.zip', 'application/zip', 9)],
      [],
      { reads: { images: false, files: ['application/pdf'] } },
    )
    expect(named(added)).toEqual(['a.pdf'])
    expect(problems).toMatchObject([
      { type: 'no-images', name: 'a.png' },
      { type: 'unsupported', name: 'a.zip' },
    ])
  })

  it('sends text of a kind that browsers do not know as text', async () => {
    const files = [new File(['key = "ü"'], 'a.toml'), new File(['let a'], 'a.ts', { type: 'video/mp2t' })]
    const { added } = await attach(files, [], { reads: { images: true, files: [] } })
    expect(added.map(({ mediaType }) => mediaType)).toEqual(['text/plain', 'text/plain'])
  })
})
