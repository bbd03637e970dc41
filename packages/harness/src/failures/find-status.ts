/**
 * A status code of HTTP, where one stands: behind a word that announces it, in front of its own phrase, or at the
 * head of the text. Numbers in ids, dates, ports, sizes and line numbers are not status codes.
 */
export function findStatus(text: string): number | undefined {
  for (const place of PLACES) {
    const found = place.exec(text)
    if (found) return Number(found[1])
  }
  return undefined
}

const CODE =
  '(4\\d\\d|5[0-3]\\d|59[89])(?![\\d.]*\\d|[\\w%]|-\\d|,\\d| (?:ms|bytes?|kb|mb|rows?|files?|items?|lines?|times|seconds?|records?|tests?)\\b)'

const PLACES: readonly RegExp[] = [
  new RegExp(`\\bhttps?(?:/[\\d.]+| error| status| code| response| request failed)*[:= ]{1,3}\\(?${CODE}`),
  new RegExp(
    `(?<!exit[ _]?)\\bstatus(?:[ _]?code)?(?: (?:of|was|is|code|text))*["']?[:= ]{1,3}["'(]?${CODE}`,
  ),
  new RegExp(
    `\\b(?:(?:returned|response|server|api|client|request|http) error|error code|response(?: code)?|responded with(?: a)?|returned(?: a)?|replied(?: with)?|` +
      `answered(?: with)?|received(?: an?)?|got(?: an?)?|failed with(?: code)?|httperror|error)["']?[:= ]{1,3}["'(]?${CODE}`,
  ),
  new RegExp(`(?<!exit )\\bcode["']?[:=] ?["']?${CODE}`),
  new RegExp(`(?:fehler|erreur|errore|erro|ошибка|错误|エラー|오류|خطأ)[:： ]{1,2}${CODE}`),
  new RegExp(`(?:[a-z]|^)[ :]?[(\\[]${CODE}[)\\]:]`),
  new RegExp(
    `(?<![\\w.:/#-])${CODE}[ :-]{1,3}(?:bad request|unauthori|payment|forbidden|not found|method not|not acceptable|proxy auth|request time|conflict|gone|` +
      `length required|precondition|payload|request entity|content too|uri too|unsupported|unprocessable|too many|locked|internal|not implemented|bad gateway|` +
      `service|gateway|client error|server error|client closed|validation|too large|unavailable)`,
  ),
  // At the head of the text, when words or a body follow; mail servers put their own codes there.
  new RegExp(
    `^(?:[\\w.]{0,60}(?: \\w{1,20})?(?:error|exception|failed|failure)[: ]{1,3}){0,2}\\(?${CODE}\\)?(?= ?[:{<-]| [a-z'"]|$)(?! \\d|.?\\d\\.\\d\\.\\d| no\\b)`,
  ),
  new RegExp(`\\burl \\S+ ?: ?${CODE}`),
]
