/**
 * The lines of an output that carry the reason. Stack frames, listings, source, test reports and prose about errors
 * do not. Empty when no line does.
 */
export function reasonLines(text: string): string {
  if (text === '' || isDocument(text)) return ''
  // One line is no list.
  const { kept, listed } = text.includes('\n')
    ? dropNoise(lastTraceback(text).split('\n'))
    : { kept: SOURCE.test(text) || LOGGED.test(text) ? [] : [text.slice(0, MAX_LINE_CHARS)], listed: 0 }
  const plain = kept.filter((line) => !CALM.test(line) && !EXPLAINS.test(line))
  const strong = plain.filter((line) => STRONG.test(line) && !COMPILER_WARNING.test(line))
  if (strong.length > 0) {
    const errors = strong.filter((line) => !WARNING.test(line))
    // A short output is one statement: the line before the error often names the reason.
    const whole = plain.length <= 8 && plain.join('\n').length <= 900
    return join(
      whole
        ? plain.filter((line) => !WARNING.test(line) || errors.length === 0 || plain.length <= FEW_LINES)
        : errors.length > 0
          ? errors
          : strong,
    )
  }
  const listing = listed > plain.length
  if (plain.length < kept.length && kept.some((line) => EXPLAINS.test(line))) return ''
  if (plain.length === 0 || listing) return ''
  if (plain.length <= 6 && plain.join('\n').length <= 1_200) return join(plain)
  return ''
}

const MAX_LINES = 40
const MAX_LINE_CHARS = 600

// Of many error lines the first and the last are the most useful.
function join(lines: readonly string[]): string {
  const few = lines.length <= MAX_LINES ? lines : [...lines.slice(0, 8), ...lines.slice(8 - MAX_LINES)]
  return few.map((line) => line.trim()).join('\n')
}

/** Of exceptions raised while handling others, the last is the one that ended the program. */
function lastTraceback(text: string): string {
  const last = text.lastIndexOf('Traceback (most recent call last)')
  return last > 0 && text.indexOf('Traceback (most recent call last)') < last ? text.slice(last) : text
}

function dropNoise(lines: readonly string[]): { kept: string[]; listed: number } {
  const kept: string[] = []
  let listed = 0
  let afterFrame = false
  let justKept = false
  for (const whole of lines) {
    if (whole.trim() === '') continue
    const line = whole.slice(0, MAX_LINE_CHARS)
    const wasKept = justKept
    const wasFrame = afterFrame
    justKept = false
    afterFrame = false
    if (isCaretLine(line)) {
      // What stands above a caret is source, unless it is the error itself.
      if (wasKept && !STRONG.test(kept.at(-1) ?? '')) kept.pop()
    } else if (FRAME.test(line)) {
      afterFrame = /^\s*file "/i.test(line)
    } else if (wasFrame && /^\s{4}/.test(line)) {
      // The line behind a Python frame is its source.
    } else if (LISTED.test(line) || SOURCE.test(line) || LOGGED.test(line)) {
      listed++
    } else {
      kept.push(line)
      justKept = true
    }
  }
  return { kept, listed }
}

const isCaretLine = (line: string): boolean => line.includes('^') && /^[\s\d|~^-]*$/.test(line)

const FRAME = new RegExp(
  [
    '^\\s+at\\s', // node, java, .net
    '^\\s*file ".*", line \\d', // python
    '^\\s*\\.\\.\\. \\d+ more$',
    '^\\s*\\d+: 0x[0-9a-f]',
    '^\\s*from \\S+:\\d+:in ', // ruby
    '^#\\d+ ', // php, gdb
    '^goroutine \\d',
    '^\\t\\S+\\.go:\\d',
    '^node:[\\w/]+:\\d+$',
    '^(?:file://)?/\\S+:\\d+$',
    '^node\\.js v\\d',
    '^traceback \\(most recent',
    '^require stack:',
    '^-+ native stack trace',
  ].join('|'),
  'i',
)

const LISTED = new RegExp(
  [
    '^[0-9a-f]{7,40} \\S', // commits
    "^[\\w./\\\\-]+\\.\\w{1,5}[:-]\\d+[:-](?!\\d+: | ?(?:fatal |syntax )?(?:error|warning)|in ')", // search hits
    '^\\s*(?:not )?ok \\d', // test reports
    '^\\s*[✓✔✗✘×√❯●○]',
    '^\\s+\\d+:\\d+\\s+(?:error|warning)\\s', // linters
    '^# ',
    '^\\s*[-*+] (?!\\[)', // bullets
    '^> ',
    '^(?:diff --git|index [0-9a-f]{7}|@@ |\\+\\+\\+ |--- \\w)',
    '^\\s*\\d*\\s*[|│]', // numbered source
    '^\\s*\\d+[\\t:]\\s',
    '^line \\d+: ', // the statement a database quotes
    '^\\s*(?://|/\\*|<!--)',
    '^\\s*"[^"]{1,60}":', // pretty-printed data
    '^\\s{2,}(?!code|cause|errno|message|msg|reason|status|detail|error|skipping|caution|fatal)[\\w-]+: \\S',
    '^npm warn ',
    '^FAILED \\S+::', // pytest
    '^[\\w./-]{1,80}\\.[a-z]\\w{0,4}$', // names of files
    '^[-dlrwxst]{10}\\s|^\\s?[MADRCU?!]{1,2} \\S+$', // files
    '" \\d{3} (?:\\d+|-)(?: |$)', // access logs
    '^[\\s\\d,]+$',
    '^\\s*[\\]}){]+[,;]?$',
  ].join('|'),
)

/** A line of a log that reports nothing wrong. */
const LOGGED =
  /^.{0,60}(?:\b(?:INFO|DEBUG|TRACE|NOTICE)\b|\[(?:info|debug|trace|notice)\]|level=(?:info|debug|trace))/

const SOURCE = new RegExp(
  [
    '^\\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\\b.*;$',
    '^(?:FROM|RUN|CMD|COPY|ENV|ENTRYPOINT|WORKDIR) \\S', // container files
    '^\\s*(?:export|import|const|let|var|function|def|return|if|else|elif|for|while|try|except|catch|throw|raise|fn|func|' +
      'async|await|public|private|static|class|case|switch|assert|print)\\b[^:]*[({;=]',
    '^\\s*(?:def|class|try|except|finally|with|while|for|if|elif|else)\\b[^:]*:$',
    '^(?:import|from) [\\w.]+(?: import .*)?$',
    '^\\s*[\\w.]+\\([^)]*\\);?$',
  ].join('|'),
)

/** A line that introduces an error: its own word for one, a program's name, the name of an error class. */
const STRONG = new RegExp(
  [
    // "error: …", "[error] …", "npm error …", "fatal: …", "Caused by: …"
    '^\\W{0,3}(?:[\\w./-]+[ :]){0,3}(?:errors?|err!|fatal|failed|failure|exception|panic|critical|uncaught|unhandled|' +
      "caused by|conflict|unable to|could not|couldn't|cannot|can't|denied|rejected|aborted|forbidden|traceback)\\b",
    '^\\w: ', // apt
    '^[\\w.$\\\\/-]{0,80}(?:error|exception|fault|failure)\\b',
    '^[a-z_$][\\w$]*(?:\\.[\\w$]+)+: ', // dotted class names
    '^[a-z(/][\\w./@+()-]{0,60} ?: {1,2}(?![\\d.]+\\w{0,3}$|true$|false$|ok$)\\S', // program: message
    '^\\s*\\[?(?:cause|code|reason|message|raw_?error)\\]?: ', // properties of a printed error
    '^http/\\d',
    '\\b(?:level|lvl|severity)=["\']?(?:error|fatal|crit)|\\berr(?:or)?="',
    '\\] ?(?:error|fatal)\\b|^[\\d:t.,/z -]{8,30}\\[?(?:error|fatal|err)\\b',
    'command not found|permission denied|no such file',
    '^(?:no such|unknown|invalid|unrecognized|missing|bad) ',
    '^(?:fehler|schwerwiegend|erreur|errore|erro\\b|ошибка|фатальн|критическ|错误|错误|致命|エラー|오류|치명|خطأ|त्रुटि|ত্রুটি|' +
      'kesalahan|galat|gagal|virhe|fout|fel:|błąd|hata|lỗi|konflikt|conflit|conflitto|конфликт|冲突|충돌)',
  ].join('|'),
  'i',
)

/** Reports of success, headers and greetings: an error word inside them is not a reason. */
const CALM = new RegExp(
  [
    '^(?:created|sent|saved|updated|deleted|deployed|wrote|copied|fetched|added|merged|posted|' +
      'uploaded|downloaded|finished|completed|done|ok|success|imported|exported|moved)\\b(?! (?:with|but|exit))',
    '^(?:(?!not\\b|no\\b)\\w+ ){1,3}(?:added|created|updated|saved|sent|deleted|posted|uploaded|merged|closed)[.:!]',
    '^(?:the )?\\w+ ".{1,80}" (?:was |has been )?(?:moved|renamed|scheduled|assigned|changed|postponed|added|created)\\b',
    '^(?!.*\\b(?:not|cannot|failed|unable|denied|invalid)\\b).*\\b(?:successfully|succeeded\\W*$|all (?:checks|tests) passed|0 errors|no errors|0 failed)\\b',
    '^(?:content-[a-z]+|x-[a-z-]+|cache-control): ',
    '^(?:dear|hi|hello)\\b.{0,40},',
  ].join('|'),
  'i',
)

const WARNING = /^warn(?:ing)?\b|^deprecated: |deprecationwarning/i
const COMPILER_WARNING = /^warning: /
const FEW_LINES = 3

const EXPLAINS =
  /\b(?:when|if|whenever|once)\b.{0,80}\byou(?:'ll| will| may| might| would)? (?:see|get|receive)\b|\bhow to (?:fix|handle|resolve|debug)\b|\b(?:returned|thrown|raised|shown) when\b/i

/** Something to read rather than a reason: notes, letters, tables, changes, the report of a test run. */
const isDocument = (text: string): boolean =>
  /^[^\S\n]*(?:\d+ (?:passing|failing)\b|# (?:tests|pass) \d|tests?:? .*\b\d+ (?:failed|passed))/im.test(
    text,
  ) ||
  /^ ?FAIL {1,2}\S+\n|^--- (?:FAIL|PASS): /m.test(text) ||
  /^#{1,4} \w.*\n(?!ok)/.test(text) ||
  /^commit [0-9a-f]{4,40}\n|^\w+(?:,\w+)+\n[^\n]*,/.test(text) ||
  /^(?:subject|from|to): .*\n|^here (?:is|are)\b|^(?:search )?results (?:for|of)\b|^q: .*\na: |^(?:dear|hi|hello) .{0,40},\n/i.test(
    text,
  ) ||
  /^diff --git|^@@ -\d|^\s*<\?php|^#!\//.test(text)
