const SHOWS_FILES = new Set(
  'cat bat batcat head tail less more nl tac type get-content gc od xxd hexdump'.split(' '),
)
// They print nothing of their own that matters.
const SILENT = new Set('cd pushd popd export set unset true : echo printf'.split(' '))
const PREFIXES = new Set('sudo time env nice command exec'.split(' '))
const SHELLS = new Set('sh bash zsh dash'.split(' '))
const MAX_COMMAND = 4_000

const TEST_RUN =
  /\b(?:vitest|jest|mocha|pytest|unittest|tox|rspec|phpunit|playwright|cypress|ctest|gotestsum|nextest)\b|\b(?:npm|pnpm|yarn|bun|cargo|go|dotnet|mvn|gradle|gradlew|swift|deno|make|mix|rake|node)\b[^|;&\n]{0,80}\btests?\b/i

/** Whether the command only shows what is in files: then every character of its output may be wanted. */
export function isFileInspection(command: string): boolean {
  if (command.length > MAX_COMMAND) return false
  const commands = splitCommands(unwrapShell(command)).map(toWords)
  return commands.some(showsFile) && commands.every((words) => SILENT.has(nameOf(words)) || showsFile(words))
}

/** Whether the command runs tests. */
export function isTestRun(command: string): boolean {
  return TEST_RUN.test(command.slice(0, MAX_COMMAND))
}

function showsFile(words: readonly string[]): boolean {
  const name = nameOf(words)
  if (SHOWS_FILES.has(name)) return true
  if (name === 'sed') return words.includes('-n') && !words.some((word) => /^(?:-i|--in-place)/.test(word))
  return name === 'git' && words[1] === 'show' && words.some((word) => /^[^-].*:./.test(word))
}

function nameOf(words: readonly string[]): string {
  return (words[0] ?? '').replace(/^.*[/\\]/, '').toLowerCase()
}

// `bash -lc 'cat notes.txt'` is `cat notes.txt`.
function unwrapShell(command: string): string {
  const match = /^\s*(\S+)\s+-[a-z]*c\s+(["'])([\s\S]*)\2\s*$/.exec(command)
  return match && SHELLS.has(nameOf([match[1] ?? ''])) ? (match[3] ?? '') : command
}

/** The commands of a line, apart at `;`, `|`, `&&`, `||` and line ends, where these are not quoted. */
function splitCommands(line: string): readonly string[] {
  const commands: string[] = []
  let quote = ''
  let from = 0
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at)
    if (char === '\\' && quote !== "'") at++
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === ';' || char === '|' || char === '\n' || (char === '&' && line[at + 1] === '&')) {
      commands.push(line.slice(from, at))
      while (line[at + 1] === '|' || line[at + 1] === '&') at++
      from = at + 1
    }
  }
  commands.push(line.slice(from))
  return commands.filter((command) => command.trim() !== '')
}

function toWords(command: string): readonly string[] {
  const words = command.trim().split(/\s+/)
  const first = words.findIndex((word) => !PREFIXES.has(word) && !/^\w+=/.test(word))
  return words.slice(Math.max(0, first))
}
