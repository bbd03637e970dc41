import { isPlaceholder } from './placeholder.ts'
import type { Finder } from './site.ts'

/** A value of a command: in quotes, or up to the next blank. */
const VALUE = String.raw`(?:'([^'\n"\\]{1,256})'|\\"([^"\n\\]{1,256})\\"|"([^"\n\\{}[\]]{1,256})"|([^\s'"|&;<>\\]{1,256}))`

interface Command {
  readonly name: string
  /** The flag that carries a password, followed by it. */
  readonly flags: RegExp
}

const flag = (before: string): RegExp => new RegExp(`[ \\t]${before}${VALUE}`, 'dg')

/** Commands whose short flags carry a password. Elsewhere `-p` makes directories and `-u` sorts. */
export const COMMANDS: readonly Command[] = [
  { name: 'curl', flags: flag(String.raw`(?:-u|--user|-U|--proxy-user)[ \t=]{0,4}['"]?[^\s:'"]{0,64}:`) },
  { name: 'wget', flags: flag(String.raw`--(?:http-|ftp-)?password[ \t=]`) },
  { name: 'http', flags: flag(String.raw`(?:-a|--auth)[ \t=]['"]?[^\s:'"]{1,64}:`) },
  { name: 'mysql', flags: flag('-p') },
  { name: 'mysqldump', flags: flag('-p') },
  { name: 'mysqladmin', flags: flag('-p') },
  { name: 'mariadb', flags: flag('-p') },
  { name: 'sshpass', flags: flag(String.raw`-p[ \t]?`) },
  { name: 'docker login', flags: flag(String.raw`-p[ \t]`) },
  { name: 'podman login', flags: flag(String.raw`-p[ \t]`) },
  { name: 'helm registry login', flags: flag(String.raw`-p[ \t]`) },
  { name: 'oc login', flags: flag(String.raw`-p[ \t]`) },
  { name: 'az login', flags: flag(String.raw`-p[ \t]`) },
  { name: 'redis-cli', flags: flag(String.raw`-a[ \t]`) },
  { name: 'mongosh', flags: flag(String.raw`-p[ \t]`) },
  { name: 'mongodump', flags: flag(String.raw`-p[ \t]`) },
  { name: 'ldapsearch', flags: flag(String.raw`-w[ \t]?`) },
  { name: 'sqlcmd', flags: flag(String.raw`-P[ \t]?`) },
  { name: 'bcp', flags: flag(String.raw`-P[ \t]?`) },
  { name: 'smbclient', flags: flag(String.raw`-U[ \t]?[^\s%'"]{1,64}%`) },
  {
    name: 'htpasswd',
    flags: flag(String.raw`-[A-Za-z]{0,6}b[A-Za-z]{0,6}[ \t]+\S{1,128}[ \t]+\S{1,64}[ \t]+`),
  },
  { name: 'openssl', flags: flag(String.raw`-pass(?:in|out|word)?[ \t]+['"]?pass:`) },
  { name: '7z', flags: flag('-p') },
  { name: 'zip', flags: flag(String.raw`-P[ \t]?`) },
]

const MAX_LINE_CHARS = 512
/** In JSON a line ends with its string. */
const LINE = /^(?:(?!"(?:[,:}\]]|$))[^\r\n])*/

/** Finds passwords in the flags of one command, on its line. The keyword is its name and the blank behind it. */
export function createCommandFinder({ flags }: Command): Finder {
  return (site) => {
    const { text, start, seen } = site
    const end = site.end - 1
    // Behind a letter, a dash or a mark it is the end of another word.
    if (/[\w\]-]/.test(text.charAt(start - 1)) || end < (seen.get(flags) ?? 0)) return 0
    const line = LINE.exec(text.slice(end, end + MAX_LINE_CHARS))?.[0] ?? ''
    seen.set(flags, end + line.length)
    for (const match of line.matchAll(flags)) {
      const [from, to] = (match.indices ?? []).slice(1).find((range) => range !== undefined) ?? [0, 0]
      if (isPlaceholder(line.slice(from, to)) || /^[-/\\]/.test(line.slice(from, to))) continue
      site.hide(end + from, end + to)
    }
    return 0
  }
}
