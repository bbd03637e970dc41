import type { Word } from './command-line.ts'
import type { CommandClass, Judge } from './verdict.ts'
import { hasOption, operandsOf } from './verdict.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const READS = set(
  `status log diff show blame annotate rev-parse ls-files ls-tree cat-file describe shortlog grep rev-list merge-base
   name-rev count-objects whatchanged range-diff version help check-ignore check-attr for-each-ref show-ref cherry
   diff-tree diff-index diff-files verify-commit verify-tag show-branch`,
)
const NETWORKS = set(
  `clone fetch pull push ls-remote submodule lfs send-email svn p4 request-pull daemon instaweb http-push http-fetch
   fetch-pack send-pack remote-http remote-https imap-send archive-remote`,
)
const DESTROYS = set(
  `reset clean restore rm prune filter-branch filter-repo update-ref credential reflog replace gc repack maintenance config
   difftool mergetool bisect hook worktree sparse-checkout update-index read-tree checkout-index fast-import`,
)

/** Git, by its command. What can lose work, or make a later command run something, needs a person. */
export const judgeGit: Judge = (args) => {
  const command = findCommand(args)
  if (command === undefined) return 'read'
  if (command === 'risky') return 'destructive'
  const { name, rest } = command
  const operands = operandsOf(rest).map(({ text }) => text)
  if (hasOption(rest, '', '--upload-pack', '--receive-pack', '--exec', '--ext-diff', '--open-files'))
    return 'destructive'
  if (rest.some((arg) => arg.isDynamic)) return 'destructive'
  if (READS.has(name)) {
    if (name === 'grep' && hasOption(rest, 'O')) return 'destructive'
    return hasOption(rest, '', '--output') ? 'write' : 'read'
  }
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
      if (hasOption(rest, 'dDMC', '--delete', '--force')) return 'destructive'
      return first === undefined && !hasOption(rest, 'mcu', '--move', '--copy', '--set', '--unset', '--edit')
        ? 'read'
        : 'write'
    case 'tag':
      if (hasOption(rest, 'd', '--delete')) return 'destructive'
      return first === undefined || hasOption(rest, 'l', '--list') ? 'read' : 'write'
    case 'remote':
      if (first === undefined || first === 'get-url') return 'read'
      return first === 'show' || first === 'update' || first === 'prune' ? 'network' : 'write'
    case 'stash':
      if (first === 'list' || first === 'show') return 'read'
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
        ? 'read'
        : 'destructive'
    case 'reflog':
      return first === undefined || first === 'show' ? 'read' : 'destructive'
    case 'worktree':
      return first === 'list' ? 'read' : first === 'add' ? 'write' : 'destructive'
    case 'rebase':
      return hasOption(rest, 'x') ? 'destructive' : 'write'
    default:
      return DESTROYS.has(name) ? 'destructive' : 'write'
  }
}

// The command after git's own options. Some of those change what git runs.
function findCommand(
  args: readonly Word[],
): { readonly name: string; readonly rest: readonly Word[] } | 'risky' | undefined {
  for (let at = 0; at < args.length; at++) {
    const { text, isDynamic } = args[at]!
    if (isDynamic) return 'risky'
    if (text === '-C') at++
    else if (text === '--version' || text === '--help' || text === '--no-pager' || text === '-P') continue
    else if (text.startsWith('-')) return 'risky'
    else return { name: text, rest: args.slice(at + 1) }
  }
  return undefined
}
