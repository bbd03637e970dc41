import type { NoticeFact } from '@capstan/protocol'
import type { NoticeMessage } from '../turn/message.ts'

/** The lines the harness itself adds to a conversation. */
export const notice = (text: string, fact?: NoticeFact): NoticeMessage => ({
  role: 'notice',
  text,
  ...(fact && { fact }),
})

export const GO_ON = 'The user asked to continue. Go on with the request from where you stopped.'

export const replyWasCut = (): NoticeMessage =>
  notice(
    'Your last reply was cut off by the connection, and what came after it was lost; no call in it was run. ' +
      'Go on from where it stopped, without repeating it.',
  )
