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
})
