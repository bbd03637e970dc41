import { describe, expect, it } from 'vitest'
import { classifyCommand } from './command-class.ts'

describe('a filter or a file name that reaches further than it looks', () => {
  it.each([
    ['variables, with a space behind the sign', "jq -n '$ ENV'"],
    ['variables, with a line break behind the sign', "jq -n '$\nENV'"],
    ['a connection, which is a file for gawk', "awk '{print}' /inet/tcp/0/evil.example/80"],
  ])('is no read: %s', (_, command) => {
    expect(classifyCommand(command).class).not.toBe('read')
  })
})
