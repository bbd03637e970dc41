import type { ReadForm } from './read-form.ts'
import { readForm } from './read-form.ts'

/**
 * Programs that only read, each with the options under which that is so. How an entry is written: see `readForm`. Left
 * out are options that write, run a program, resolve a name, take names of files from a file, or never end. An option
 * that nobody wrote down here makes a command `write`, which costs one question and no harm.
 */
const FORMS: Readonly<Record<string, string>> = {
  // Names and sizes of files.
  ls: `harmless -1aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ -I= -w= -T= --all --almost-all --author --human-readable --recursive
    --reverse --directory --inode --size --classify[=] --color[=] --group-directories-first --full-time --si --no-group
    --numeric-uid-gid --dereference --file-type --sort= --time= --time-style= --ignore= --hide= --format= --indicator-style=
    --block-size= --literal --quote-name --zero`,
  dir: 'harmless -1aAlhRrtS',
  vdir: 'harmless -1aAlhRrtS',
  stat: 'harmless -Lftx -c= --dereference --file-system --format= --printf= --terse',
  du: `harmless -0abchHDklLmsSx -d= -t= --all --apparent-size --bytes --human-readable --summarize --total --max-depth=
    --si --one-file-system --exclude= --threshold= --time --block-size= --inodes --null`,
  df: `harmless -ahHiklPT -t= -x= --all --human-readable --inodes --local --portability --print-type --total --type=
    --exclude-type= --output[=] --si`,
  tree: `-adfhinpsugDFvtrcUACSNqQJX -L= -I= -P= --dirsfirst --noreport --gitignore --prune --du --si --charset=
    --matchdirs --ignore-case --filelimit= --sort=`,
  realpath: `harmless -emLPsqz --canonicalize-existing --canonicalize-missing --relative-to= --relative-base= --strip
    --no-symlinks --quiet`,
  readlink: 'harmless -fenmqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline',
  basename: 'harmless -az -s= --multiple --suffix= --zero',
  dirname: 'harmless -z --zero',
  file: '-bhiLkNr0 -F= --brief --mime --mime-type --mime-encoding --dereference --no-dereference --separator= --raw',
  // What is in files.
  cat: `harmless -AbeEnstTuv --show-all --number --number-nonblank --squeeze-blank --show-ends --show-tabs
    --show-nonprinting`,
  head: 'harmless -N -qvz -n= -c= --lines= --bytes= --quiet --verbose --zero-terminated',
  tail: 'harmless -N -qvz -n= -c= --lines= --bytes= --quiet --verbose --zero-terminated',
  wc: 'harmless -clmLw --bytes --chars --lines --words --max-line-length',
  nl: 'harmless -p -b= -f= -h= -i= -l= -n= -s= -v= -w= -d= --body-numbering= --number-width= --number-separator=',
  tac: 'harmless -br -s= --before --regex --separator=',
  rev: 'harmless',
  od: 'harmless -abcdfiloxsv -A= -j= -N= -t= -w= --address-radix= --skip-bytes= --read-bytes= --format= --output-duplicates',
  hexdump: 'harmless -bcCdovx -n= -s= -e= --canonical --length= --skip= --no-squeezing',
  xxd: 'max:1 -abeEipu -c= -g= -l= -o= -s= -n=',
  strings: '-afw -n= -t= -e= --all --bytes= --radix= --encoding= --print-file-name',
  cmp: 'harmless -bls -i= -n= --print-bytes --verbose --quiet --silent --bytes= --ignore-initial=',
  diff: `harmless -N -abBcdeEinNpqrstTuwyZ -I= -U= -C= -W= -x= --brief --recursive --unified[=] --context[=] --side-by-side
    --ignore-case --ignore-all-space --ignore-space-change --ignore-blank-lines --report-identical-files --new-file --text
    --color[=] --exclude= --width= --suppress-common-lines --strip-trailing-cr --minimal --no-dereference --normal
    --ignore-trailing-space --ignore-matching-lines= --label= --left-column --show-c-function --speed-large-files`,
  comm: 'harmless -123iz --check-order --nocheck-order --output-delimiter= --total',
  join: 'harmless -i -1= -2= -a= -e= -j= -o= -t= -v= --check-order --nocheck-order --header',
  zcat: 'max:9',
  bzcat: 'max:9',
  xzcat: 'max:9',
  // Searching.
  ...Object.fromEntries(
    ['grep', 'egrep', 'fgrep'].map((name) => [
      name,
      `harmless -N -abchEFGHiIlLnoPqrsTUvVwxyzZ -A= -B= -C= -D= -d= -e= -f= -m= --extended-regexp --fixed-strings
       --basic-regexp --perl-regexp --regexp= --file= --ignore-case --no-ignore-case --invert-match --word-regexp
       --line-regexp --count --color[=] --colour[=] --files-with-matches --files-without-match --max-count=
       --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label= --line-number
       --initial-tab --null --after-context= --before-context= --context= --text --binary-files= --devices= --directories=
       --exclude= --exclude-dir= --include= --recursive --line-buffered --null-data`,
    ]),
  ),
  rg: `-abcFhHiIlnNoPpqsSuUvVwxX0 -A= -B= -C= -d= -E= -e= -g= -j= -m= -M= -r= -t= -T= --after-context= --before-context=
    --context= --count --count-matches --color= --colors= --column --no-column --case-sensitive --ignore-case --smart-case
    --fixed-strings --files --files-with-matches --files-without-match --glob= --iglob= --heading --no-heading
    --hidden --no-hidden --no-ignore --no-ignore-vcs --no-ignore-parent --invert-match --json --line-number --no-line-number
    --line-regexp --max-columns= --max-count= --max-depth= --maxdepth= --max-filesize= --multiline --multiline-dotall
    --no-config --no-filename --no-messages --null --only-matching --pcre2 --passthru --pretty --quiet --regexp= --replace=
    --sort= --sortr= --stats --text --threads= --trim --type= --type-not= --type-list --unrestricted --vimgrep
    --with-filename --word-regexp --one-file-system --encoding= --engine= --path-separator=`,
  ...Object.fromEntries(
    ['fd', 'fdfind'].map((name) => [
      name,
      `-HIsigapF01quU -d= -t= -e= -E= -S= -c= -j= --hidden --no-ignore --no-ignore-vcs --unrestricted --case-sensitive
       --ignore-case --glob --regex --fixed-strings --absolute-path --full-path --max-depth= --min-depth=
       --exact-depth= --type= --extension= --exclude= --size= --changed-within= --changed-before= --max-results= --print0
       --color= --quiet --show-errors --strip-cwd-prefix --and= --prune`,
    ]),
  ),
  // Text from one form into another.
  sort: `-bcCdfghiMmnRrsuVz -k= -t= --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort
    --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --random-sort --reverse --version-sort
    --sort= --check[=] --key= --merge --stable --field-separator= --unique --zero-terminated`,
  uniq: `max:1 -cdDiuz -f= -s= -w= --count --repeated --all-repeated[=] --ignore-case --unique --skip-fields=
    --skip-chars= --check-chars= --group[=] --zero-terminated`,
  shuf: 'max:1 -ez -n= -i= --echo --zero-terminated --head-count= --input-range=',
  cut: `harmless -nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited
    --output-delimiter= --zero-terminated`,
  tr: 'harmless -cCdst --complement --delete --squeeze-repeats --truncate-set1',
  paste: 'harmless -sz -d= --serial --delimiters= --zero-terminated',
  column: `-txenJLR -s= -o= -c= -N= -H= -O= -l= --table --separator= --output-separator= --json --table-columns=
    --table-right= --output-width=`,
  fold: 'harmless -bs -w= --bytes --spaces --width=',
  fmt: 'harmless -cstu -w= -g= -p= --width= --split-only --uniform-spacing',
  expand: 'harmless -i -t= --initial --tabs=',
  unexpand: 'harmless -a -t= --all --first-only --tabs=',
  pr: 'harmless -N -adfFmrtT -h= -l= -o= -w= -s= --columns= --header= --length= --omit-header --width=',
  numfmt:
    '-z -d= --from= --to= --field= --format= --header[=] --suffix= --delimiter= --padding= --round= --grouping',
  tsort: 'harmless',
  base64: '-di -w= --decode --wrap= --ignore-garbage',
  base32: '-di -w= --decode --wrap= --ignore-garbage',
  ...Object.fromEntries(
    ['md5sum', 'sha1sum', 'sha224sum', 'sha256sum', 'sha384sum', 'sha512sum', 'b2sum'].map((name) => [
      name,
      'max:99 -btz -l= --binary --text --tag --zero',
    ]),
  ),
  cksum: 'max:99 -a= --algorithm= --untagged',
  sum: 'harmless -rs --sysv',
  shasum: 'max:99 -bt -a= --algorithm=',
  md5: 'max:99 -qr',
  tee: 'max:0 -i',
  bc: 'max:1 -lqs --mathlib --quiet',
  factor: 'harmless',
  // This machine and its time.
  pwd: 'harmless -LP --logical --physical',
  whoami: 'max:0',
  id: 'harmless -aGgnruzZ --user --group --groups --name --real --zero',
  groups: 'harmless',
  tty: 'max:0 -s',
  arch: 'max:0',
  nproc: 'max:0 --all --ignore=',
  uname:
    'harmless -amnoprsvi --all --kernel-name --nodename --kernel-release --kernel-version --machine --operating-system',
  uptime: 'max:0 -ps --pretty --since',
  free: '-bkmghtlwv --bytes --kibi --mebi --gibi --human --total --si --wide --lohi max:0',
  hostname: 'max:0',
  who: 'max:0 -abdHlmpqrstTu --all --boot --heading --count --runlevel',
  lscpu: 'max:0 -abcepxyJ --all --extended[=] --json --parse[=]',
  lsblk: '-abdfilmnOprstJP -o= --all --bytes --fs --json --list --output= --nodeps --noheadings --paths',
  locale: '-acmk --all-locales --charmaps --keyword-name',
  getconf: 'max:2 -a',
  cal: '-N -13jmswy max:3',
  pgrep:
    '-acfilnovx --full --list-name --list-full --count --exact --newest --oldest --inverse --ignore-case',
  sleep: 'harmless',
  seq: 'harmless -w -f= -s= --equal-width --format= --separator=',
  expr: 'harmless',
  which: '-as --all',
  whereis: '-bmsul',
  type: 'harmless -aptPf',
  cd: 'max:1 -PLe@',
  pushd: 'max:1',
  popd: 'max:0',
  dirs: 'max:0',
  wait: 'max:0',
  times: 'max:0',
  hash: 'max:0',
  jobs: 'max:0',
  umask: 'max:0 -S',
}

/** The programs that only read in a given form. */
export const READ_FORMS: ReadonlyMap<string, ReadForm> = new Map(
  Object.entries(FORMS).map(([name, text]) => [name, readForm(text)]),
)

/** Programs that answer these two questions without looking at anything first. */
export const TELLS_VERSION: ReadonlySet<string> = new Set(
  `node nodejs python perl git bash gcc g++ cc clang make cmake tar sed awk gawk mawk find jq curl wget gzip bzip2 xz zstd
   sqlite3 ps date env timeout`.split(/\s+/),
)
