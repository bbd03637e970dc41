import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

const PERSON = '(?:user|operator|human|resource owner|owner|reviewer|approver|person|customer|admin)'
const PERSON_REFUSED = '(?:denied|declined|rejected|refused|disallowed|dismissed|disapproved|vetoed)'
const APPROVAL = '(?:approval|confirmation|consent)'
const UNANSWERED =
  '(?:expired|timed? ?out|lapsed|unanswered|not answered|no (?:answer|response|reply|decision))'
const HOUSE_RULES = toList(
  'polic(?:y|ies)|guardrails?|safety (?:system|settings?|filters?|mode|classifier|rules?)|sandbox(?:ing)?|(?:allow|deny|block)-? ?list',
  'whitelist|blacklist|(?:system )?administrator|admin settings|organi[sz]ation restrictions|robots\\.txt|(?:content|web|url) filter',
  "firewall|your organi[sz]ation(?:'s)?|permission (?:profile|mode|settings?)|access restrictions|pod ?security|autonomy(?: level)?",
  'data loss prevention|security (?:settings?|rules?)|(?:plan|read-only|restricted|safe) mode|(?:ssrf|leak|push) protection|harness',
)
const STOPPED = toList(
  'block(?:ed|s)?|den(?:y|ied|ies)|reject(?:ed|s)?|refus(?:ed|es)|disabled|forbid(?:den|s)?|prohibit(?:ed|s)?|restrict(?:ed|s)',
  'disallow(?:ed|s)?|prevent(?:ed|s)|not (?:be )?(?:allowed|permitted)|violat(?:es|ed|ion)|flagged|refusing|(?:turned|switched) off',
)

/** A person or a policy refused it. */
export const DECISION_RULES: readonly TextRule[] = [
  {
    name: 'outcome-unknown',
    class: 'interrupted',
    pattern: anyOf`
      may or may not have (?:happened|run|been|completed|taken)
      outcome (?:is )?unknown
      (?:restarted|shut down|crashed|exited|went down) (?:while|before|during|mid)\b.{0,60}(?:call|result|running|record)
      interrupted (?:by (?:a )?(?:restart|crash|shutdown)|before .{0,40}(?:result|finished|recorded|returned))`,
  },
  {
    name: 'approval-unanswered',
    class: 'approval_expired',
    pattern: anyOf`
      ${APPROVAL}s?(?: request| prompt| dialog| card| window)?.{0,40}${UNANSWERED}
      permission (?:request|prompt|dialog).{0,30}${UNANSWERED}
      ${APPROVAL}.{0,60}not (?:received|given|granted) (?:in|within)
      (?:no ?body|no one) (?:answered|responded|approved|replied|confirmed)
      no (?:answer|response|decision|reply) (?:\w+ ){0,4}${APPROVAL}
      (?:timed? ?out|expired) (?:while )?(?:wait\w* )?for (?:\w+ ){0,3}(?:${APPROVAL}|approve|confirm|user (?:input|response))
      approval (?:expired|timeout)`,
  },
  {
    name: 'person-said-no',
    class: 'denied_by_user',
    pattern: anyOf`
      \b(?:${PERSON}|you) (?:has |have |had )?(?:explicitly |manually )?(?:${PERSON_REFUSED}|said no)\b
      \b${PERSON} (?:or \w+ server )?(?:did(?: not|n't) (?:approve|allow|consent|permit|accept|confirm)|does(?: not|n't) want|chose not|has not approved)
      \b(?:${PERSON_REFUSED}|not approved) (?:directly |explicitly )?by (?:the |an? |its )?(?:end[- ]?)?${PERSON}\b
      \b(?:approval|confirmation|consent|permission request|elicitation|tool (?:use|call)) (?:was |has been |is )?${PERSON_REFUSED}\b(?!.{0,60}\bpolic)
      ${PERSON} or authori[sz]ation server denied
      (?:request|action|command|call|operation) (?:was |is )?not approved
      answered no to|\byou (?:chose|decided) not to`,
  },
  { name: 'row-security', class: 'missing_permission', pattern: /row-level security/ },
  {
    name: 'address-not-admitted',
    class: 'missing_permission',
    pattern: anyOf`
      \b(?:your|client|this|from) ip\b.{0,60}\b(?:not|isn't|denied|blocked)\b
      ip address .{0,60}\b(?:not (?:allowed|permitted|authorized|whitelisted|in|on)|isn't)\b`,
  },
  {
    name: 'password-rules',
    class: 'invalid_input',
    pattern: /password.{0,60}(?:does not (?:meet|satisfy|comply)|too (?:weak|short|common)|polic)/,
  },
  {
    name: 'site-rules',
    class: 'blocked_by_policy',
    pattern: anyOf`
      \b${STOPPED}\b.{0,50}\b${HOUSE_RULES}
      \b${HOUSE_RULES}\b.{0,60}\b${STOPPED}\b
      (?:content|usage|security|safety|egress|network) polic(?:y|ies) (?:violation|block|den)|policy violation
      content filter|content management policy|responsible ai polic
      \bviolation: .{0,120}allow-?list|constraints? .{1,100} violated|violates \S+ (?:polic|rule)
      \bnot (?:\w+ )?(?:in|on|part of) (?:the |your |an? )?(?:\w+ )?(?:allow-? ?list|whitelist|(?:allowed|approved|permitted) (?:\w+ )?(?:list|hosts|domains|paths|director|tools|commands)|list of (?:allowed|approved))
      (?:is|are) on the (?:deny|block)-? ?list|restrictions in effect|contact your (?:system |it )?administrator
      outside (?:of )?(?:the |your |its |any )?(?:allowed|permitted|workspace|sandbox|project|working|root)\b(?! (?:\w+ ){0,2}(?:range|values?|limits?|window|hours|length|interval|retention|bounds))
      outside (?:of )?(?:the |your |its |any )?(?:folders?|director(?:y|ies)|paths?|roots?) (?:that |which )?(?:is|are|may|can|of)\b
      \b(?:this|the|an?) (?:agent|session|workspace|run|task|helper) (?:may|can) (?:only )?(?:not )?(?:call|reach|use|read|write|run|send|open)\b|\b(?:command|tool|action|call) (?:may|must) not (?:run|be (?:run|called|used))\b
      \bnot (?:allowed|permitted) by (?:\S+ ){1,4}rules?\b|\bneeds? an? (?:\w+ )?rule\b|\b(?:secrets?|malware|virus(?:es)?) (?:was |were )?detected\b
      escapes? (?:from )?(?:the |its )?(?:workspace|sandbox|root|project|base|working)|path traversal
      \b(?:forbids|prohibits|disallows)\b|\b(?:workspace|session|profile|mode|environment|settings?|configuration|level) (?:does not|doesn't|do not|don't) (?:allow|permit)\b
      not (?:be )?(?:allowed|permitted|available|enabled) (?:by|in|under|from|within) (?:the |this |your )?(?:current |active )?(?:permissions?|mode|environment|settings|configuration|session|sandbox|organi[sz]ation|rules?)\b
      \b(?:commands?|tools?|actions?|functions?|shell|writes?|writing|access|network)\b.{0,40}\b(?:switched|turned) off\b
      refus(?:ed|es|ing) to (?:run|execute|perform)\b
      (?:response|request|prompt|output|content|input|message|image|call|command|action|operation|(?:web ?)?site|page|url|upload) (?:was |is |has been |were )?(?:blocked|filtered|flagged|moderated)
      flagged (?:as|for|by)\b|inappropriate content|sensitive (?:words?|content|information) (?:\w+ )?(?:detected|found)|data inspection failed
      access (?:is |was |has been )?(?:disabled|off)\b.{0,30}read-only|(?:permitted|allowed) in read-only
      not (?:within|under|inside) (?:the |any )?(?:allowed|permitted|workspace|sandbox)
      err blocked by|explicit deny|admission webhook .{0,80}denied|hook declined|protected (?:branch|ref)|rule violations?
      disabled by (?:your |the |an? )?(?:organi[sz]ation|administrator|admin|configuration|system|owner|workspace)
      running scripts is disabled|execution policies|unavailable for legal reasons
      (?:in|under) (?:read-only|plan|restricted|safe) mode|requires? \w+ access to .{0,80}--allow-
      (?:private|internal|loopback) (?:ip |network )?address(?:es)? .{0,20}(?:not allowed|blocked|refused|forbidden)
      blocked (?:for|due to) (?:security|safety)|considered (?:unsafe|dangerous)|(?:dangerous|destructive|harmful|unsafe) (?:command|operation|action)`,
  },
  {
    name: 'stopped-on-request',
    class: 'cancelled',
    pattern: anyOf`
      \b(?:cancell?ed|aborted|stopped|interrupted) by (?:the )?(?:user|client|caller|operator|request)
      \bcancell?ed by\b
      \b(?:user|you|client|operator|caller) (?:has |have )?(?:cancell?ed|aborted|interrupted|stopped|closed (?:the )?request)
      due to user request|keyboard ?interrupt|client closed (?:request|connection)|user abort|user requested cancel
      (?:received|caught|got|on) (?:signal )?sig(?:int|term)\b
      interrupted because the client|net::err aborted`,
  },
]

/** Signs of having been stopped, read after whatever gives a reason for it. */
export const STOPPED_RULES: readonly TextRule[] = [
  {
    name: 'stopped',
    class: 'cancelled',
    pattern: anyOf`
      \b(?:operation|request|task|job|query|statement|call|build|run|upload|download|process|apply|action|execution|pipeline|workflow|transfer|command|stream|turn|deployment|plan|it) (?:execution )?(?:was |were |has been |is |got |been )?(?:cancell?ed|aborted|interrupted|stopped(?! after \d))\b
      (?:context|task|operation|request|job|query|run|build) ?cancell?ed
      code = cancell?ed|\bcancell?ed (?:error|exception)|cancellation (?:error|exception)|interrupted exception|\berror 130\b
      abort ?(?:error|err\b)|err (?:cancell?ed|aborted)|signal is aborted
      (?:^|\n)\W*(?:\w+ ){0,2}cancell?ed\W*(?:$|\n)|npm error cancell?ed|^\W*(?:error: )?(?:aborted|terminated|interrupted|stopped)\W*$|\] abort\W*$|interrupted system call
      received (?:sigint|sigterm|interrupt)|\bsigterm\b|(?:terminated|ended|stopped) by signal (?:2|15)\b|signal: terminated|\bsigint\b|signal: interrupt|\^c\b|\] interrupt$`,
  },
]

function toList(...alternatives: readonly string[]): string {
  return `(?:${alternatives.join('|')})`
}
