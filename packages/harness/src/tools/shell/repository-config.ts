import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

// What a repository may say about itself without naming a program, another file or another place.
const PLAIN_KEYS = set(
  `core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode
   core.symlinks core.autocrlf core.eol core.safecrlf core.quotepath core.abbrev core.compression core.whitespace
   core.longpaths core.protecthfs core.protectntfs core.trustctime core.checkstat core.preloadindex core.filesrefspeed
   user.name user.email init.defaultbranch pull.rebase pull.ff push.default push.autosetupremote push.followtags
   fetch.prune fetch.prunetags fetch.parallel merge.conflictstyle merge.ff rebase.autostash rebase.autosquash
   rerere.enabled rerere.autoupdate commit.gpgsign tag.gpgsign tag.sort branch.sort branch.autosetuprebase
   branch.autosetupmerge color.ui diff.algorithm diff.renames diff.colormoved diff.mnemonicprefix diff.context gc.auto
   gc.autodetach gc.pruneexpire log.date log.decorate log.follow status.short status.branch status.showuntrackedfiles
   advice.detachedhead extensions.objectformat extensions.refstorage pack.threads index.version feature.manyfiles
   lfs.repositoryformatversion`,
)
const PLAIN_NAMED_KEYS = set(
  `remote.url remote.pushurl remote.fetch remote.push remote.prune remote.tagopt remote.mirror remote.gh-resolved
   branch.remote branch.merge branch.rebase branch.pushremote branch.description branch.vscode-merge-base
   branch.github-pr-owner-number branch.gh-merge-base lfs.access`,
)
const MAX_CONFIG_CHARS = 100_000

/**
 * Whether git, run in a folder, finds a repository that cannot make it run a program: every line of its configuration is
 * known to be harmless. Filters, hooks, drivers, watchers and included files are not. True without a repository: then
 * git does nothing. Looks at files; never throws.
 */
export function isPlainRepository(folder: string): boolean {
  try {
    const found = findRepository(realpathSync.native(folder))
    if (found === undefined) return true
    if (found === 'unclear') return false
    const { top, gitFolder } = found
    const shared = readIfThere(join(gitFolder, 'commondir'))
    const common = shared === undefined ? gitFolder : resolve(gitFolder, shared.trim())
    if (!isWhole(gitFolder, common)) return false
    // Git looks into each submodule with the configuration that it finds there.
    if (existsSync(join(top, '.gitmodules')) || existsSync(join(common, 'modules'))) return false
    if (existsSync(join(gitFolder, 'config.worktree'))) return false
    return isPlainConfig(readFileSync(join(common, 'config'), 'utf8'))
  } catch {
    return false
  }
}

function findRepository(folder: string): { top: string; gitFolder: string } | 'unclear' | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.git')
    if (existsSync(path)) {
      if (statSync(path).isDirectory()) return { top: at, gitFolder: path }
      const link = /^gitdir: (.+?)\n?$/.exec(readFileSync(path, 'utf8'))?.[1]
      return link === undefined ? 'unclear' : { top: at, gitFolder: resolve(at, link) }
    }
    // A folder that is itself a repository, as anybody can put one into a download.
    if (
      existsSync(join(at, 'HEAD')) &&
      (existsSync(join(at, 'objects')) || existsSync(join(at, 'commondir')))
    )
      return 'unclear'
    if (at === dirname(at)) return undefined
  }
}

// Git passes over what does not look like a repository, and goes on to the folders above it.
function isWhole(gitFolder: string, common: string): boolean {
  const head = readIfThere(join(gitFolder, 'HEAD')) ?? ''
  const folders = ['objects', 'refs'].map((name) => join(common, name))
  return /^(ref: refs\/\S+|[0-9a-f]{40,64})\n?$/.test(head) && folders.every((path) => existsSync(path))
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

/** Whether every line of a configuration is of a known form and sets a known key. Pure. */
export function isPlainConfig(text: string): boolean {
  if (text.length > MAX_CONFIG_CHARS) return false
  let section = ''
  let isNamed = false
  return text.split(/\r?\n/).every((raw) => {
    const line = raw.trim()
    if (line === '' || /^[#;]/.test(line)) return true
    if (line.endsWith('\\')) return false
    const header = /^\[([a-z0-9-]+)( "[^"\\\n]*")?\]$/i.exec(line)
    if (header) {
      section = header[1]!.toLowerCase()
      isNamed = header[2] !== undefined
      return true
    }
    const key = /^([a-z][a-z0-9-]*)\s*(=|$)/i.exec(line)?.[1]?.toLowerCase()
    return key !== undefined && (isNamed ? PLAIN_NAMED_KEYS : PLAIN_KEYS).has(`${section}.${key}`)
  })
}
