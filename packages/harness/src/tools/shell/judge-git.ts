import type { Word } from './command-line.ts'
import { isGitReadForm } from './git-reads.ts'
import type { CommandClass, Judge, PlainRepository } from './verdict.ts'
import { hasOption, operandsOf } from './verdict.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const NETWORKS = set(
  `clone fetch pull push ls-remote submodule lfs send-email svn p4 request-pull daemon instaweb http-push http-fetch
   fetch-pack send-pack remote-http remote-https imap-send archive-remote`,
)
const DESTROYS = set(
  `reset clean restore rm prune filter-branch filter-repo update-ref credential reflog replace gc repack maintenance config
   difftool mergetool bisect hook worktree sparse-checkout update-index read-tree checkout-index fast-import`,
)

// Options that name a program or make git run a configured one. Git accepts any beginning of a name.
const RUNS = [
  '--upload-pack',
  '--receive-pack',
  '--exec',
  '--ext-diff',
  '--textconv',
  '--open-files-in-pager',
  '--show-signature',
  '--filters',
]

const isBeginning = (text: string, option: string): boolean => {
  const [name = ''] = text.split('=', 1)
  return name.length > 4 && option.startsWith(name)
}

/** Whether git only reads, in a repository that is known to run no programs. */
export function isGitRead(args: readonly Word[], isPlain: PlainRepository): boolean {
  const command = findCommand(args)
  if (command === undefined || command === 'risky' || command.folders === undefined) return false
  if (!isGitReadForm(command.name, command.rest)) return false
  return command.name === 'version' || isPlain(command.folders)
}

/**
 * What git does beyond reading, by its command. What can lose work, or make a later command run something, needs a
 * person.
 */
export const judgeGit: Judge = (args) => {
  const command = findCommand(args)
  if (command === undefined) return 'write'
  if (command === 'risky') return 'destructive'
  const { name, rest } = command
  const operands = operandsOf(rest).map(({ text }) => text)
  if (rest.some(({ text }) => RUNS.some((option) => isBeginning(text, option)))) return 'destructive'
  if (rest.some((arg) => arg.isDynamic)) return 'destructive'
  if (name === 'grep' && hasOption(rest, 'O')) return 'destructive'
  if (NETWORKS.has(name)) {
    const losesWork =
      name === 'push' &&
      (hasOption(rest, 'fd', '--force', '--delete', '--mirror', '--prune') ||
        operands.some((one) => /^[+:]/.test(one)))
    return losesWork ? 'destructive' : 'network'
  }
  return judgeOther(name, rest, operands)
}

function judgeOther(name: string, rest: readonly Word[], operands: readonly string[]): CommandClass {
  const [first] = operands
  switch (name) {
    case 'branch':
      return hasOption(rest, 'dDMC', '--delete', '--force') ? 'destructive' : 'write'
    case 'tag':
      return hasOption(rest, 'd', '--delete') ? 'destructive' : 'write'
    case 'remote':
      return first === 'show' || first === 'update' || first === 'prune' ? 'network' : 'write'
    case 'stash':
      return first === 'drop' || first === 'clear' ? 'destructive' : 'write'
    case 'reset':
      return hasOption(rest, '', '--hard', '--merge', '--keep') ? 'destructive' : 'write'
    case 'restore':
      return hasOption(rest, 'S', '--staged') && !hasOption(rest, 'W', '--worktree') ? 'write' : 'destructive'
    case 'checkout':
    case 'switch':
      return hasOption(rest, 'fB', '--force', '--discard') ||
        rest.some(({ text }) => text === '--' || text === '.')
        ? 'destructive'
        : 'write'
    case 'config':
      return hasOption(rest, 'l', '--get', '--list') &&
        operands.length <= 2 &&
        !hasOption(rest, 'ef', '--edit')
        ? 'write'
        : 'destructive'
    case 'reflog':
      return first === undefined || first === 'show' ? 'write' : 'destructive'
    case 'worktree':
      return first === 'list' || first === 'add' ? 'write' : 'destructive'
    case 'rebase':
      return hasOption(rest, 'x') ? 'destructive' : 'write'
    default:
      return DESTROYS.has(name) ? 'destructive' : 'write'
  }
}

interface GitCommand {
  readonly name: string
  readonly rest: readonly Word[]
  /** The folders named by `-C`, in order; absent when they are not known. */
  readonly folders: readonly string[] | undefined
}

// The command after git's own options. Some of those change what git runs.
function findCommand(args: readonly Word[]): GitCommand | 'risky' | undefined {
  let folders: string[] | undefined = []
  for (let at = 0; at < args.length; at++) {
    const { text, isDynamic, hasGlob } = args[at]!
    if (isDynamic) return 'risky'
    if (text === '-C') {
      const folder = args[++at]
      if (!folder || folder.isDynamic || folder.hasGlob || folder.text.startsWith('~')) folders = undefined
      else folders?.push(folder.text)
    } else if (['--version', '--help', '--no-pager', '-P', '--no-optional-locks'].includes(text)) continue
    else if (text.startsWith('-')) return 'risky'
    else return { name: text, rest: args.slice(at + 1), folders: hasGlob ? undefined : folders }
  }
  return undefined
}
