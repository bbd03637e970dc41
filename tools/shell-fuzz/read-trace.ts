import { basename } from 'node:path'

/** Something that a command did and a read does not do. */
export interface Finding {
  readonly line: string
  readonly shell: string
  readonly folder: string
  readonly what: string
}

// What a command that reads may start. Some of them start others of them: tar the unpackers, which is a script.
const READ_PROGRAMS = new Set(
  `ls dir vdir stat du df tree realpath readlink basename dirname file cat head tail wc nl tac rev od hexdump xxd strings cmp
   diff comm join zcat bzcat xzcat iconv grep egrep fgrep rg fd fdfind sort uniq shuf cut tr paste column fold fmt expand
   unexpand pr numfmt tsort base64 base32 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum tee
   bc factor pwd whoami id groups tty arch nproc uname uptime free hostname who lscpu lsblk locale getconf cal ncal pgrep sleep
   seq expr which whereis echo printf true false test [ find sed awk gawk mawk jq ps date tar unzip gzip gunzip bzip2 xz zstd
   git timeout nice time node nodejs python3 perl bash gcc g++ cc make cmake curl wget sqlite3 env`.split(
    /\s+/,
  ),
)

interface Noted {
  readonly index: number
  readonly what: string
}

/** What happened in a trace, each with the number of the run it belongs to. Pure. */
export function readTrace(trace: string, output: string, token: string): readonly Noted[] {
  const found: Noted[] = []
  let index = -1
  let driver: string | undefined
  let starts = 0
  for (const line of joinUnfinished(trace)) {
    const pid = /^\d+/.exec(line)?.[0]
    driver ??= pid
    const mark = pid === driver ? /\/marks\/(\d+)"/.exec(line)?.[1] : undefined
    if (mark !== undefined) {
      index = Number(mark)
      starts = 0
    } else if (index >= 0 && pid !== driver) {
      // The first two are ours: the limit of time, and the shell.
      const isOurs = line.includes('execve(') && starts++ < 2
      const what = isOurs ? undefined : describe(line)
      if (what !== undefined) found.push({ index, what })
    }
  }
  for (const part of output.split('@mark ').slice(1)) {
    if (part.includes(token))
      found.push({ index: Number.parseInt(part, 10), what: 'shows a variable of the environment' })
  }
  return found
}

// A call that another process interrupted is written in two pieces.
function joinUnfinished(trace: string): readonly string[] {
  const open = new Map<string, string>()
  return trace.split('\n').flatMap((line) => {
    const pid = /^\d+/.exec(line)?.[0] ?? ''
    if (line.endsWith('<unfinished ...>')) {
      open.set(pid, line.slice(0, -'<unfinished ...>'.length))
      return []
    }
    const rest = /<\.\.\. \w+ resumed>(.*)$/.exec(line)?.[1]
    const whole = rest === undefined ? line : (open.get(pid) ?? '') + rest
    open.delete(pid)
    return [whole]
  })
}

function describe(line: string): string | undefined {
  const call = /^\d+\s+(\w+)\((.*)$/s.exec(line)
  if (!call) return undefined
  const [, name, rest] = call as unknown as [string, string, string]
  const path = /"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1] ?? ''
  switch (name) {
    case 'execve':
    case 'execveat':
      return READ_PROGRAMS.has(basename(path)) ? undefined : `starts ${path}`
    case 'open':
    case 'openat':
    case 'openat2': {
      const isWriting = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(rest.replace(/"(?:[^"\\]|\\.)*"/, ''))
      // shasum asks in this way whether it has a folder before it; nothing can be written then.
      const isProbe = /O_RDWR(\|O_CLOEXEC)?\) += -1 EISDIR/.test(rest)
      return isWriting && !isProbe && !/^\/dev\/(null|tty|stdout|stderr|fd\/\d+)$/.test(path)
        ? `writes ${path}`
        : undefined
    }
    case 'connect':
    case 'bind':
    case 'sendto':
    case 'sendmsg':
      return /nscd\/socket|AF_NETLINK/.test(rest) || (name.startsWith('send') && !rest.includes('sin'))
        ? undefined
        : `connects: ${rest}`
    default:
      return `${name}: ${path}`
  }
}
