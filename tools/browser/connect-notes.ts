import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectionRow, SignInReply } from '@capstan/protocol'
import { openAuth } from '@capstan/server'
import { createBrowser } from '../../examples/notes-app/src/testing/browser.ts'
import type { RunningAssistant } from './assistant.fixture.ts'

/** Where the Notes app of this assistant is. */
export const notesUrl = ({ home }: RunningAssistant): string =>
  `http://127.0.0.1:${readFileSync(join(home, 'notes-app', 'port'), 'utf8').trim()}`

/** Connects Notes without a browser, for whoever begins later in the story. */
export async function connectNotes(assistant: RunningAssistant): Promise<void> {
  const { id } = await assistant.ask<ConnectionRow>('POST', '/api/connections', { toolkit: 'notes' })
  const reply = await assistant.ask<SignInReply>('POST', `/api/connections/${id}/sign-in`)
  if (reply.type !== 'visit') throw new Error(`no page to sign in: ${reply.type}`)
  const browser = createBrowser(notesUrl(assistant))
  await browser.open(reply.url)
  const back = await browser.submit({ account: 'ada', decision: 'allow' })
  if (back.type !== 'left') throw new Error(`still at the consent page: ${back.status}`)
  const { token } = openAuth({ folder: assistant.home })
  const response = await fetch(back.to, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`the sign-in was refused: ${response.status}`)
}
