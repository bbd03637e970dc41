import type { ConnectionRow, SignInReply, ToolkitList } from '@capstan/protocol'
import { createBrowser } from '../../../examples/notes-app/src/testing/browser.ts'
import { NOTES, TOOLKIT } from '../scenario.ts'
import type { Door } from './door.ts'

/** An app as a person reaches it: every step goes through some node. */
export interface App {
  /** Connects it, unless it is connected. Begins again when a node dies in the middle. */
  signIn(): Promise<void>
  /** Disconnects it, and connects it again. */
  signInAgain(): Promise<void>
}

/** The apps of a round. */
export interface Apps {
  /** Needs no sign-in of its own. */
  readonly stock: App
  /** Sends the person away and takes them back. */
  readonly notes: App
}

export const createApps = (door: Door, notesUrl: string): Apps => ({
  stock: createApp(door, TOOLKIT),
  notes: createApp(door, NOTES, (url) => allow(url, new URL(notesUrl).origin)),
})

const MAX_ATTEMPTS = 10

/** `visit` answers with the address that the person is sent back to. */
function createApp(door: Door, toolkit: string, visit?: (url: string) => Promise<URL>): App {
  const listActive = async (): Promise<readonly ConnectionRow[]> => {
    const { body } = await door.send<ToolkitList>('GET', '/api/toolkits')
    const own = body.toolkits.find(({ slug }) => slug === toolkit)?.connections ?? []
    return own.filter(({ status }) => status === 'active')
  }

  async function attempt(): Promise<void> {
    const { body } = await door.send<ConnectionRow>('POST', '/api/connections', { toolkit })
    const reply = await door.send<SignInReply>('POST', `/api/connections/${body.id}/sign-in`)
    if (reply.status !== 200 || reply.body.type !== 'visit' || !visit) return
    const back = await visit(reply.body.url)
    await door.send('GET', `${back.pathname}${back.search}`)
  }

  async function signIn(): Promise<void> {
    for (let n = 1; (await listActive()).length === 0; n++) {
      if (n > MAX_ATTEMPTS) throw new Error(`${toolkit} could not be connected in ${MAX_ATTEMPTS} attempts`)
      await attempt()
    }
  }
  return {
    signIn,
    async signInAgain() {
      for (const { id } of await listActive()) await door.send('DELETE', `/api/connections/${id}`)
      await signIn()
    },
  }
}

async function allow(url: string, origin: string): Promise<URL> {
  const browser = createBrowser(origin)
  await browser.open(url)
  const back = await browser.submit({ account: 'ada', decision: 'allow' })
  if (back.type !== 'left') throw new Error(`still at the consent page: ${back.status}`)
  return back.to
}
