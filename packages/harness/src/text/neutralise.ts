/** What a line of the harness begins with when a model reads it. */
export const NOTICE_MARK = '[Notice from Capstan]'

/** What a message begins with that the user sent while the model was working. */
export const STEER_MARK = '[Message sent while you were working]'

/** The element around untrusted text. */
export const UNTRUSTED = 'untrusted'

// Tags that have a meaning to us or to a model: the frame, calls, results, the ends of turns.
const TAG =
  /<(?=[\s/]{0,4}(?:untrusted|(?:tool|function)[_-]?(?:call|result|response|output)s?|invoke|system|start_of_turn|end_of_turn)\b|\||<SYS>)/gi
const NOTICE = /notice\s{1,8}from\s{1,8}capstan/gi
const STEER = /message\s{1,8}sent\s{1,8}while\s{1,8}you\s{1,8}were\s{1,8}working/gi
const INSTRUCTION_MARK = /\[(?=\/?INST\])/g
const SPEAKER = /^(\s{0,4})(Human|Assistant):/gm
const ANY =
  /<[\s/]{0,4}(?:untrusted|tool|function|invoke|system|start_of|end_of|\||<SYS>)|notice\s{1,8}from|message\s{1,8}sent|\[\/?INST\]|^\s{0,4}(?:Human|Assistant):/im
/** Other ways to write the same letters, and characters that hide between them. */
const DISGUISED = /[\u00ad\u200b-\u200f\u2060-\u2064\ufe64\ufe65\ufeff\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u
const HIDDEN = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g

/**
 * Foreign text without what could pass as a line of the harness, as the end of its frame, as a call or as another
 * speaker. What is changed stays visible. The same text gives the same result; a second time changes nothing. Pure.
 */
export function neutralise(text: string): string {
  const shown = ANY.test(text) ? replaceMarks(text) : text
  if (!DISGUISED.test(shown)) return shown
  // Only a text that hides a mark is changed as a whole.
  const plain = shown.normalize('NFKC').replaceAll(HIDDEN, '')
  const changed = ANY.test(plain) ? replaceMarks(plain) : plain
  return changed === plain ? shown : changed
}

function replaceMarks(text: string): string {
  return text
    .replaceAll(TAG, '&lt;')
    .replaceAll(NOTICE, 'quoted text, not a notice')
    .replaceAll(STEER, 'quoted text, not a message')
    .replaceAll(INSTRUCTION_MARK, '(')
    .replaceAll(SPEAKER, '$1($2):')
}
