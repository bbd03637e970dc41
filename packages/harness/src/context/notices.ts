import type { NoticeFact } from '@capstan/protocol'
import type { NoticeMessage } from '../turn/message/message.ts'

/** A line that the harness adds to a conversation. */
export const notice = (text: string, fact?: NoticeFact): NoticeMessage => ({
  role: 'notice',
  text,
  ...(fact && { fact }),
})

/** The notice for a turn that continues without a new message. */
export const GO_ON = 'The user asked to continue. Go on with the request from where you stopped.'

/** The notice after a reply that broke off. */
export const replyWasCut = (): NoticeMessage =>
  notice(
    'Your last reply was cut off by the connection, and what came after it was lost; no call in it was run. ' +
      'Go on from where it stopped, without repeating it.',
  )
