import type { Random } from '../crash-test/random.ts'
import * as corpus from './corpus.ts'

const EVERYDAY = corpus.EVERYDAY.map(({ line }) => line)
const TRICKS = corpus.TRICKS.map(({ line }) => line)

const PROGRAMS = [
  ...new Set(EVERYDAY.map((line) => line.split(' ', 1)[0]!).filter((name) => /^\w+$/.test(name))),
]
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789')
const LONG_OPTIONS = [
  ...new Set([...EVERYDAY, ...TRICKS].join(' ').match(/(?<= )--[a-z][a-z-]*(=\S+)?/g) ?? []),
]
const FILES = [
  'README.md',
  'src/main.ts',
  'data/numbers.txt',
  'data/archive.tar',
  'package.json',
  '.',
  'src',
  'missing',
]
const GIT_COMMANDS = [
  ...new Set([...EVERYDAY, ...TRICKS].flatMap((line) => /^git ([a-z-]+)/.exec(line)?.[1] ?? [])),
]

// Pieces are parted by ¦; a line break inside of one is written as ␤.
const list = (text: string): readonly string[] =>
  text.split('¦').map((piece) => piece.replaceAll(/^[ \n]+|[ \n]+$/g, '').replaceAll('␤', '\n'))

const HAZARDS =
  list(String.raw`* ¦ -* ¦ ? ¦ [-]o* ¦ ./* ¦ */.. ¦ */../.. ¦ ~ ¦ ~root ¦ ~+ ¦ .. ¦ ../.. ¦ / ¦ - ¦ -- ¦ {} ¦ "" ¦ $HOME
  ¦ "$SEEDED_TOKEN" ¦ $? ¦ $(touch made) ¦ ${'`'}touch made${'`'} ¦ "$\␤(touch made)" ¦ {a,b} ¦ {1..3} ¦ $'a' ¦ $"a"
  ¦ $['$(touch made)'] ¦ $((x=1)) ¦ ${'${x:=y}'} ¦ ${'${x@P}'} ¦ <(touch made) ¦ 'a[$(touch made)]' ¦ > made ¦ >> made ¦ >| made
  ¦ &> made ¦ <> made ¦ 2> made ¦ 2>&1 ¦ > /dev/null ¦ < README.md ¦ >&2 ¦ -o made ¦ -omade ¦ --output=made ¦ --outp=made
  ¦ -i ¦ -ni ¦ -w made ¦ -exec touch made ; ¦ -delete ¦ -exec cat {} \; ¦ -exec ./evil {} + ¦ --pre=./evil ¦ --ext-diff
  ¦ --textconv ¦ -O./evil ¦ -C bare ¦ -C .. ¦ /proc/self/environ ¦ /dev/null ¦ /dev/tcp/127.0.0.1/9 ¦ made ¦ ./evil ¦ a:b.tar
  ¦ -f README.md ¦ -T . ¦ 'w made' ¦ '1e touch made' ¦ 'BEGIN{system("touch made")}' ¦ '{print > "made"}' ¦ env ¦ $ENV ¦ e
  ¦ eww ¦ "x=./evil" ¦ x=./evil`)
const WRAPPERS =
  list(String.raw`timeout 5 ¦ nice ¦ nice -n 5 ¦ command ¦ exec ¦ env ¦ env -i ¦ time ¦ builtin ¦ xargs ¦ nohup ¦ stdbuf -o0
  ¦ LC_ALL=C ¦ X=1 ¦ PATH=. ¦ GIT_PAGER=./evil ¦ ! ¦ find . -exec ¦ if ¦ command -p ¦ exec -a x ¦ \ `)
const JOINTS = ['; ', ' && ', ' || ', ' | ', '\n', ' & ', ' |& ', ';', '|', '&&', ' \\\n', '\\\n']
const PIECES = [
  ...Array.from(' \t\n;&|<>()$`"\'\\*?[]{}~!#=-+,.:/@%^0aoeiwE'),
  ...list('\\␤ ¦ $( ¦ ${ ¦ $[ ¦ (( ¦ << ¦ >> ¦ -- ¦ -o ¦ -e'),
]

/** Endless command lines from a grammar and from mutations of the corpus; the same for the same random numbers. */
export function generateLine(random: Random): string {
  let line = random.pick([combine, combine, simple, simple, simple, known])(random)
  for (let count = random.pick([0, 0, 1, 1, 1, 2, 3]); count > 0; count--) line = mutate(line, random)
  return line
}

const known = (random: Random): string => random.pick(random.chance(0.5) ? EVERYDAY : TRICKS)

// A program with options that nobody chose with care.
function simple(random: Random): string {
  const words = [random.chance(0.25) ? `git ${random.pick(GIT_COMMANDS)}` : random.pick(PROGRAMS)]
  for (let count = random.int(0, 3); count > 0; count--) words.push(option(random))
  for (let count = random.int(0, 2); count > 0; count--)
    words.push(random.pick(random.chance(0.15) ? HAZARDS : FILES))
  return words.join(' ')
}

function option(random: Random): string {
  if (random.chance(0.25)) return random.pick(LONG_OPTIONS)
  const letters = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => random.pick(LETTERS)).join('')
  return random.chance(0.3) ? `-${letters} ${random.pick([...FILES, '1', '2', 'a', ','])}` : `-${letters}`
}

function combine(random: Random): string {
  const [a, b] = [random.pick(EVERYDAY), random.chance(0.2) ? known(random) : random.pick(EVERYDAY)]
  const forms = [
    () => a + random.pick(JOINTS) + b,
    () => a + random.pick(JOINTS) + b,
    () => `(${a})`,
    () => `{ ${a}; ${b}; }`,
    () => `if ${a}; then ${b}; fi`,
    () => `for x in 1 2; do ${a}; done`,
    () => `for x in *; do ${a} "$x"; done`,
    () => `case x in x) ${a};; esac`,
    () => `${random.pick(WRAPPERS)} ${a}`,
    () => `${a} <<EOF\n${b}\nEOF`,
    () => `${a} <<'EOF'\n${b}\nEOF`,
    () => `f() { ${a}; }; f`,
    () =>
      `${a} | ${random.pick(['head', 'sort', 'uniq', 'wc -l', 'tee', 'cat', 'sh', 'xargs', 'cut -c1-9'])}`,
  ]
  return random.pick(forms)()
}

function mutate(line: string, random: Random): string {
  const at = random.int(0, line.length)
  const words = line.split(' ')
  const word = random.int(0, words.length - 1)
  const put = (text: string, isReplaced: boolean): string =>
    words.toSpliced(word, isReplaced ? 1 : 0, text).join(' ')
  const forms = [
    () => put(random.pick(HAZARDS), true),
    () => put(random.pick(HAZARDS), false),
    () => `${line} ${random.pick(HAZARDS)}`,
    () => `${line} ${option(random)}`,
    () => put(option(random), false),
    () => `${random.pick(WRAPPERS)} ${line}`,
    () => line.slice(0, at) + random.pick(PIECES) + line.slice(at),
    () => line.slice(0, at) + line.slice(at + 1),
    () => put(`'${words[word]}'`, true),
    () => put(`"${words[word]}"`, true),
    () => put(words[word]!.slice(0, random.int(1, 6)), true),
    () => line.slice(0, at) + random.pick(TRICKS).slice(random.int(0, 6)),
    () => line + random.pick(JOINTS) + known(random),
  ]
  return random.pick(forms)()
}
