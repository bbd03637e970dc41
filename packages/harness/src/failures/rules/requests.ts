import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

/** Source that does not compile: its messages say "not found" of names in the code. */
export const COMPILER_RULES: readonly TextRule[] = [
  {
    name: 'does-not-compile',
    class: 'invalid_input',
    pattern: anyOf`
      error\[e\d{4}\]|error ts\d{4}|error c\d{4}|\d+:\d+: error:|\.java:\d+: error:
      undeclared|cannot find symbol|could not compile|compil(?:ation|e) (?:error|failed)
      (?:^|\n)\S+\.\w{1,5}:\d+:\d+: 
      syntax ?error|error in your sql syntax|looking for matching|can't parse|invalid json|json payload|pars(?:e|ing|er) ?error|undefined reference`,
  },
]

/** What was named is not there. */
export const NOT_FOUND_RULES: readonly TextRule[] = [
  {
    name: 'not-found',
    class: 'not_found',
    pattern: anyOf`
      (?<!\boption )\bnot[ -]?found\b
      no such (?!host|option|tool|method|function|device|application|program|command)
      (?:does|do|did)(?: not|n't) exist|\bnot exists?\b|name not matched|(?:does not|did not|doesn't|didn't) match any|no longer exists?|non-?existent|nonexistent
      unknown (?:message|channel|guild|user(?! config)|member|role|webhook|interaction|emoji|invite|application|id|revision|database|table|column|repository|account|customer|object|resource|entity|page|file|key|model|project|team|label|branch|tag|remote|ref|image|manifest|record|item|container|service|node|package|mailbox|index|topic|queue|zone|region)
      (?:can't|cannot|could not|couldn't|unable to|failed to|can not) (?:find|locate|be found|see|get object)\b
      (?:couldn't|could not|cannot|can't) be found|(?:was|is|were|are) not found
      has been (?:deleted|removed|trashed)|(?:was|were) (?:deleted|removed)\b
      enoent|\benotdir\b|not a directory|resource missing
      (?:path|file|folder|directory|page|record|user|item|object|resource|endpoint|route|repository|branch|table|column) (?:is |was )?(?:missing|unavailable|absent)\b
      no (?:matching|available|results?|records?|rows?|matches|items|files?|entries|versions?|documents?|users?|pages?|element|distribution|match|issue|contacts?|stash entries|package|formula) (?:\S+ ){0,4}(?:found|for|with|matching|exists?|match|available)
      nothing (?:found|matches|matched)|\b(?:no|0|zero)\)? rows\b|is not in the (?:\w+ )?(?:repository|registry|list|index|catalog)|no rule to make|no configured|missing script|doesn't have a (?:resource|\w+ named)
      cannot get (?:\/|<path>)|manifest unknown|did not resolve to|mailbox unavailable|user unknown|recipient (?:address )?rejected|address rejected
      \bgone\b|invalid (?:object name|reference:|column name)|not a valid (?:object name|commit)|bad (?:revision|object|source)|neither .{1,80} found|\bthere (?:is|are|was) no (?:such )?\w+(?: \w+)? (?:["']|named|called|with|titled)
      unable to access (?:jar)?file|has no (?:upstream|default|remote) 
      not a git repository|does not appear to be a git|not something we can|unknown revision|no endpoints found
      strict mode violation|waiting for selector|no node found
      (?:could not|couldn't|unable to|cannot|can't|failed to) open (?:(?:the )?(?:\w+ )?(?:file|database)|')`,
  },
]

/** What was sent cannot be accepted as it is. */
export const INPUT_RULES: readonly TextRule[] = [
  {
    name: 'not-accepted',
    class: 'invalid_input',
    pattern: anyOf`
      \binvalid|\bmalformed|ill-?formed|\bincorrect\b|\bmissing\b|\bmissed\b|unprocessable|ambiguous|mismatched
      validation (?:error|failed|failure|exception)|\bformat error\b|failed validation|schema (?:validation|violation|mismatch)
      pars(?:e|ing) ?(?:error|failed)|(?:error|problems?) parsing
      (?:can't|cannot|could not|couldn't|failed to|unable to) (?:parse|decode|deserialize|convert|interpret|read json|unmarshal|coerce|cast)
      unexpected (?:token|end of|character|eof|identifier|argument|parameter|field|property|keyword|value|symbol|indent|string|number|type|input)
      unterminated|unclosed|unexpected (?:newline|eof)|json decode error|expecting (?:value|property|',')|expected .{1,60}(?:but|got|found|received|instead)
      illegal (?:character|argument|value|format|byte|option|operation)|uri syntax|eisdir|is a directory
      bad request|bad (?:number of |argument|parameter|format|value|option|input|url|range|flag|substitution)|bad\/illegal
      (?:required|mandatory) (?:\w+ ){0,3}(?:parameter|param|field|argument|property|key|value|input|option|header|attribute|body|column|url)
      (?:parameter|param|field|argument|property|input|address|value|body|title|name|subject|recipient) required
      requires an? (?:\w+ )?(?:argument|value|parameter)|use (?:the )?--?[\w-]+ (?:option|flag)|required options?|argument required|wasn't supplied|not supplied|values were supplied|no (?:\w+ ){1,2}(?:specified|defined|provided|supplied)|tell me who you are
      (?:parameter|param|field|argument|property|value|option|key|column|attribute|flag|name|id|it|number|input|date|message)s? ?(?:\S+ )?(?:is|are|was|were) (?:required|mandatory|not valid|empty|unknown|too short|out of range|blank|not (?:an? )?(?:valid|recogni[sz]ed|allowed|accepted|permitted))
      is (?:a )?required (?:property|field|parameter|argument)|required (?:but|and)
      (?:must|should|has to|needs to) (?:be|have|contain|match|not be|start|end|include|consist|specify|provide|conform|equal|precede)\b
      can(?:'t|not| not) be (?:set|blank|empty|null|nil|negative|zero|longer|less|greater|modified|in the past|before|after|undefined)
      (?:may )?not be (?:null|empty|blank)|(?:an?|send) empty (?:message|body|string|value|name|text)|no text\b
      (?:is|are) not (?:an? )?(?:valid|recogni[sz]ed|accepted|allowed|permitted|proper\b|iterable|json|a number|an integer|unique|defined|one of)
      not a valid|is not an? \w+ that exists|unrecogni[sz]ed (?:command-line )?(?:option|argument|parameter|field|key|property|name|arguments)|no such option
      unknown (?!error|reason|failure|exception|issue|problem|cause|status|state|outcome)\w+
      takes (?:\d+|no) (?:positional )?arguments?|expects? (?:at least |at most |exactly )?\d+
      wrong ?(?:number|type|format|kind)|type mismatch|is of type \w+ but|type error: .{0,80}(?:expected|must be)
      out of (?:range|bounds for)|out of range
      not-?null constraint|null value in column|check constraint|constraint failed: (?:not null|check)|not null constraint|data truncat
      usage: |cannot query field|did you mean
      too (?:few|many) (?:arguments|parameters|positional|values|columns|fields)
      not (?:well-?formed|json|valid json|understood|parseable)|does not (?:match|conform|satisfy|validate|comply)
      (?:bad|unknown) (?:encoding|charset|time ?zone)|unicode (?:decode|encode) error|can't decode|codec can't
      (?:do|does) not fit|could not be read|err invalid|einval\b|content-type .{0,30}(?:missing|required)
      value ?error|argument ?exception|number format exception|format exception|date ?time parse|undefined variable
      cannot be modified|no value (?:provided|given)|not specified|\bunmatched\b|is outside\b|please (?:specify|provide|enter|supply|correct)|mapping values are not allowed`,
  },
]
