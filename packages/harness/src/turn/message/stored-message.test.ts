import { describe, expect, it } from 'vitest'
import type { CallId } from '@capstan/protocol'
import * as fc from 'fast-check'
import { createSession } from '../../entry-points/session/session.ts'
import { calls, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import type { JsonObject } from '../json.ts'
import type { Message } from './message.ts'
import { parseStored, toStored } from './stored-message.ts'

const words = fc.string()
const callId = words as fc.Arbitrary<CallId>
const json = fc
  .dictionary(words, fc.jsonValue())
  .map((value) => JSON.parse(JSON.stringify(value)) as JsonObject)
const extras = fc.dictionary(words, json)
const media = fc.record(
  {
    type: fc.constantFrom('image' as const, 'file' as const),
    ref: words,
    mediaType: words,
    bytes: fc.nat(),
    name: words,
  },
  { requiredKeys: ['type', 'ref', 'mediaType', 'bytes'] },
)
const textPart = fc.record(
  { type: fc.constant('text' as const), text: words, extras },
  { requiredKeys: ['type', 'text'] },
)
const reasoning = fc.record(
  { type: fc.constant('reasoning' as const), text: words, extras },
  { requiredKeys: ['type', 'text'] },
)
const callPart = fc.record({
  type: fc.constant('call' as const),
  call: fc.record(
    {
      id: callId,
      tool: words,
      arguments: json,
      malformed: fc.record({ raw: words, problem: words }),
      extras,
    },
    { requiredKeys: ['id', 'tool', 'arguments'] },
  ),
})
const isSet = fc.constant(true as const)
const aMessage: fc.Arbitrary<Message> = fc.oneof(
  fc.record(
    {
      role: fc.constant('user' as const),
      parts: fc.array(fc.oneof(textPart, media)),
      preface: words,
      delivery: fc.constantFrom('steer' as const, 'follow-up' as const),
    },
    { requiredKeys: ['role', 'parts'] },
  ),
  fc.record(
    {
      role: fc.constant('assistant' as const),
      parts: fc.array(fc.oneof(textPart, reasoning, callPart)),
      raw: words,
      cut: isSet,
    },
    { requiredKeys: ['role', 'parts'] },
  ),
  fc.record(
    {
      role: fc.constant('tool' as const),
      callId,
      tool: words,
      ok: fc.boolean(),
      text: words,
      media: fc.array(media),
      inText: isSet,
    },
    { requiredKeys: ['role', 'callId', 'tool', 'ok', 'text'] },
  ),
  fc.record(
    {
      role: fc.constant('notice' as const),
      text: words,
      fact: fc.record(
        {
          kind: fc.constantFrom('app-connected' as const, 'tool-removed' as const),
          name: words,
          slug: words,
        },
        { requiredKeys: ['kind', 'name'] },
      ),
      summary: fc.record({ text: words, request: words }, { requiredKeys: ['text'] }),
    },
    { requiredKeys: ['role', 'text'] },
  ),
)
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

describe('a stored message', () => {
  it('round-trips for any message', () => {
    fc.assert(
      fc.property(aMessage, (message) => {
        expect(parseStored(throughJson(toStored(message)))).toEqual(message)
      }),
    )
  })

  it('of a newer version is refused by that name', () => {
    const notice = { role: 'notice', text: 'hi' }
    expect(() => parseStored({ v: 2, message: notice })).toThrow(/newer version \(2\)/)
  })

  it.each([
    [undefined, 'it must be an object'],
    [null, 'it must be an object'],
    ['{}', 'it must be an object'],
    [{ message: { role: 'notice', text: 'hi' } }, 'v must be 1'],
    [{ v: '1', message: { role: 'notice', text: 'hi' } }, 'v must be 1'],
    [{ v: 1 }, 'message must be an object'],
    [{ v: 1, message: { role: 'system', text: 'hi' } }, 'message.role must be'],
    [{ v: 1, message: { role: 'notice' } }, 'message.text must be text'],
    [{ v: 1, message: { role: 'user', parts: 'hi' } }, 'message.parts must be a list'],
    [{ v: 1, message: { role: 'user', parts: [{ type: 'text' }] } }, 'message.parts[0].text must be text'],
    [
      { v: 1, message: { role: 'user', parts: [{ type: 'call' }] } },
      'message.parts[0].type must be image or file',
    ],
    [
      { v: 1, message: { role: 'user', parts: [], delivery: 'mail' } },
      'message.delivery must be steer or follow-up',
    ],
    [
      {
        v: 1,
        message: {
          role: 'assistant',
          parts: [{ type: 'call', call: { id: 'a', tool: 'b', arguments: [] } }],
        },
      },
      'message.parts[0].call.arguments must be an object',
    ],
    [
      { v: 1, message: { role: 'tool', callId: 'a', tool: 'b', text: 'c', ok: 'yes' } },
      'message.ok must be true or false',
    ],
  ])('that is invalid is refused with the path: %j', (value, problem) => {
    expect(() => parseStored(value)).toThrow(problem)
  })

  it('is either read or refused for any stored value', () => {
    const found = fc.oneof(
      fc.jsonValue(),
      fc.jsonValue().map((message) => ({ v: 1, message })),
      fc
        .tuple(
          aMessage,
          fc.jsonValue(),
          fc.constantFrom('parts', 'role', 'text', 'media', 'summary', 'callId'),
        )
        .map(([message, damage, field]) => ({ v: 1, message: { ...message, [field]: damage } })),
    )
    fc.assert(
      fc.property(found, (value) => {
        try {
          expect(toStored(parseStored(value))).toMatchObject({ v: 1 })
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError)
          expect((error as Error).message).toMatch(
            /^(A stored message is malformed|This message was stored by a newer)/,
          )
        }
      }),
    )
  })

  it('can be continued by a session', async () => {
    const first = createSession({
      model: new ScriptedModel(calls('clock'), says('Noon.')),
      tools: [stubTool('clock')],
    })
    await first.send('time?')
    const rows = first.messages.map((message) => JSON.stringify(toStored(message)))
    const model = new ScriptedModel(says('Still noon.'))
    const messages = rows.map((row) => parseStored(JSON.parse(row)))
    await createSession({ model, messages }).send('and now?')
    expect(model.request(0).messages.slice(0, -1)).toEqual(first.messages)
  })
})
