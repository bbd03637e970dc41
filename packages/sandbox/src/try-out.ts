import type { SandboxState } from '@capstan/harness/sandbox'
import { SandboxError } from '@capstan/harness/sandbox'
import { sanitizeLine } from '@capstan/harness/connectors'
import type { Build } from './bubblewrap-sandbox.ts'
import type { Holding } from './limits/hold.ts'
import { runToEnd } from './run-to-end.ts'

const TIMEOUT_MS = 10_000
const SEES_DATA = 3
const HOW_TO_ALLOW =
  'Allow user namespaces for bwrap: Ubuntu 24.04 and later needs an AppArmor profile for it, and a container needs ' +
  'permission to create namespaces. Or set "sandbox": "off" in config.json, and programs run with all your rights.'

/** Starts a confined program that looks for our data folder. Never throws. */
export async function tryOut(
  build: Build,
  hidden: readonly string[],
  holding: () => Holding,
): Promise<SandboxState> {
  try {
    const [data = '/nowhere'] = hidden
    const start = await build({
      command: '/bin/sh',
      args: ['-c', `test -e "$1" && exit ${SEES_DATA}; exit 0`, 'sh', data],
      profile: { folders: [], network: 'off', env: {} },
      changedIn: 'the settings',
    })
    const { exitCode, printed } = await runToEnd(start, { timeoutMs: TIMEOUT_MS })
    if (exitCode === 0) {
      const { found, next } = holding()
      return {
        state: 'works',
        found: `Programs are confined by bubblewrap: a test program could not see the data folder. ${found}`,
        ...(next === undefined ? undefined : { next }),
      }
    }
    if (exitCode === SEES_DATA)
      return { state: 'unavailable', found: 'A confined test program could see the data folder.' }
    const said = sanitizeLine(printed, 200)
    return {
      state: 'unavailable',
      found: `bubblewrap does not work here${said === '' ? '.' : `: ${said}`}`,
      next: HOW_TO_ALLOW,
    }
  } catch (error) {
    if (!(error instanceof SandboxError))
      return { state: 'unavailable', found: 'bubblewrap could not be started.', next: HOW_TO_ALLOW }
    const [found = '', ...rest] = error.message.split(/(?<=\.) (?=[A-Z])/)
    return { state: 'unavailable', found, ...(rest.length === 0 ? undefined : { next: rest.join(' ') }) }
  }
}
