import { describe, expect, it } from 'vitest'
import { stubTool } from '../testing/stub-tool.ts'
import { toFlowTool } from './to-flow-tool.ts'

const toolWith = (name: string, ...names: string[]) =>
  stubTool(name, undefined, {
    input: { type: 'object', properties: Object.fromEntries(names.map((one) => [one, { type: 'string' }])) },
  })

describe('a tool that declares nothing', () => {
  it('returns private data and untrusted text', () => {
    expect(toFlowTool(toolWith('look'), 'read').returns).toEqual(['private', 'untrusted'])
  })

  it.each([
    ['to', 'cc', 'bcc'],
    ['recipient', 'recipientEmails', 'email_address'],
    ['url', 'callbackUrl', 'webhook'],
    ['channel', 'channel_id', 'accountNumber'],
    ['iban', 'attendees', 'shareWith'],
  ])('sends to the arguments %s, %s and %s when it changes something', (...names) => {
    expect(toFlowTool(toolWith('act', ...names, 'body', 'title'), 'write').destinations).toEqual(names)
  })

  it('sends only to an address when it reads', () => {
    const tool = toolWith('look', 'url', 'host', 'channel', 'user', 'query')
    expect(toFlowTool(tool, 'read').destinations).toEqual(['url', 'host'])
  })

  it('sends its query when it reaches out to the web', () => {
    expect(toFlowTool(toolWith('web_search', 'query', 'limit'), 'read').destinations).toEqual(['query'])
  })
})

describe('a tool that declares its data flow', () => {
  it('is taken at its word', () => {
    const tool = { ...toolWith('send', 'to'), returns: [] as const, destinations: ['room'] }
    expect(toFlowTool(tool, 'write')).toMatchObject({ returns: [], destinations: ['room'] })
  })

  it('that gives back what others read has the labels of the thread', () => {
    const tool = { ...toolWith('report'), returns: 'inherited' as const }
    expect(toFlowTool(tool, 'read', ['private']).returns).toEqual(['private'])
  })
})

describe('the words of a result', () => {
  it.each([
    ['run_python', 'code'],
    ['database', 'sql'],
    ['terminal', 'command'],
  ])('are made by the assistant: %s with %s', (name, argument) => {
    expect(toFlowTool(toolWith(name, argument), 'read').text).toBe('made')
  })

  it('are those of others for all other tools', () => {
    expect(toFlowTool(toolWith('check_voucher', 'code'), 'read').text).toBeUndefined()
  })
})
