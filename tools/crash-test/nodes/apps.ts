import type { ConnectionRow, SignInReply, ToolkitList } from '@capstan/protocol'
import type { Door } from './door.ts'

/** The app of the round, as a person reaches it. */
export interface Apps {
  signIn(): Promise<void>
  /** Disconnects the app, and connects it again through other nodes. */
  signInAgain(): Promise<void>
}

export function createApps(door: Door, toolkit: string): Apps {
  async function signIn(): Promise<void> {
    const begun = await door.send<ConnectionRow>('POST', '/api/connections', { toolkit })
    if (begun.status !== 200) throw new Error(`connect: ${begun.status} ${JSON.stringify(begun.body)}`)
    const answer = await door.send<SignInReply>('POST', `/api/connections/${begun.body.id}/sign-in`)
    // Refused: another sign-in of the same app is in progress.
    if (answer.status !== 200 && answer.status !== 409)
      throw new Error(`sign-in: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  return {
    signIn,
    async signInAgain() {
      const { body } = await door.send<ToolkitList>('GET', '/api/toolkits')
      const own = body.toolkits.find(({ slug }) => slug === toolkit)?.connections ?? []
      for (const { id } of own.filter(({ status }) => status === 'active'))
        await door.send('DELETE', `/api/connections/${id}`)
      await signIn()
    },
  }
}
