import type { Knowledge } from '../seams/seams.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import { toAnnounced, toNotices } from './app-notices.ts'
import { listAccounts } from './connections/accounts.ts'
import type { Directory } from './directory/directory.ts'
import type { DirectorySnapshot, ListedToolkit } from './directory/snapshot.ts'
import { hasSeveralAccounts, isConnected } from './directory/snapshot.ts'
import { CALL, CONNECT, DELEGATE, FIND, listWords } from './tool-names.ts'

/** How many connectable apps are named to the model. The rest can be asked for by name. */
const MAX_OFFERED = 20

/** What an agent is told of a user's apps. Only tools that it has are named. */
export function createAppKnowledge(
  directory: Directory,
  userId: string,
  names: ReadonlySet<string>,
): Knowledge {
  return {
    current(before) {
      directory.touch(userId)
      const snapshot = directory.last(userId)
      const problem = directory.problem(userId)
      const announced = snapshot && toAnnounced(snapshot)
      const isSame = before?.join('\n') === announced?.join('\n')
      return {
        announced,
        notices: snapshot && before && !isSame ? toNotices(before, announced!, snapshot, names) : [],
        baseline: toBaseline(snapshot, names),
        ...(problem ? { problem } : undefined),
      }
    },
  }
}

function toBaseline(snapshot: DirectorySnapshot | undefined, names: ReadonlySet<string>): string {
  const ways = [FIND, CALL, DELEGATE].filter((name) => names.has(name))
  if (!snapshot) {
    return `Which apps of the user are connected is not known yet. Try ${ways[0] ?? DELEGATE}: it checks before it refuses.`
  }
  const connected = snapshot.toolkits.filter(isConnected)
  const others = snapshot.toolkits.filter((toolkit) => !isConnected(toolkit))
  const lines = connected.map((toolkit) => `- ${toolkit.slug}: ${describe(toolkit)}`)
  const offered = others.slice(0, MAX_OFFERED).map(({ slug }) => slug)
  return [
    lines.length > 0
      ? `Connected apps, for ${listWords(ways)}:\n${lines.join('\n')}`
      : `No app of the user is connected yet.`,
    ...(offered.length > 0 && names.has(CONNECT)
      ? [`Apps that can be connected with ${CONNECT}: ${offered.join(', ')}.`]
      : []),
    'What is connected may change at any time; the conversation then says so.',
  ].join('\n')
}

function describe(toolkit: ListedToolkit): string {
  const about = sanitizeLine(`${toolkit.name}. ${toolkit.description}`, 240)
  return hasSeveralAccounts(toolkit) ? `${about} Accounts: ${listAccounts(toolkit.connections)}.` : about
}
