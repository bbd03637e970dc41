import { launchBrowser } from './launch-browser.ts'

/** Before the first test: unpacks the browser once, and fails loudly where none can be started. */
export async function setup(): Promise<void> {
  const browser = await launchBrowser()
  await browser.close()
}
