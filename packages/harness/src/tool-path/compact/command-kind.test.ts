import { describe, expect, it } from 'vitest'
import { isFileInspection, isTestRun } from './command-kind.ts'

describe('a command', () => {
  it.each([
    'cat notes.txt',
    "sed -n '1,40p;60p' src/main.ts",
    'cd app && head -n 50 log.txt',
    'sudo /usr/bin/tail -n 5 /var/log/syslog',
    'LC_ALL=C cat a | head -3',
    `bash -lc 'cat "a;b.txt"'`,
    'nl -ba main.c; cat other.c',
    'git show HEAD~1:src/main.ts',
    'Get-Content report.csv',
  ])('that only shows files: %s', (command) => {
    expect(isFileInspection(command)).toBe(true)
  })

  it.each([
    'npm test 2>&1 | tail -40',
    'cat words.txt | sort | uniq -c',
    'sed -i s/a/b/ notes.txt',
    'sed -n -i p notes.txt',
    'cd app',
    'echo cat',
    'git show HEAD',
    'concat a b',
    '',
  ])('that does not only show files: %s', (command) => {
    expect(isFileInspection(command)).toBe(false)
  })

  it.each([
    'npx vitest run src',
    'npm test',
    'npm run test:unit',
    'cargo test --all',
    'go test ./...',
    'python -m pytest -q',
  ])('that runs tests: %s', (command) => {
    expect(isTestRun(command)).toBe(true)
  })

  it.each(['npm install', 'git status', 'ls latest', 'make contest'])('that runs no tests: %s', (command) => {
    expect(isTestRun(command)).toBe(false)
  })
})
