import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

type Theme = 'light' | 'dark'

function colour(name: string, theme: Theme): string {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css)
  const value = found?.[theme === 'light' ? 1 : 2]
  if (value === undefined) throw new Error(`No token --${name}`)
  return value
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [bright = 0, dim = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (bright + 0.05) / (dim + 0.05)
}

const SURFACES = ['paper', 'paper-raised', 'paper-sunken', 'paper-hover', 'paper-code']
const STATES = ['ok', 'warn', 'fail', 'info', 'accent']

/** The text colours and their backgrounds. */
const TEXT: readonly (readonly [string, string])[] = [
  ...SURFACES.flatMap((surface) =>
    ['ink', 'ink-soft', 'ink-faint', ...STATES].map((ink) => [ink, surface] as const),
  ),
  ...STATES.flatMap((state) => [state, 'ink', 'ink-soft'].map((ink) => [ink, `${state}-soft`] as const)),
  ['on-strong', 'strong'],
  ['on-strong', 'strong-hover'],
  ['on-fail-fill', 'fail-fill'],
]

/** Borders and icons that carry meaning. */
const MARKS: readonly (readonly [string, string])[] = SURFACES.flatMap((surface) =>
  ['line-strong', 'focus', 'accent-fill', 'strong'].map((mark) => [mark, surface] as const),
)

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  it.each(TEXT)('shows %s on %s with AA contrast', (ink, ground) => {
    expect(contrast(colour(ink, theme), colour(ground, theme))).toBeGreaterThanOrEqual(4.5)
  })

  it.each(MARKS)('shows the mark %s on %s with enough contrast', (mark, ground) => {
    expect(contrast(colour(mark, theme), colour(ground, theme))).toBeGreaterThanOrEqual(3)
  })
})

it('the contrast is computed as WCAG defines it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
})
