import { rm } from 'node:fs/promises'
import { buildWebApp, findWebSources } from '../../packages/cli/src/serve/build-web-app.ts'
import { ARTIFACTS } from './fixtures/artifacts.ts'
import { launchBrowser } from './fixtures/launch-browser.ts'

/**
 * Runs before the first test: unpacks the browser once and fails when no browser can be started. Builds the web app as
 * `serve` does, so that no test waits for it.
 */
export async function setup(): Promise<void> {
  await rm(ARTIFACTS, { recursive: true, force: true })
  const browser = await launchBrowser()
  await browser.close()
  await buildWebApp(findWebSources(), (line) => void process.stderr.write(`${line}\n`))
}
