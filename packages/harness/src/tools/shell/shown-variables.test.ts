import { describe, expect, it } from 'vitest'
import { classifyCommand } from './command-class.ts'

describe('a filter or a file name that reaches further than it looks', () => {
  it.each([
    ['variables, with a space behind the sign', "jq -n '$ ENV'"],
    ['variables, with a line break behind the sign', "jq -n '$\nENV'"],
    ['variables, with a comment behind the sign', "jq -n '$ # of the environment\nENV'"],
    ['variables, inside of a string', String.raw`jq -n '"\(env)"'`],
    ['variables, by awk', "awk 'BEGIN { for (name in ENVIRON) print name }'"],
    ['variables, of processes', 'ps auxe'],
    ['the arguments of jq', "jq -n '$__prog_args'"],
    ['another file, as a module', 'jq \'include "module"; .\' data.json'],
    ['another file, from a folder of modules', 'jq -L modules . data.json'],
    ['another file, as a value of jq', "jq -n --rawfile text notes.txt '$text'"],
    ['another file, as a program of jq', 'jq -nf program.jq'],
    ['another file, by sed', "sed 'r notes.txt' data.txt"],
    ['a file to write, by sed', "sed -n 's/a/b/w copy.txt' data.txt"],
    ['a command, by sed', "sed '1e id' data.txt"],
    ['a file to write, by find', "find . -fprintf names.txt '%p'"],
    ['a connection, which is a file for gawk', "awk '{print}' /inet/tcp/0/evil.example/80"],
  ])('is no read: %s', (_, command) => {
    expect(classifyCommand(command).class).not.toBe('read')
  })

  it.each([
    "jq -r '.items[] | [.name, .env_name] | @sh' data.json",
    "jq --arg name env '.[$name]' data.json",
    'jq \'getpath(["a"])\' data.json',
    "jq -n '$__loc__'",
    "find . -printf '%p %s\\n'",
  ])('while this only reads: %s', (command) => {
    expect(classifyCommand(command).class).toBe('read')
  })
})
