import { judgeAwk, judgeSed, judgeTar } from './judge-editors.ts'
import { judgeGit } from './judge-git.ts'
import { judgeInterpreter, judgeShell, judgeSource } from './judge-interpreters.ts'
import { WRAPPERS } from './judge-wrappers.ts'
import type { Judge } from './verdict.ts'
import { hasOption } from './verdict.ts'

/** How far a program goes beyond reading when one of these options is there; without them it writes. */
const runsWith =
  (letters: string, ...names: readonly string[]): Judge =>
  (args) =>
    hasOption(args, letters, ...names) ? 'destructive' : 'write'

const judgeMake: Judge = (args) => {
  if (hasOption(args, 'E', '--eval')) return 'destructive'
  return args.some(({ text }) => /(^|-)(un)?install/.test(text)) ? 'install' : 'write'
}

const judgeChmod: Judge = (args) => (hasOption(args, 'R', '--recursive') ? 'destructive' : 'write')
// An operand, or an option that is not known, sets the name.
const judgeHostname: Judge = (args) => (args.length > 0 ? 'destructive' : 'write')

/** Programs whose words decide. */
export const JUDGES: Readonly<Record<string, Judge>> = {
  ...WRAPPERS,
  git: judgeGit,
  sed: judgeSed,
  gsed: judgeSed,
  awk: judgeAwk,
  gawk: judgeAwk,
  mawk: judgeAwk,
  nawk: judgeAwk,
  tar: judgeTar,
  bsdtar: judgeTar,
  sort: runsWith('', '--co'),
  rg: runsWith('', '--pre', '--hostname-bin', '--search-zip'),
  ag: runsWith('', '--pager'),
  ack: runsWith('', '--pager'),
  fd: runsWith('xX', '--exec'),
  fdfind: runsWith('xX', '--exec'),
  hash: runsWith('p'),
  zip: runsWith('mT'),
  date: runsWith('s', '--s'),
  hostname: judgeHostname,
  chmod: judgeChmod,
  make: judgeMake,
  gmake: judgeMake,
  source: judgeSource,
  '.': judgeSource,
  ...Object.fromEntries(
    ['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish', 'csh', 'tcsh', 'rbash'].map((name) => [
      name,
      judgeShell,
    ]),
  ),
  ...Object.fromEntries(
    [
      'python',
      'node',
      'nodejs',
      'ruby',
      'perl',
      'php',
      'lua',
      'luajit',
      'Rscript',
      'julia',
      'osascript',
      'tclsh',
      'pwsh',
      'tsx',
      'ts-node',
      'groovy',
      'irb',
      'guile',
      'sqlite3',
    ].map((name) => [name, judgeInterpreter]),
  ),
}
