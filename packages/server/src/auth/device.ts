/** How much of the header is read. */
const MAX_CHARS = 500

// The first match counts: most browsers also name those they descend from.
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdgA?(?:iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * The device in words of our own, such as `Firefox on Linux`; blank when it is not known. Whoever logs in chooses the
 * header, so nothing of its text is kept.
 */
export function toDevice(userAgent: string | undefined): string {
  const text = (userAgent ?? '').slice(0, MAX_CHARS)
  const nameIn = (table: typeof BROWSERS): string | undefined =>
    table.find(([pattern]) => pattern.test(text))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  return browser !== undefined && system !== undefined ? `${browser} on ${system}` : (browser ?? system ?? '')
}
