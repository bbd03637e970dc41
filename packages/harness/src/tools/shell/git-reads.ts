import type { Word } from './command-line.ts'
import type { ReadArguments, ReadForm } from './read-form.ts'
import { fitForm, readForm } from './read-form.ts'

// How a difference is shown. Left out: --output, --ext-diff, --textconv, -O.
const DIFF = `-pubwRaszW -U= -S= -G= -M -C -l= --patch --no-patch --unified= --raw --patch-with-stat --stat[=] --numstat
  --shortstat --dirstat[=] --cumulative --summary --name-only --name-status --color[=] --no-color --word-diff[=]
  --color-words[=] --check --full-index --binary --abbrev[=] --find-renames[=] --find-copies[=] --no-renames
  --diff-filter= --pickaxe-regex --pickaxe-all --relative[=] --text --ignore-space-at-eol --ignore-space-change
  --ignore-all-space --ignore-blank-lines --function-context --no-ext-diff --no-textconv --no-prefix --minimal --patience
  --histogram --diff-algorithm= --exit-code --quiet --inter-hunk-context= --compact-summary --color-moved[=] --no-indent-heuristic`
const LOG = `${DIFF} -N -gicEFPmt -n= -L= --oneline --graph --decorate[=] --no-decorate --all --branches[=] --tags[=] --remotes[=]
  --max-count= --skip= --since= --after= --until= --before= --author= --committer= --grep= --all-match --invert-grep
  --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --first-parent --reverse
  --date-order --author-date-order --topo-order --date= --pretty[=] --format= --abbrev-commit --no-abbrev-commit --follow
  --left-right --cherry-pick --cherry-mark --cherry --boundary --simplify-by-decoration --full-history --name-only
  --walk-reflogs --parents --children --source --no-show-signature --relative-date --ancestry-path --not --notes --no-notes
  --merge-base --left-only --right-only --clear-decorations --diff-merges=`

const FORMS: Readonly<Record<string, ReadForm>> = Object.fromEntries(
  Object.entries({
    status: `-sbvz -u= --short --branch --show-stash --porcelain[=] --long --verbose --untracked-files[=]
      --ignored[=] --ahead-behind --no-ahead-behind --no-renames --column[=] --no-column`,
    log: LOG,
    show: LOG,
    whatchanged: LOG,
    diff: `${DIFF} --cached --staged --merge-base --no-index`,
    shortlog: '-nsec --numbered --summary --email --group= --since= --until= --all --no-merges --author=',
    'rev-list':
      '-N -n= --count --all --max-count= --since= --until= --no-merges --merges --left-right --first-parent --reverse',
    'rev-parse': `-q --short[=] --abbrev-ref[=] --verify --quiet --show-toplevel --show-prefix --show-cdup --git-dir
      --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository
      --is-shallow-repository --symbolic-full-name --symbolic --all --branches[=] --tags[=] --remotes[=]`,
    blame: `-bcefklnpstw -L= -M -C -S= --show-name --show-number --show-email --line-porcelain --porcelain --incremental
      --date= --abbrev= --since= --root --no-textconv`,
    annotate: '-L=',
    'ls-files': `-cdmoistkuzv -x= --cached --deleted --modified --others --ignored --stage --unmerged --killed --directory
      --no-empty-directory --exclude= --exclude-standard --error-unmatch --full-name --eol --deduplicate --abbrev[=]`,
    'ls-tree': '-drtlz --long --name-only --name-status --object-only --full-name --full-tree --abbrev[=]',
    'cat-file': 'max:2 -tspe',
    describe:
      '--all --tags --contains --abbrev= --candidates= --exact-match --match= --exclude= --long --always --first-parent',
    grep: `-N -aiIvwhHEGPFnlLzocpW -e= -A= -B= -C= -m= --cached --untracked --no-index --text --ignore-case --invert-match
      --word-regexp --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column
      --files-with-matches --name-only --files-without-match --null --only-matching --count --color[=] --no-color --break
      --heading --show-function --function-context --after-context= --before-context= --context= --and --or --not
      --all-match --quiet --max-depth= --recursive --no-recursive --full-name --threads= --max-count=`,
    'merge-base': '-a --all --octopus --is-ancestor --independent --fork-point',
    'name-rev': '--tags --all --name-only --always',
    'count-objects': 'max:0 -vH --verbose --human-readable',
    'check-ignore': '-qvnz --quiet --verbose --non-matching --no-index',
    'check-attr': '-az --all --cached',
    'for-each-ref': `--count= --sort= --format= --points-at= --merged[=] --no-merged[=] --contains[=] --no-contains[=]
      --ignore-case`,
    'show-ref': '-dsq --head --tags --heads --verify --dereference --hash[=] --abbrev[=] --quiet',
    cherry: '-v --abbrev=',
    'diff-tree': `${DIFF} -rcmt --root --no-commit-id --stdin`,
    'diff-index': `${DIFF} --cached --merge-base`,
    'diff-files': DIFF,
    version: 'max:0 --build-options',
    branch: `max:0 -avri --all --remotes --list --verbose --show-current --color[=] --no-color --column[=] --no-column
      --sort= --format= --merged[=] --no-merged[=] --contains= --no-contains= --points-at= --ignore-case --abbrev=
      --no-abbrev`,
    tag: `max:0 -N -ni --sort= --format= --merged[=] --no-merged[=] --contains= --no-contains= --points-at= --column[=]
      --no-column --color[=] --ignore-case`,
    remote: 'max:0 -v --verbose',
    config: 'max:1 -z --get --get-all --null --local --show-origin --show-scope --type= --bool --int',
  }).map(([name, text]) => [name, readForm(text)]),
)

// A word after the command that is a command of its own.
const SECOND: Readonly<Record<string, Readonly<Record<string, ReadForm>>>> = {
  stash: { list: readForm(LOG), show: readForm(DIFF) },
  remote: { 'get-url': readForm('max:1 --all --push') },
  reflog: { show: readForm(LOG) },
  worktree: { list: readForm('max:0 -vz --porcelain --verbose') },
  // With a list asked for, what follows are patterns.
  tag: { '-l': readForm('-ni --sort= --format='), '--list': readForm('-ni --sort= --format=') },
  branch: { '--list': readForm('-avr --all --remotes --sort= --format=') },
}

/**
 * Whether git, with its own options taken off, only reads in a repository that runs no programs. An option counts only
 * when it is spelled out, although git accepts any beginning of its name. Pure.
 */
export function isGitReadForm(name: string, rest: readonly Word[]): boolean {
  const fitted = fit(name, rest)
  if (!fitted) return false
  if (fitted.options.some(({ value = '' }) => checksSignature(value))) return false
  if (name === 'config') return isPlainConfigQuestion(fitted)
  return fitted.operands.every(({ text }) => !text.startsWith('ext::'))
}

function fit(name: string, rest: readonly Word[]): ReadArguments | undefined {
  const second = Object.hasOwn(SECOND, name) ? SECOND[name]! : undefined
  const word = rest[0]
  if (word && !word.isDynamic && second && Object.hasOwn(second, word.text))
    return fitForm(rest.slice(1), second[word.text]!)
  if (name === 'reflog') return rest.length === 0 ? { operands: [], options: [] } : undefined
  return Object.hasOwn(FORMS, name) ? fitForm(rest, FORMS[name]!) : undefined
}

// Asks another program whether a signature is good, or runs git again.
const checksSignature = (format: string): boolean => /%G|signature|describe/i.test(format)

// Addresses and headers may hold secrets.
const isPlainConfigQuestion = ({ options, operands: [key] }: ReadArguments): boolean =>
  options.some(({ name }) => name.startsWith('--get')) &&
  /^(user\.(name|email)|core\.\w+|init\.\w+|pull\.\w+|push\.\w+|branch\.[\w/-]+\.\w+)$/i.test(key?.text ?? '')
