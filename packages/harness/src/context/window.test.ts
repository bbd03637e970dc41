import { describe, expect, it } from 'vitest'
import type { Usage } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import type { Message } from '../turn/message/message.ts'
import type { ModelReply } from '../turn/message/model-reply.ts'
import { Conversation } from './conversation.ts'
import { ContextWindow, reserveTokens } from './window.ts'

const usage = (inputTokens: number, outputTokens = 0): Usage => ({ ...NO_USAGE, inputTokens, outputTokens })
const reply = (inputTokens: number, outputTokens: number, words = ''): ModelReply => ({
  parts: words === '' ? [] : [{ type: 'text', text: words }],
  text: words,
  finish: 'stop',
  usage: usage(inputTokens, outputTokens),
})
const reply400 = (tokens: number): Message => ({ role: 'notice', text: 'x'.repeat(tokens * 4) })

describe('the context window', () => {
  it.each([
    [899, 'fits'],
    [900, 'compact'],
    [949, 'compact'],
    [2_000, 'compact'],
  ])('at %i of 1000 tokens is: %s', (tokens, verdict) => {
    const window = new ContextWindow()
    window.noteUsage(reply(tokens, 0), new Conversation(''))
    expect(window.judge(new Conversation(''), 1_000)).toBe(verdict)
  })

  it('counts input and output tokens', () => {
    const window = new ContextWindow()
    const conversation = new Conversation('')
    window.noteUsage(reply(850, 50), conversation)
    expect(window.judge(conversation, 1_000)).toBe('compact')
  })

  it('counts a reply once, also after it joined the history', () => {
    const window = new ContextWindow()
    const conversation = new Conversation('')
    const words = 'y'.repeat(400)
    window.noteUsage(reply(750, 100, words), conversation)
    conversation.history.append({ role: 'assistant', parts: [{ type: 'text', text: words }] })
    expect(window.tokens(conversation)).toBe(850)
  })

  it('adds an estimate of newer messages to the counted tokens', () => {
    const window = new ContextWindow()
    const conversation = new Conversation('')
    window.noteUsage(reply(800, 0), conversation)
    conversation.history.append(reply400(99))
    expect(window.judge(conversation, 1_000)).toBe('fits')
    conversation.history.append(reply400(1))
    expect(window.judge(conversation, 1_000)).toBe('compact')
  })

  it('does not believe a count far below its estimate, such as one without the cached part', () => {
    const window = new ContextWindow()
    const conversation = new Conversation('', [reply400(950)])
    window.noteUsage(reply(600, 0), conversation)
    expect(window.tokens(conversation)).toBe(600)
    window.noteUsage(reply(60, 0), conversation)
    expect(window.tokens(conversation)).toBe(950)
    expect(window.judge(conversation, 1_000)).toBe('compact')
  })

  it('estimates prompt and history before any usage was counted', () => {
    const conversation = new Conversation('p'.repeat(400), [reply400(50)])
    expect(new ContextWindow().tokens(conversation)).toBe(150)
  })

  it('asks for no summary after three failures in a row, and is exhausted at 0.95', () => {
    const window = new ContextWindow()
    const conversation = new Conversation('')
    window.noteUsage(reply(940, 0), conversation)
    for (const _ of [1, 2, 3]) {
      expect(window.judge(conversation, 1_000)).toBe('compact')
      window.noteSummary('failed')
    }
    expect(window.judge(conversation, 1_000)).toBe('fits')
    window.noteUsage(reply(950, 0), conversation)
    expect(window.judge(conversation, 1_000)).toBe('exhausted')
  })

  it('asks for summaries again after one succeeded', () => {
    const window = new ContextWindow()
    const conversation = new Conversation('')
    window.noteSummary('failed')
    window.noteSummary('failed')
    window.noteSummary('made')
    window.noteSummary('failed')
    window.noteUsage(reply(990, 0), conversation)
    expect(window.judge(conversation, 1_000)).toBe('compact')
  })

  it('of unknown size is never full', () => {
    const window = new ContextWindow()
    const conversation = new Conversation('')
    window.noteUsage(reply(10_000_000, 0), conversation)
    expect(window.judge(conversation, undefined)).toBe('fits')
  })

  it('drops the counted tokens when the history is replaced', () => {
    const window = new ContextWindow()
    const conversation = new Conversation('', [reply400(10)])
    window.noteUsage(reply(990, 0), conversation)
    conversation.history.append(reply400(500))
    conversation.history.replace([reply400(100)], 'test')
    window.noteCompaction()
    expect(window.tokens(conversation)).toBe(100)
  })
})

describe('the tokens reserved for an answer', () => {
  it.each([
    [2_000, 512],
    [8_000, 800],
    [100_000, 10_000],
    [1_000_000, 100_000],
  ])('in a window of %i tokens are %i', (window, reserve) => {
    expect(reserveTokens(window)).toBe(reserve)
  })
})
