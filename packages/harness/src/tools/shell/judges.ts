import { judgeAwk, judgeFilter, judgeSed, judgeTar } from './judge-editors.ts'
import { judgeGit } from './judge-git.ts'
import { judgeInterpreter, judgeShell, judgeSource } from './judge-interpreters.ts'
import { WRAPPERS } from './judge-wrappers.ts'
import type { CommandClass, Judge } from './verdict.ts'
import { hasOption, highest, operandsOf } from './verdict.ts'

/** Reads, unless one of these options makes it more. */
const readsUnless =
  (reach: CommandClass, letters: string, ...names: readonly string[]): Judge =>
  (args) =>
    hasOption(args, letters, ...names) ? reach : 'read'

const judgeSort: Judge = (args) =>
  highest(
    hasOption(args, '', '--co') ? 'destructive' : 'read',
    hasOption(args, 'o', '--o') ? 'write' : 'read',
  )

const judgeDate: Judge = (args) =>
  hasOption(args, 's', '--s') || args.some(({ text }) => /^\d{8,}/.test(text)) ? 'destructive' : 'read'

const judgeMake: Judge = (args) => {
  if (hasOption(args, 'E', '--eval')) return 'destructive'
  return args.some(({ text }) => /(^|-)(un)?install/.test(text)) ? 'install' : 'write'
}

const judgeTee: Judge = (args) => (operandsOf(args).length > 0 ? 'write' : 'read')
const judgeChmod: Judge = (args) => (hasOption(args, 'R', '--recursive') ? 'destructive' : 'write')
const judgeHostname: Judge = (args) =>
  operandsOf(args).length > 0 || hasOption(args, 'Fb') ? 'destructive' : 'read'
// By the first option alone: a later one may be the value of another.
const readsIfFirst =
  (option: RegExp): Judge =>
  (args) =>
    option.test(args[0]?.text ?? '') ? 'read' : 'write'
const judgeUnpacker = readsIfFirst(/^-[dkvq\d]*[clt][dkvq\d]*$/)

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
  uniq: judgeFilter,
  xxd: (args, judge) => highest(judgeFilter(args, judge), hasOption(args, 'r') ? 'write' : 'read'),
  sort: judgeSort,
  shuf: readsUnless('write', 'o', '--o'),
  tree: readsUnless('write', 'oR', '--o'),
  file: readsUnless('write', 'C', '--compile'),
  yq: readsUnless('write', 'i', '--inplace', '--in-place'),
  rg: readsUnless('destructive', '', '--pre', '--hostname-bin', '--search-zip'),
  ag: readsUnless('destructive', '', '--pager'),
  ack: readsUnless('destructive', '', '--pager'),
  fd: readsUnless('destructive', 'xX', '--exec'),
  fdfind: readsUnless('destructive', 'xX', '--exec'),
  hash: readsUnless('destructive', 'p'),
  unzip: readsIfFirst(/^-(l|v|t|Z|Z1|lv)$/),
  base64: readsUnless('write', 'o', '--output'),
  zip: (args) => (hasOption(args, 'mT') ? 'destructive' : 'write'),
  gzip: judgeUnpacker,
  gunzip: judgeUnpacker,
  bzip2: judgeUnpacker,
  xz: judgeUnpacker,
  zstd: judgeUnpacker,
  date: judgeDate,
  hostname: judgeHostname,
  chmod: judgeChmod,
  tee: judgeTee,
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
