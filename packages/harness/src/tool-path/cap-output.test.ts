import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { stubTool } from '../testing/index.ts'
import { capOutput } from './cap-output.ts'

// One, two, three and four bytes.
const characters = fc.constantFrom('a', 'é', '日', '😀')
const LIMIT = 16 * 1024
const capped = (output: string, maxOutputChars?: number, maxBytes = LIMIT) =>
  capOutput(
    output,
    stubTool('read', undefined, maxOutputChars === undefined ? {} : { maxOutputChars }),
    maxBytes,
  )

describe('the output of a tool', () => {
  it('within the budget is unchanged', () => {
    const output = 'x'.repeat(LIMIT)
    expect(capped(output)).toEqual({ text: output, bytes: LIMIT, isCut: false })
  })

  it('is measured in bytes, also when it is short', () => {
    expect(capped('naïve 😀')).toMatchObject({ bytes: 11, isCut: false })
  })

  it('over the budget is cut, with the full size named', () => {
    const { text, bytes, isCut } = capped('x'.repeat(LIMIT + 1))
    expect(isCut).toBe(true)
    expect(bytes).toBe(LIMIT + 1)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT)
    expect(text).toMatch(/^x+\n\[cut: 16385 bytes in all/)
  })

  it('that is a part of a longer one names the size of the whole', () => {
    const tool = stubTool('read')
    expect(capOutput('x'.repeat(LIMIT + 1), tool, LIMIT, 5_000_000).text).toContain(
      '[cut: 5000000 bytes in all',
    )
    expect(capOutput('abcdef', stubTool('read', undefined, { maxOutputChars: 4 }), LIMIT, 999).text).toBe(
      'abcd\n[cut: 999 bytes in all, 4 are shown]',
    )
  })

  it('over the characters its tool declares is cut there, with the size in bytes', () => {
    expect(capped('abcdef', 4).text).toBe('abcd\n[cut: 6 bytes in all, 4 are shown]')
    expect(capped('abc😀f', 4).text).toBe('abc\n[cut: 8 bytes in all, 3 are shown]')
  })

  it('never exceeds the budget when its tool declares more', () => {
    const short = capped('x'.repeat(50_000), 100_000)
    const long = capped('x'.repeat(200_000), 100_000)
    expect(Buffer.byteLength(short.text)).toBeLessThanOrEqual(LIMIT)
    expect(Buffer.byteLength(long.text)).toBeLessThanOrEqual(LIMIT)
    expect(long.bytes).toBe(200_000)
  })

  it('fits its budget and stays readable for any text and any cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: characters, maxLength: 400 }),
        fc.integer({ min: 300, max: 600 }),
        (output, max) => {
          const { text, bytes } = capped(output, undefined, max)
          expect(bytes).toBe(Buffer.byteLength(output))
          expect(Buffer.byteLength(text)).toBeLessThanOrEqual(max)
          expect(text.isWellFormed()).toBe(true)
          const [, shown = text, whole, left] =
            /^(.*)\n\[cut: (\d+) bytes in all, (\d+) are shown\]$/s.exec(text) ?? []
          expect(output.startsWith(shown)).toBe(true)
          expect([Number(whole ?? bytes), Number(left ?? bytes)]).toEqual([bytes, Buffer.byteLength(shown)])
        },
      ),
    )
  })
})
