import { existsSync } from 'node:fs'
import packed from '@sparticuz/chromium'
import type { Browser } from 'playwright-core'
import { chromium } from 'playwright-core'

/** Where a browser is found that somebody installed. */
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

const ARGS = ['--no-sandbox', '--disable-background-networking', '--font-render-hinting=none']

/** A real browser: the one npm brought, else an installed one. Throws when neither starts; nothing is skipped. */
export async function launchBrowser(): Promise<Browser> {
  const problems: string[] = []
  for (const find of [packedBrowser, installedBrowser]) {
    try {
      return await chromium.launch({ executablePath: await find(), args: ARGS, headless: true })
    } catch (error) {
      problems.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
    }
  }
  throw new Error(
    `No browser could be started. ${problems.join(' / ')} Install Chrome or Chromium, or the libraries it needs (libnss3).`,
  )
}

/** Unpacks it at the first call; see `prepare.ts` for why that is done once, before the tests. */
function packedBrowser(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new Error('Only for Linux on x64.')
  return packed.executablePath()
}

function installedBrowser(): Promise<string> {
  const named = process.env['CHROME_PATH']
  const path = [...(named ? [named] : []), ...INSTALLED].find((candidate) => existsSync(candidate))
  if (path === undefined) throw new Error('None is installed.')
  return Promise.resolve(path)
}
