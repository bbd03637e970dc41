import type { CallId } from '@capstan/protocol'
import type { LedgerRecord } from '../../ports/ledger.ts'
import {
  CALL,
  FAILURE,
  RUN,
  THREAD,
  USAGE,
  approval,
  event,
  intent,
  readResult,
  result,
  runEnd,
} from './records.ts'
import { runPark, runResume, runStart, usageOf } from './records.ts'

/** A turn with a record of every kind and every field a record may have. */
export function oneOfEach(): readonly LedgerRecord[] {
  const child = { runId: 'run_child', callId: CALL }
  const image = {
    type: 'image',
    ref: 'media_1',
    mediaType: 'image/png',
    bytes: 3,
    name: 'a "b".png',
  } as const
  const extras = { google: { signature: 'AbC+/=', nested: [1, null, { deep: true }] } }
  return [
    {
      type: 'conversation-open',
      at: 1_000,
      conversationId: THREAD,
      agent: 'orchestrator',
      system: 'You are\nkind.',
    },
    { type: 'media', at: 1_001, ref: 'media_1', bytes: Uint8Array.of(0, 128, 255) },
    runStart(1_002.5, {
      messageId: 'message_1',
      name: 'scout',
      budget: { iterations: 5, tokens: 9_007_199_254_740_991, usd: 0.1 + 0.2, wallClockMs: 60_000 },
    }),
    event(1),
    {
      type: 'message',
      at: 1_003,
      runId: RUN,
      message: {
        role: 'user',
        preface: 'Today is Friday.\n',
        parts: [{ type: 'text', text: 'Look at this: ', extras }, image],
      },
    },
    event(2),
    {
      type: 'message',
      at: 1_004,
      runId: RUN,
      message: {
        role: 'assistant',
        raw: '<call>…</call>',
        cut: true,
        parts: [
          { type: 'reasoning', text: 'Hm.', extras },
          { type: 'text', text: 'I will.' },
          {
            type: 'call',
            call: { id: CALL, tool: 'send_mail', arguments: { to: ['a'], count: -0.5, none: null } },
          },
        ],
      },
    },
    usageOf(1_005, 'model-a', RUN, { ...USAGE, estimated: true }),
    approval('approval_1'),
    approval('approval_2', { callId: 'call_text' as CallId, arguments: 'only text' }),
    approval('approval_3', { callId: 'call_null' as CallId, arguments: null }),
    runPark(1_006, RUN, { kind: 'approval', id: 'approval_1' }),
    runResume(1_007, RUN),
    intent(1_008, 'call_1'),
    result(1_009, 'call_1', FAILURE),
    readResult(1_010, 'call_2'),
    {
      type: 'call-result',
      at: 1_011,
      runId: RUN,
      result: {
        callId: 'call_3' as CallId,
        tool: 'wait',
        ok: true,
        durationMs: 0.25,
        outputBytes: 0,
        endsTurn: true,
      },
      message: {
        role: 'tool',
        callId: 'call_3' as CallId,
        tool: 'wait',
        ok: true,
        text: '',
        media: [image],
        inText: true,
      },
      polls: true,
    },
    runStart(1_012, {
      runId: 'run_child' as typeof RUN,
      conversationId: 'run_child',
      depth: 1,
      parent: { runId: RUN, callId: child.callId },
      origin: 'schedule',
    }),
    runEnd(1_013, 'run_child', {
      type: 'capped',
      cap: { kind: 'usd', limit: 0.5 },
      resumeToken: 'resume_1',
      text: 'So far.',
      usage: USAGE,
      iterations: 3,
    }),
    {
      type: 'history-replace',
      at: 1_014,
      runId: RUN,
      messages: [
        { role: 'notice', text: 'Before: much.', summary: { text: 'much', request: 'Look.' } },
        { role: 'notice', text: 'Gmail is now connected.' },
      ],
    },
    { type: 'message-queue', at: 1_015, id: 'queued_1', mode: 'steer', text: 'Hurry.' },
    { type: 'message-queue', at: 1_016, id: 'queued_2', mode: 'follow-up', text: 'And then?' },
    { type: 'message-dequeue', at: 1_017, id: 'queued_1' },
    { type: 'message-dequeue', at: 1_018, id: 'queued_2', refused: 'The turn had ended.' },
    {
      type: 'event',
      at: 1_019,
      event: {
        type: 'tool-start',
        threadId: THREAD,
        runId: RUN,
        seq: 3,
        at: 1_019,
        iteration: 1,
        callId: CALL,
        tool: 'send_mail',
        arguments: { list: [1, 'two', null], '': { 'a b': true } },
        label: 'Send a mail',
        detail: 'to Ada',
      },
    },
    runEnd(1_020, RUN, { type: 'failed', failure: FAILURE, text: 'It failed.', usage: USAGE, iterations: 4 }),
  ]
}
