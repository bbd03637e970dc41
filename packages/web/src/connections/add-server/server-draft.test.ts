import { describe, expect, it } from 'vitest'
import type { ServerDraft } from './server-draft.ts'
import { checkDraft, EMPTY_DRAFT, suggestName } from './server-draft.ts'

const byUrl = (url: string, name = 'Tracker'): ServerDraft => ({ ...EMPTY_DRAFT, name, url })
const byCommand = (command: string, name = 'Files'): ServerDraft => ({
  ...EMPTY_DRAFT,
  way: 'command',
  name,
  command,
})

describe('checkDraft', () => {
  it('accepts an https address and trims it', () => {
    expect(checkDraft(byUrl(' https://mcp.tracker.example/mcp ', ' Tracker '))).toEqual({
      post: { name: 'Tracker', transport: { type: 'http', url: 'https://mcp.tracker.example/mcp' } },
    })
  })

  it('splits a command into its parts and adds no confirmation', () => {
    expect(checkDraft(byCommand('npx -y files "my notes"'))).toEqual({
      post: {
        name: 'Files',
        transport: { type: 'stdio', command: 'npx', args: ['-y', 'files', 'my notes'] },
      },
    })
  })

  it('accepts plain http on this machine only', () => {
    for (const url of ['http://localhost:3000/mcp', 'http://127.0.0.1:1', 'http://[::1]:3000/mcp'])
      expect(checkDraft(byUrl(url))).toHaveProperty('post')
    for (const url of ['http://tracker.example', 'http://127.0.0.1.evil.example', 'http://10.0.0.1'])
      expect(checkDraft(byUrl(url))).toEqual({ problems: [{ field: 'url', problem: 'not-https' }] })
  })

  it('refuses text that is no address, other protocols, and passwords in an address', () => {
    expect(checkDraft(byUrl('tracker'))).toEqual({ problems: [{ field: 'url', problem: 'not-a-url' }] })
    expect(checkDraft(byUrl('javascript:alert(1)'))).toEqual({
      problems: [{ field: 'url', problem: 'not-a-url' }],
    })
    expect(checkDraft(byUrl('https://ada:secret@tracker.example'))).toEqual({
      problems: [{ field: 'url', problem: 'credentials' }],
    })
  })

  it('reports every wrong field, not only the first', () => {
    expect(checkDraft(byUrl('', ''))).toEqual({
      problems: [
        { field: 'name', problem: 'empty' },
        { field: 'url', problem: 'empty' },
      ],
    })
    expect(checkDraft(byCommand('a | b', '…'))).toEqual({
      problems: [
        { field: 'name', problem: 'no-letters' },
        { field: 'command', problem: 'shell', at: '|' },
      ],
    })
    expect(checkDraft(byUrl('https://a.example', 'x'.repeat(61)))).toEqual({
      problems: [{ field: 'name', problem: 'too-long' }],
    })
  })

  it('checks only the fields of the chosen way', () => {
    expect(checkDraft({ ...byUrl('https://a.example'), command: 'a | b' })).toHaveProperty('post')
  })
})

describe('suggestName', () => {
  it('takes the significant part of an address', () => {
    expect(suggestName(byUrl('https://mcp.linear.app/mcp'))).toBe('Linear')
    expect(suggestName(byUrl('https://api.tracker.example'))).toBe('Tracker')
    expect(suggestName(byUrl('http://127.0.0.1:4000'))).toBe('')
    expect(suggestName(byUrl('not yet'))).toBe('')
  })

  it('takes the program, not its runner', () => {
    expect(suggestName(byCommand('npx -y @modelcontextprotocol/server-filesystem /notes'))).toBe('Filesystem')
    expect(suggestName(byCommand('/usr/local/bin/notes-server.py'))).toBe('Notes')
    expect(suggestName(byCommand('uvx mcp-server-git@1.2.0'))).toBe('Git')
    expect(suggestName(byCommand('"open'))).toBe('')
  })
})
