/** In a longer text, volatile parts are removed only from the head and the tail. */
const LONGEST_TEXT = 2000
const HEAD = 1500
const TAIL = 500

const NUMBER = String.raw`\d+(?:[.,]\d+)?`
const SECONDS = 's|sec|secs|seconds?|sekunden?|secondes?|segundos?|secondi'
const LONGER =
  'min|mins|minutes?|minuten?|minutos?|minuti|h|hrs?|hours?|stunden?|heures?|horas?|days?|tagen?|jours?'
const CLOCK = String.raw`\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?(?:\s?[ap]m\b)?`
const DAY = String.raw`(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}\.? \p{L}{3,9}\.? \d{4}|\p{L}{3,9} \d{1,2},? \d{4})`
/** Between a label and its value. */
const IS = String.raw`[\s:=#"'(]*(?:W\/")?`
const TOKEN = String.raw`[\w-]*\d[\w-]*`
const MIXED = String.raw`(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]`
/** Keeps a number that counts towards a total. */
const NO_TOTAL = String.raw`(?!\s*(?:of|out of|von|sur|de|di|\/)\s*\d)`
const NUMBERED = String.raw`\s*(?:no\.?|nr\.?|number|count|#|:|=)*\s*\d+`
const TRY = 'attempt|try|retry|versuch|essai|tentative|intento|tentativo'
const LOOKUP = 'lookup|call|request|query|visit|view|check|poll|abfrage|anfrage|aufruf|consulta|requête'

const each = (...patterns: string[]): RegExp[] => patterns.map((pattern) => new RegExp(pattern, 'giu'))

/** Fields of an envelope around the answer, names of the request, counts of how often it was asked. */
const OF_THE_REQUEST: readonly RegExp[] = each(
  String.raw`"(?:took|elapsed|duration|latency|timestamp|ts|now|server_?time|(?:generated|fetched|served|retrieved|checked|queried|requested)_?at|(?:request|trace|correlation|span|session)_?id|nonce|etag)(?:_?(?:ms|s|seconds))?"\s*:\s*(?:"[^"]*"|-?${NUMBER})`,
  String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
  String.raw`\b(?:trace|correlation|span|nonce|etag|token|rid|cid|sid|corr|pid|uuid|guid|ref|reference|signature)(?:[-_ ]id)?${IS}${TOKEN}${NO_TOTAL}`,
  String.raw`\b(?:request|req|session|transaction|txn|message|delivery|operation|response|confirmation)[-_ ]?(?:id|no\.?|nr\.?|number|code|ref)${IS}${TOKEN}`,
  String.raw`\b(?:request|req|session|transaction|txn)${IS}${MIXED}{5,}`,
  String.raw`\b(?:req|rq|rid|cid|corr|txn|sess|trace|span)[-_]${TOKEN}`,
  String.raw`\b0x[\da-f]+\b|\(#\d+\)`,
  String.raw`\b(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{8,}\b`,
  String.raw`\b${MIXED}{18,}\b`,
  // Alternating letters and digits are a generated name, unless they are hours and minutes.
  String.raw`\b(?!(?:\d+[dhms])+\b)(?=\w{4,}\b)(?=\w*?(?:\d[a-z]+\d|[a-z]\d+[a-z]))\w+\b`,
  String.raw`\b(?:${TRY})${NUMBERED}(?:\s*(?:of|\/)\s*\d+)?`,
  String.raw`\b(?:${LOOKUP})${NUMBERED}${NO_TOTAL}`,
  String.raw`\b\d+(?:st|nd|rd|th|\.)?\s+(?:attempts?|tries|retry|retries|lookups?|versuche?|times|mal|fois|veces|volte)\b`,
  String.raw`\b(?:requests?|calls?|quota|credits?|rate[- ]?limit)[^\n;,.]{0,20}?(?:remaining|left)[\s:=]*\d+`,
  String.raw`\b(?:(?:quota|rate[- ]?limit)[\s:=]*\d+|\d+\s*(?:requests?|calls?|credits?))\s*(?:remaining|left)\b`,
  String.raw`\b(?:served|answered|handled)\s+(?:by|from)\s+\S+`,
)

/** The time of the answer: always with a date, otherwise only after a label. */
const MOMENTS: readonly RegExp[] = each(
  String.raw`\d{4}-\d\d-\d\d[T ]${CLOCK}\s?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)?`,
  String.raw`\b${DAY},?\s(?:at\s|um\s|à\s)?${CLOCK}`,
  String.raw`\b(?:as of|updated|checked|refreshed|generated|retrieved|fetched|queried|read|stand|now|time)(?:\s(?:at|on|um|vom))?[\s:]+(?:${DAY}(?:,?\s(?:at\s|um\s|à\s)?${CLOCK})?|${CLOCK})`,
  String.raw`(?<!\b(?:arriv|depart|due|start|end|open|clos|ready|expect|eta|leav|next|until|schedul|book|plan)[^.;\n]{0,24})\bat\s${CLOCK}`,
  String.raw`\bexpires?\s(?:in|at)\s\S+`,
  String.raw`\b1[5-9]\d{8}(?:\d{3})?\b`,
)

const CLOCK_AND_DURATIONS: readonly RegExp[] = each(
  String.raw`\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?:\s?[ap]m)?\b`,
  String.raw`[([]${CLOCK}[)\]]|^${CLOCK}(?=\W)`,
  String.raw`\b${NUMBER}\s?(?:ms|msec|µs|us|ns|milliseconds?|microseconds?)\b`,
  String.raw`\b${NUMBER}\s?(?:${SECONDS}|${LONGER})\s+(?:ago|old|elapsed|fa)\b`,
  String.raw`\b(?:for|since|uptime|age|aged|elapsed|took|takes|within|after|cached|running|vor|seit|nach|il y a|hace|depuis)[\s:=]+${NUMBER}\s?(?:${SECONDS}|${LONGER})\b`,
  String.raw`\b(?:took|latency|elapsed|response time|uptime|age|ttl|dauer)[\s:=]+${NUMBER}\b`,
  String.raw`(?<=[([,]\s?)${NUMBER}\s?(?:${SECONDS})(?=[)\]])`,
  String.raw`\b\d+[.,]\d+\s?(?:${SECONDS})\b`,
  String.raw`(?<=\b(?:hits?|results?|rows?|items?|answered|found|done|finished)\b[^.\n]{0,12}\bin\s)${NUMBER}\s?(?:${SECONDS})\b`,
)

/** A time still to go is no duration: it moves towards an end. */
const COUNTDOWN =
  /\b(?:left|remaining|to go|eta|countdown|timer|noch|verbleib\w*|übrig|reste|restant\w*|quedan|faltan|mancano|ready in|arrives? in|starts? in|due in|back in|again in|retry in|retry after)\b/iu

/**
 * The text without parts that change with every request: times, durations, request ids, counts of attempts. Outputs that
 * are equal after this have the same content.
 */
export function withoutVolatileParts(text: string): string {
  if (text.length <= LONGEST_TEXT) return still(text)
  return still(text.slice(0, HEAD)) + text.slice(HEAD, -TAIL) + still(text.slice(-TAIL))
}

function still(text: string): string {
  if (!/\d/.test(text)) return text
  let rest = text
  for (const part of MOMENTS) rest = rest.replace(part, '·')
  for (const part of OF_THE_REQUEST) rest = rest.replace(part, '·')
  if (!COUNTDOWN.test(rest)) for (const part of CLOCK_AND_DURATIONS) rest = rest.replace(part, '·')
  return rest
}
