import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder with two repositories to run commands in. */
export interface World {
  readonly folder: string
  /** Nothing in it runs anything. */
  readonly plain: string
  /** Its configuration, its attributes and the names of its files try to. */
  readonly hostile: string
  readonly remove: () => void
}

const FILES: Readonly<Record<string, string>> = {
  'README.md': 'start\nTODO: b ERROR a\ntouch made\nend\n',
  'docs/guide.md': 'A guide.\nname,1\n',
  'src/main.ts': 'export function main() {}\n// TODO\n',
  'src/list.ts': 'export const list = []\n',
  'data/numbers.txt': '3\n1\n2\n2\n',
  'data/people.csv': 'name,age,town\nAnn,30,Bonn\nBob,41,Bath\n',
  'data/list.json': '{"list":[{"name":"a","size":3}]}\n',
  'data/encoded.txt': 'aGVsbG8K\n',
  'logs/app.log': '10:00 INFO start\n10:01 ERROR no\n',
  'package.json': '{"name":"x","scripts":{"test":"touch made"},"list":[1]}\n',
  '.env': 'TOKEN=x\n',
}

// Names that programs would take for options.
const ODD_NAMES = [
  '-o',
  '-delete',
  '--output=made',
  '--pre=.%evil',
  'a:b.tar',
  '-i',
  '--checkpoint-action=exec=.%evil',
  '-n',
]

const HOSTILE_SETTINGS =
  `core.fsmonitor core.pager core.editor core.sshCommand core.askPass diff.external gpg.program
  diff.x.textconv diff.x.command filter.x.clean filter.x.smudge interactive.diffFilter pager.log pager.status
  credential.helper uploadpack.packObjectsHook remote.origin.uploadpack sequence.editor`.split(/\s+/)

/** Creates the folder anew. */
export function createWorld(): World {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'capstan-shell-fuzz-')))
  const plain = join(folder, 'plain')
  const hostile = join(folder, 'hostile')
  for (const place of [plain, hostile]) fill(place)
  for (const name of ODD_NAMES) writeFileSync(join(hostile, name), 'x\n')
  writeFileSync(join(hostile, '.gitattributes'), '* diff=x filter=x\n')
  writeFileSync(join(hostile, '.gitmodules'), '[submodule "m"]\n\tpath = m\n\turl = ./m\n\tignore = none\n')
  const evil = join(hostile, 'evil')
  const settings = [
    ...HOSTILE_SETTINGS.map((key) => [key, evil]),
    ['log.showSignature', 'true'],
    ['core.hooksPath', 'hooks'],
    ['alias.st', `!${evil}`],
  ]
  for (const [key, value] of settings) run(hostile, 'git', 'config', key!, value!)
  for (const [key, value] of settings) run(join(plain, 'bare'), 'git', 'config', key!, value!)
  return { folder, plain, hostile, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function fill(place: string): void {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(join(place, name, '..'), { recursive: true })
    writeFileSync(join(place, name), text)
  }
  writeFileSync(join(place, 'evil'), '#!/bin/sh\ntouch made\ncat\n')
  chmodSync(join(place, 'evil'), 0o755)
  symlinkSync('/etc/hostname', join(place, 'outside'))
  run(place, 'tar', 'cf', 'data/archive.tar', 'README.md')
  run(place, 'tar', 'czf', 'data/archive.tgz', 'README.md')
  run(place, 'gzip', '-k', '-S', '.gz', 'README.md')
  run(place, 'mv', 'README.md.gz', 'data/notes.gz')
  run(place, 'git', 'init', '-q', '-b', 'main')
  run(place, 'git', 'config', 'user.name', 'Ann')
  run(place, 'git', 'config', 'user.email', 'ann@example.com')
  run(place, 'git', 'remote', 'add', 'origin', 'https://example.com/x')
  for (const message of ['first', 'second']) {
    writeFileSync(join(place, 'README.md'), `${FILES['README.md']}${message}\n`)
    run(place, 'git', 'add', '-A')
    run(place, 'git', 'commit', '-q', '-m', message)
  }
  run(place, 'git', 'tag', 'v1')
  run(place, 'git', 'init', '-q', '--bare', 'bare')
  // Now git has to look at the contents of files, and not only at their times.
  writeFileSync(join(place, 'README.md'), `${FILES['README.md']}changed\n`)
  writeFileSync(join(place, 'src/main.ts'), FILES['src/main.ts']!)
}

function run(folder: string, program: string, ...args: readonly string[]): void {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
  execFileSync(program, args, { cwd: folder, stdio: 'ignore', env })
}
