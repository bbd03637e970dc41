// Letters that some file systems leave out when they compare names.
const IGNORED_LETTERS = /[\u200c-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g

/** Whether a path goes into a repository's own records, however a file system may let its name be written. Pure. */
export function isRepositoryMetadata(path: string): boolean {
  return path.split('/').some((segment) => ['.git', 'git~1'].includes(plain(segment)))
}

const SAMPLE = /\.(example|sample|template|dist|defaults?)$/

/** Whether a file holds secrets by custom: `.env` and its kin, but not the samples of one. Pure. */
export function isSecretFile(path: string): boolean {
  const name = plain(path.slice(path.lastIndexOf('/') + 1))
  return (name === '.env' || name === '.envrc' || name.startsWith('.env.')) && !SAMPLE.test(name)
}

// As the least careful file system reads it: no case, no trailing dots and spaces, no named streams.
// No file system has names of more than 255 characters; the rest is cut, so that trimming stays quick.
const plain = (segment: string): string =>
  segment
    .slice(0, 1_000)
    .normalize('NFKC')
    .replaceAll(IGNORED_LETTERS, '')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/(?<![. ])[. ]+$/, '')
