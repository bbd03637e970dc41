import { describe, expect, it } from 'vitest'
import type { OutcomeFacts } from '../turn/tool/tool-outcome.ts'
import { classifyOutcome } from './classify.ts'

const POLICY: OutcomeFacts = { deniedBy: 'policy' }
const ANOTHER_WAY = 'Do not try it another way; tell the user.'

/** Every sentence with which the harness refuses a call, and the fact that goes with it. */
const REFUSALS: readonly (readonly [OutcomeFacts, string])[] = [
  [POLICY, `"send_mail" was not run: the safety mode is read-only. ${ANOTHER_WAY}`],
  [POLICY, `"send_mail" was not run: a rule forbids this tool. ${ANOTHER_WAY}`],
  [POLICY, `"send_mail" was not run: the data-flow rule forbids it. ${ANOTHER_WAY}`],
  [POLICY, `"send_mail" was not run: the policy function failed (timed out). ${ANOTHER_WAY}`],
  [POLICY, `"send_mail" was not run: it needs an approval, and asking for one failed. ${ANOTHER_WAY}`],
  [
    POLICY,
    `"send_mail" was not run: it needs an approval, and nobody can be asked here (origin: trigger). ${ANOTHER_WAY}`,
  ],
  [POLICY, `"send_mail" was not run: it needs an approval, and no approvals are set up. ${ANOTHER_WAY}`],
  [POLICY, `"send_mail" was not run: what was asked is not what would run now. ${ANOTHER_WAY}`],
  [POLICY, `"send_mail" was not run: the approval was given for other arguments. ${ANOTHER_WAY}`],
  [POLICY, `"http" was not run: there is no secret named "key". None are known. ${ANOTHER_WAY}`],
  [
    POLICY,
    `"http" was not run: it cannot be given a secret, because its hosts are not known. ${ANOTHER_WAY}`,
  ],
  [
    POLICY,
    `"http" was not run: the secret "key" may only be sent to api.example, not to evil.example. ${ANOTHER_WAY}`,
  ],
  [
    POLICY,
    '"send_mail" would change something, and this run may only read. Nothing was run. Tell the user instead of trying another way.',
  ],
  [POLICY, '"admin" is not available here. Nothing was run.'],
  [POLICY, 'Commands are switched off here. Nothing was run.'],
  [
    POLICY,
    'This command hides what it runs (base64), so nobody could approve it. Nothing was run. Write out plainly what should run, in several calls if need be.',
  ],
  [
    POLICY,
    '"../x" is outside of the folders that may be used: notes. Nothing was done. Tell the user instead of trying another way.',
  ],
  [POLICY, 'Only http and https may be fetched, not ftp:. Nothing was fetched.'],
  [POLICY, 'A URL with a user name or password in it is not fetched. Leave it out. Nothing was fetched.'],
  [POLICY, 'Port 22 is not among those that may be fetched. Nothing was fetched.'],
  [
    POLICY,
    'intranet.example leads to the address 10.0.0.1, which is not on the public internet. Nothing was fetched: pages inside this machine or its network are out of bounds.',
  ],
  [
    POLICY,
    'shop.example redirects from https to http://shop.example, which is not protected. It was not followed.',
  ],
  [POLICY, 'No folder is allowed any more. The user can allow one in Settings.'],
  [POLICY, 'The user does not allow write actions in Gmail. Only they can change that.'],
  [POLICY, 'The user now counts this action of Gmail as write. Nothing was done. Start the task again.'],
  [{ deniedBy: 'user' }, `"send_mail" was not run: the user said no. ${ANOTHER_WAY}`],
  [
    { deniedBy: 'user' },
    `"send_mail" was not run: this was refused before in this turn, and asking again does not change that. ${ANOTHER_WAY}`,
  ],
  [{ deniedBy: 'user' }, 'The user does not want to connect Gmail.'],
  [{ deniedBy: 'expiry' }, `"send_mail" was not run: nobody answered in time. ${ANOTHER_WAY}`],
  [{ cancelled: true }, '"send_mail" was not run: the turn was stopped first.'],
  [{ cancelled: true }, '"send_mail" was not run: the turn was stopped before anybody answered.'],
  [{ cancelled: true }, '"send_mail" was stopped before it finished.'],
  [{ cancelled: true }, 'It was stopped before it began.'],
  [{ cancelled: true }, 'It was stopped while its output came in.'],
  [{ cancelled: true }, 'The call was stopped.'],
  [{ cancelled: true }, 'The command was stopped.'],
  [{ timedOut: true }, '"send_mail" timed out after 30 seconds.'],
  [{ timedOut: true }, 'The command was stopped after 30 seconds.'],
  [{ errorCode: 'unknown_tool' }, 'There is no tool named "x". Known: a, b.'],
  [{ errorCode: 'not_connected' }, 'Gmail is not connected any more. Nothing was done.'],
  [{ errorCode: 'not_connected' }, 'Gmail is not connected, and there is nobody here who could connect it.'],
  [{ errorCode: 'not_found' }, 'There is no app "gmial". Connected: none.'],
  [
    { interrupted: true },
    '"send_mail" was interrupted: it had been started, and nobody saw how it ended. It may or may not have happened. Find out before you do it again, and tell the user.',
  ],
]

describe('a refusal of the harness', () => {
  it.each(REFUSALS)('has the same class by its fact %j and by its words: %s', (facts, text) => {
    expect(classifyOutcome({ text }).class).toBe(classifyOutcome({ ...facts, text }).class)
  })

  it('is read as ours only at the start of a text', () => {
    const text = 'Search result: "x" was not run: a rule forbids this tool.'
    expect(classifyOutcome({ text }).evidence?.rule).not.toBe('own-refusal')
  })
})
