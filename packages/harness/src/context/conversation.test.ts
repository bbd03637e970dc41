import { describe, expect, it } from 'vitest'
import type { CallId } from '@capstan/protocol'
import * as fc from 'fast-check'
import { stubTool } from '../testing/index.ts'
import type { Message } from '../turn/message/message.ts'
import { Conversation } from './conversation.ts'
import { History } from './history.ts'

const user = (words: string): Message => ({ role: 'user', parts: [{ type: 'text', text: words }] })
const tools = (...names: string[]) => names.map((name) => stubTool(name))

describe('a request', () => {
  it('extends the previous one while the history only grows', () => {
    const conversation = new Conversation('Be kind.', [user('one')])
    const sent = tools('a')
    const first = conversation.hashRequest(sent)
    expect(conversation.findBreak(sent)).toBeUndefined()
    conversation.history.append(user('two'))
    const second = conversation.hashRequest(sent)
    expect(conversation.findBreak(sent)).toBeUndefined()
    expect(second).toMatchObject({ system: first.system, tools: first.tools })
    expect(second.history).not.toBe(first.history)
  })

  it('breaks the prefix when its tools changed', () => {
    const conversation = new Conversation('')
    conversation.findBreak(tools('a'))
    expect(conversation.findBreak(tools('a', 'b'))).toMatchObject({ field: 'tools' })
  })

  it('keeps the prefix for another list of the same tools', () => {
    const conversation = new Conversation('')
    const sent = tools('a', 'b')
    conversation.findBreak(sent)
    expect(conversation.findBreak([...sent])).toBeUndefined()
    expect(conversation.hashRequest([...sent])).toEqual(conversation.hashRequest(sent))
  })

  it('breaks the prefix once, with the reason, when the history was replaced', () => {
    const conversation = new Conversation('', [user('one'), user('two')])
    conversation.findBreak([])
    conversation.history.replace([user('both')], 'it was compacted')
    expect(conversation.findBreak([])).toEqual({ field: 'history', reason: 'it was compacted' })
    expect(conversation.findBreak([])).toBeUndefined()
  })

  it('breaks no prefix when it is the first', () => {
    const conversation = new Conversation('', [user('one')])
    conversation.history.replace([user('two')], 'it was compacted')
    expect(conversation.findBreak(tools('a'))).toBeUndefined()
  })

  it('has the same hashes for the same conversation, also in another process', () => {
    const hashed = () => new Conversation('Be kind.', [user('one')]).hashRequest(tools('a'))
    expect(hashed()).toEqual(hashed())
  })
})

describe('a history', () => {
  it('is one growing list until it is replaced', () => {
    const history = new History([user('one')])
    const { messages } = history
    history.append(user('two'))
    expect(history.messages).toBe(messages)
    history.replace([user('both')], 'test')
    expect(history.messages).not.toBe(messages)
    expect(messages).toHaveLength(2)
  })

  it('remembers every call id, also of calls it no longer holds', () => {
    const id = 'c1' as CallId
    const history = new History([
      { role: 'assistant', parts: [{ type: 'call', call: { id, tool: 'a', arguments: {} } }] },
    ])
    history.replace([user('summary')], 'test')
    expect(history.hasCall('c1')).toBe(true)
    expect(history.hasCall('c2')).toBe(false)
  })

  it('has a hash that depends only on its messages', () => {
    const words = fc.array(fc.string(), { maxLength: 8 })
    fc.assert(
      fc.property(words, words, (before, after) => {
        const asked = new History(before.map(user))
        asked.hash()
        for (const word of after) asked.append(user(word))
        const other = new History(before.map(user))
        other.hash()
        for (const word of after) other.append(user(word))
        expect(asked.hash()).toBe(other.hash())
        expect(asked.tokens).toBe(new History([...before, ...after].map(user)).tokens)
      }),
    )
  })
})
