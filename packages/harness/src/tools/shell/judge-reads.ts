import { posix } from 'node:path'
import type { Word } from './command-line.ts'
import { isPlainAwk, isPlainSed } from './judge-editors.ts'
import { isGitRead } from './judge-git.ts'
import { fitForm, readForm } from './read-form.ts'
import { READ_FORMS, TELLS_VERSION } from './read-programs.ts'
import type { PlainRepository } from './verdict.ts'

/**
 * Whether a program with these words surely only reads: the program is known, and so is each of its options. Everything
 * else is not a read, whatever it may be. Pure, but for what it asks about repositories.
 */
export function isSurelyRead(name: string, args: readonly Word[], isPlain: PlainRepository): boolean {
  if (args.some(namesMachine)) return false
  const form = READ_FORMS.get(name)
  if (isVersionOnly(args) && (form || TELLS_VERSION.has(name.replace(/(?<=^python)[\d.]+$/, '')))) return true
  if (name === 'git') return isGitRead(args, isPlain)
  const special = Object.hasOwn(SPECIAL, name) ? SPECIAL[name] : undefined
  if (special) return special(args)
  return form !== undefined && fitForm(args, form) !== undefined
}

const isVersionOnly = (args: readonly Word[]): boolean =>
  args.length === 1 && ['--version', '--help'].includes(args[0]!.text) && !args[0]!.isDynamic

// The memory and the variables of processes, and devices.
const MACHINE = /^\/(proc|dev|sys)(\/|$)/
const STREAM = /^\/dev\/(null|stdin|stdout|stderr|fd\/\d+)$/

/** Whether a word names what belongs to the machine and not to a folder of files, or may stand for it. Pure. */
export function namesMachine({ text, hasGlob }: Word): boolean {
  return [text, text.slice(text.indexOf('=') + 1), text.replace(/^-\w/, '')].some((written) => {
    const isAbsolute = written.startsWith('/')
    if (!isAbsolute && !written.split('/').includes('..')) return false
    // However far up the dots lead, there is nothing above the top.
    const path = posix.normalize(isAbsolute ? written : `/${written}`).replace(/^\/+/, '/')
    const pattern = isAbsolute ? /^\/[^/]*[*?[]/ : /^\/[^/*?[]*[*?[][^/]*\//
    return (hasGlob && pattern.test(path)) || (MACHINE.test(path) && !STREAM.test(path))
  })
}

const none = (args: readonly Word[]): boolean => args.every(({ isDynamic }) => !isDynamic)

// Bash runs a substitution that it finds in the name of a variable or in a number, even a quoted one.
const holdsCode = ({ text }: Word): boolean => /[`[]|\$\(/.test(text)

const TEST_OPTIONS = new Set(
  '-b -c -d -e -f -g -h -k -L -n -O -G -p -r -s -S -t -u -w -x -z -a -o -nt -ot -ef'.split(' '),
)
const NUMBER_TESTS = new Set('-eq -ne -lt -le -gt -ge'.split(' '))

// Some shells calculate what stands for a number: the value of a variable, and code in that value.
const isNumber = (word: Word | undefined): boolean => /^[-+]?\d+$/.test(word?.text ?? '')

function isPlainTest(args: readonly Word[], isExtended: boolean): boolean {
  return (
    none(args) &&
    args.every((word, index) => {
      const { text } = word
      if (NUMBER_TESTS.has(text)) return !isExtended && isNumber(args[index - 1]) && isNumber(args[index + 1])
      if (text === '-t') return isNumber(args[index + 1])
      if (/^-\D/.test(text)) return TEST_OPTIONS.has(text)
      return !holdsCode(word) || text === ']]'
    })
  )
}

const PRINTS_NUMBER = /%[^%a-zA-Z]*[diouxXeEfFgGaA*]/

function isPlainPrintf([format, ...values]: readonly Word[]): boolean {
  if (!none([...(format ? [format] : []), ...values]) || format?.text.startsWith('-')) return false
  return !PRINTS_NUMBER.test(format?.text ?? '') || values.every(isNumber)
}

const isPlainExit = (args: readonly Word[]): boolean =>
  args.length === 0 || (args.length === 1 && isNumber(args[0]))

// A name behind @ is a file with more names and options.
const isPlainStrings = (args: readonly Word[]): boolean =>
  args.every(({ text }) => !text.startsWith('@')) && fitForm(args, READ_FORMS.get('strings')!) !== undefined

const PS_COLUMNS =
  /^((pid|ppid|pgid|sid|user|uid|group|gid|comm|cmd|args|command|stat|state|time|etime|etimes|start|lstart|rss|vsz|sz|pcpu|pmem|%cpu|%mem|nlwp|ni|pri|tty|tt|psr|wchan)(=[A-Z]*)?(,|$))+$/

const PS_ENDING =
  '( --sort=[-+]?(pid|ppid|user|%cpu|%mem|pcpu|pmem|rss|vsz|time|start|etime))?( --no-headers)?'
const PS_FORMS = [
  /^(a?u?xf?w{0,2}|u|)/,
  /^(-e|-A|-f|-F|-l|-ef|-eF|-el|-e -f|-efH|-efww?|-f?p \d{1,9}(,\d{1,9})*|-f -p \d{1,9}(,\d{1,9})*)/,
  /^((-e|-A) -o|-eo|-Ao|-o|-p \d{1,9} -o) [a-zA-Z%,=]+/,
].map((form) => new RegExp(`${form.source}${PS_ENDING}$`))

// The whole line must be right: after one mistake, ps reads its words by other rules, and -e asks for variables.
function isPlainPs(args: readonly Word[]): boolean {
  const line = args.map(({ text }) => text).join(' ')
  const columns = args.find((_, index) => args[index - 1]?.text.endsWith('o') ?? false)
  return none(args) && PS_FORMS.some((form) => form.test(line)) && (!columns || PS_COLUMNS.test(columns.text))
}

const DATE_FORM = readForm(
  '-uR -I= -d= -r= --utc --universal --date= --iso-8601[=] --rfc-3339= --rfc-email --reference=',
)

function isPlainDate(args: readonly Word[]): boolean {
  // A number of days ago begins like an option.
  const spoken = args.filter(({ text }, index) => !(args[index - 1]?.text === '-d' && /^-\d+ /.test(text)))
  const plain = spoken.length < args.length ? spoken.filter(({ text }) => text !== '-d') : spoken
  const fitted = fitForm(
    plain.filter(({ text }) => text !== '-I' && !/^-I(date|hours|minutes|seconds|ns)$/.test(text)),
    DATE_FORM,
  )
  return none(args) && fitted !== undefined && fitted.operands.every(({ text }) => text.startsWith('+'))
}

const JQ_FORM = readForm(
  `-acCejMnrsS --ascii-output --color-output --compact-output --exit-status --join-output --monochrome-output --null-input
   --raw-input --raw-output --slurp --sort-keys --tab --indent= -R`,
)

// Between a dollar sign and its name there may be spaces and comments, so the names count alone.
const JQ_EXITS =
  /\b(env|ENV|__prog\w*|import|include|modulemeta|get_search_list|input_filename|repeat|range|until|while|recurse|limit)\b/

function isPlainJq(args: readonly Word[]): boolean {
  // Each takes two words that are only values.
  const rest: Word[] = []
  for (let at = 0; at < args.length; at++) {
    if (args[at]!.text === '--arg' || args[at]!.text === '--argjson') at += 2
    else rest.push(args[at]!)
  }
  const [filter, ...files] = fitForm(rest, JQ_FORM)?.operands ?? []
  if (!filter || !none(args) || files.some(({ text }) => text.startsWith('-'))) return false
  return !JQ_EXITS.test(filter.text)
}

// Each with the number of words it takes.
const FIND_TESTS = new Map(
  Object.entries({
    0: `-print -print0 -not ! -o -or -a -and ( ) , -empty -prune -xdev -mount -depth -ls -quit -executable -readable
        -writable -true -false -daystart -nouser -nogroup`,
    1: `-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime
        -amin -ctime -cmin -newer -anewer -cnewer -newermt -maxdepth -mindepth -perm -user -group -uid -gid -links -inum
        -samefile -lname -ilname -printf -fstype`,
  }).flatMap(([count, names]) => names.split(/\s+/).map((name) => [name, Number(count)] as const)),
)

/** Whether find only looks, with the commands it runs left out. */
export function isPlainFind(args: readonly Word[]): boolean {
  let at = 0
  while (/^-[HP]$/.test(args[at]?.text ?? '')) at++
  while (args[at] && !/^[-(!,)]/.test(args[at]!.text)) {
    if (args[at]!.isDynamic || /^[*?[]/.test(args[at]!.text)) return false
    at++
  }
  for (; at < args.length; at++) {
    const { text, hasGlob } = args[at]!
    const count = hasGlob ? undefined : FIND_TESTS.get(text)
    if (count === undefined || (count > 0 && !args[at + count])) return false
    const values = args.slice(at + 1, at + 1 + count)
    // Without quotes it stands for names of files, and one of them may look like -delete.
    if (values.some(({ hasGlob: isPattern }) => isPattern)) return false
    at += count
  }
  return none(args)
}

function isPlainTar(args: readonly Word[]): boolean {
  const [first, archive, ...members] = args
  if (!first || !none(args) || args.some(({ hasGlob }) => hasGlob)) return false
  if (!/^-?(?=[tvzjJf]*t)[tvzjJ]*f$/.test(first.text) || !archive) return false
  // A colon in the name means another machine.
  return !/^-|:/.test(archive.text) && members.every(({ text }) => !text.startsWith('-'))
}

const isPlainUnpacking =
  (first: RegExp) =>
  (args: readonly Word[]): boolean =>
    args.length > 1 &&
    none(args) &&
    first.test(args[0]!.text) &&
    args.slice(1).every(({ text, hasGlob }) => !text.startsWith('-') && !hasGlob)

const isPlainSet = (args: readonly Word[]): boolean =>
  args.length > 0 &&
  args.every(
    ({ text }, index) =>
      /^[-+][eux]+$/.test(text) ||
      (/^[-+][eux]*o$/.test(text) && args[index + 1]?.text === 'pipefail') ||
      (text === 'pipefail' && index > 0),
  )

const ICONV_FORM = readForm('-c -f= -t= --from-code= --to-code=')

// A name with a path in it might be loaded.
const isPlainIconv = (args: readonly Word[]): boolean =>
  fitForm(args, ICONV_FORM)?.options.every(({ value = '' }) => /^[\w.:-]*(\/\/[A-Z]+)?$/.test(value)) ?? false

const isPlainUnzip = isPlainUnpacking(/^-(l|v|t|Z1|Z|lv)$/)
const isPlainGzip = isPlainUnpacking(/^-(l|t|dc|cd|lv|tv)$/)
const isPlainGunzip = isPlainUnpacking(/^-(l|t|c|lv|tv)$/)

/** Programs of which more than the options decides. */
const SPECIAL: Readonly<Record<string, (args: readonly Word[]) => boolean>> = {
  ':': none,
  true: none,
  false: none,
  echo: none,
  printf: isPlainPrintf,
  test: (args) => isPlainTest(args, false),
  '[': (args) => isPlainTest(args, false),
  '[[': (args) => isPlainTest(args, true),
  set: isPlainSet,
  exit: isPlainExit,
  return: isPlainExit,
  break: isPlainExit,
  continue: isPlainExit,
  strings: isPlainStrings,
  node: (args) => args.length === 1 && args[0]!.text === '-v',
  python3: (args) => args.length === 1 && args[0]!.text === '-V',
  find: isPlainFind,
  sed: isPlainSed,
  awk: isPlainAwk,
  gawk: isPlainAwk,
  mawk: isPlainAwk,
  iconv: isPlainIconv,
  jq: isPlainJq,
  ps: isPlainPs,
  date: isPlainDate,
  tar: isPlainTar,
  unzip: isPlainUnzip,
  gzip: isPlainGzip,
  bzip2: isPlainGzip,
  xz: isPlainGzip,
  zstd: isPlainGzip,
  gunzip: isPlainGunzip,
}
