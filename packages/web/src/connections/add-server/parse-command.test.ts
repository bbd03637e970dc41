import { describe, expect, it } from 'vitest'
import { parseCommand } from './parse-command.ts'

const wordsOf = (line: string): readonly string[] => {
  const result = parseCommand(line)
  if (!result.ok) throw new Error(`${line} was refused: ${result.problem}`)
  return [result.parsed.command, ...result.parsed.args]
}

describe('parseCommand', () => {
  it('splits at spaces, however many there are', () => {
    expect(wordsOf('  npx   -y\t@scope/server\n/notes ')).toEqual(['npx', '-y', '@scope/server', '/notes'])
  })

  it('keeps quoted text together, and an empty quoted argument', () => {
    expect(wordsOf(`server "my notes" 'a "b"' --label=""`)).toEqual([
      'server',
      'my notes',
      'a "b"',
      '--label=',
    ])
    expect(wordsOf(`server ''`)).toEqual(['server', ''])
  })

  it('reads an escaped quote, and joins quoted and bare parts of one word', () => {
    expect(wordsOf(String.raw`server "say \"hi\"" --dir="a b"/c`)).toEqual([
      'server',
      'say "hi"',
      '--dir=a b/c',
    ])
  })

  it('keeps the backslashes of a Windows path', () => {
    expect(wordsOf(String.raw`C:\tools\server.exe "C:\My Notes"`)).toEqual([
      String.raw`C:\tools\server.exe`,
      String.raw`C:\My Notes`,
    ])
  })

  it('reads an escaped space as part of a word, and a continued line as one line', () => {
    expect(wordsOf(String.raw`server my\ notes`)).toEqual(['server', 'my notes'])
    expect(wordsOf('server \\\n  --port 1')).toEqual(['server', '--port', '1'])
  })

  it('drops a prompt sign copied from a manual', () => {
    expect(wordsOf('$ npx server')).toEqual(['npx', 'server'])
  })

  it('refuses shell syntax and names the character', () => {
    for (const [line, at] of [
      ['a | b', '|'],
      ['a && b', '&'],
      ['a; b', ';'],
      ['a > file', '>'],
      ['a `b`', '`'],
      ['a $(b)', '$('],
    ] as const)
      expect(parseCommand(line)).toEqual({ ok: false, problem: 'shell', at })
  })

  it('accepts shell characters inside quotes', () => {
    expect(wordsOf(`server "a|b" '>'`)).toEqual(['server', 'a|b', '>'])
  })

  it('refuses a variable in front of the program without repeating its value', () => {
    expect(parseCommand('TOKEN=abc npx server')).toEqual({ ok: false, problem: 'environment', at: 'TOKEN' })
  })

  it('reports an open quote and an empty command', () => {
    expect(parseCommand('server "notes')).toEqual({ ok: false, problem: 'open-quote', at: '"' })
    expect(parseCommand('   ')).toEqual({ ok: false, problem: 'empty' })
    expect(parseCommand('""')).toEqual({ ok: false, problem: 'empty' })
  })

  it('reports parts that a terminal would expand', () => {
    const result = parseCommand(`server ~/notes $HOME/a '~/b' C:~`)
    expect(result).toMatchObject({ ok: true, parsed: { literal: ['~/notes', '$HOME/a'] } })
  })
})
