import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { classifyCommand } from './command-class.ts'
import { isPlainConfig, isPlainRepository } from './repository-config.ts'
import { SAFE_SHELL_ENVIRONMENT, safeEnvironmentOf } from './safe-environment.ts'

let folder: string

const git = (...args: readonly string[]) =>
  execFileSync('git', args, {
    cwd: folder,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
  })

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-repository-')))
  mkdirSync(join(folder, 'sub'))
  git('init', '-q')
  git('config', 'user.name', 'Ann')
  git('config', 'user.email', 'ann@example.com')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const READS = [
  'git status',
  'git log --oneline -5',
  'git status --short && git diff HEAD~1',
  'git -C sub status',
  'cd sub && git show HEAD',
  'git --no-pager log --stat',
  'git branch --show-current',
  'git stash list',
  'git config --get user.name',
  'timeout 5 git diff',
]

describe('a git command that reads', () => {
  it.each(READS)('is read in a repository with plain configuration: %s', (line) => {
    expect(classifyCommand(line, folder).class).toBe('read')
    expect(safeEnvironmentOf(line)).toBe(SAFE_SHELL_ENVIRONMENT)
  })

  it.each(READS)('is not read while nothing is known of the repository: %s', (line) => {
    expect(classifyCommand(line).class).toBe('write')
  })

  it.each([
    ['core.fsmonitor', './evil'],
    ['core.pager', './evil'],
    ['core.sshCommand', './evil'],
    ['core.hooksPath', 'hooks'],
    ['core.worktree', '/'],
    ['core.attributesFile', 'x'],
    ['diff.external', './evil'],
    ['diff.x.textconv', './evil'],
    ['diff.x.command', './evil'],
    ['filter.x.clean', './evil'],
    ['filter.x.process', './evil'],
    ['gpg.program', './evil'],
    ['log.showSignature', 'true'],
    ['format.pretty', '%G?'],
    ['pretty.x', '%G?'],
    ['alias.st', '!./evil'],
    ['include.path', 'other'],
    ['includeIf.gitdir:/.path', 'other'],
    ['remote.origin.uploadpack', './evil'],
    ['remote.origin.promisor', 'true'],
    ['extensions.partialClone', 'origin'],
    ['protocol.ext.allow', 'always'],
    ['submodule.x.ignore', 'none'],
    ['made.up', 'x'],
  ])('is not read in a repository that sets %s', (key, value) => {
    git('config', key, value)
    for (const line of READS) {
      expect(classifyCommand(line, folder).class).toBe('write')
      expect(classifyCommand(line, join(folder, 'sub')).class).toBe('write')
    }
  })

  it('is not read in a folder that is itself a repository, or has submodules', () => {
    git('init', '-q', '--bare', 'bare')
    expect(isPlainRepository(folder)).toBe(true)
    expect(isPlainRepository(join(folder, 'bare'))).toBe(false)
    expect(classifyCommand('git -C bare log', folder).class).toBe('write')
    expect(classifyCommand('cd bare && git log', folder).class).toBe('write')
    writeFileSync(join(folder, '.gitmodules'), '')
    expect(isPlainRepository(folder)).toBe(false)
  })

  it('is not read where git would pass over a broken repository to one above it', () => {
    mkdirSync(join(folder, 'sub/.git'))
    writeFileSync(join(folder, 'sub/.git/config'), '[core]\n\tbare = false\n')
    expect(isPlainRepository(join(folder, 'sub'))).toBe(false)
  })

  it('is read in a linked work tree by the configuration of its repository', () => {
    git('commit', '-q', '--allow-empty', '-m', 'first')
    git('worktree', 'add', '-q', 'tree')
    expect(isPlainRepository(join(folder, 'tree'))).toBe(true)
    git('config', 'core.fsmonitor', './evil')
    expect(isPlainRepository(join(folder, 'tree'))).toBe(false)
  })

  it('does not run what the configuration names, even when that is set after it was judged', () => {
    writeFileSync(join(folder, 'evil'), '#!/bin/sh\ntouch made\n', { mode: 0o755 })
    git('config', 'core.fsmonitor', './evil')
    const env = { PATH: process.env['PATH'], HOME: folder, ...safeEnvironmentOf('git status') }
    execFileSync('git', ['status'], { cwd: folder, env, stdio: 'ignore' })
    expect(existsSync(join(folder, 'made'))).toBe(false)
  })
})

describe('the variables that are added for a command', () => {
  it.each(['git commit -m x', 'git push', 'npm test', 'echo $(git status)'])(
    'are none for one that does more than read: %s',
    (line) => expect(safeEnvironmentOf(line)).toEqual({}),
  )
})

describe('a configuration', () => {
  it.each([
    ['', true],
    ['# x\n[core]\n\tbare = false\n', true],
    [
      '[remote "origin"]\n\turl = https://example.com/x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
      true,
    ],
    ['[branch "a.b/c"]\r\n\tmerge = refs/heads/a\r\n', true],
    ['[core] fsmonitor = ./evil\n', false],
    ['[core]\n\tbare = false \\\n\tfsmonitor = ./evil\n', false],
    ['[CORE]\n\tFSMonitor = ./evil\n', false],
    ['[core "x"]\n\tbare = false\n', false],
    ['[remote.origin]\n\turl = x\n', false],
    ['[diff "a\\"b"]\n', false],
    ['bare = false\n', false],
    ['[core]\n\tbare\n', true],
    [`# ${'x'.repeat(200_000)}`, false],
  ])('%j is plain: %s', (text, expected) => expect(isPlainConfig(text)).toBe(expected))
})
