import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

/** It clashes with what is there. */
export const CONFLICT_RULES: readonly TextRule[] = [
  {
    name: 'concurrent-change',
    class: 'conflict',
    pattern: anyOf`
      could not serialize|serialization failure|deadlock|write ?conflict|failed precondition
      concurrent (?:update|modification|delete|change|edit)|optimistic lock
      (?:object|record|resource|document|file|page|row|entity|branch) (?:has been|was) (?:modified|changed|updated|edited)\b
      (?:changed|modified|edited|locked|held|claimed) by (?:someone else|another)
      (?:e ?tag|version) (?:mismatch|conflict)|(?:e ?tag|version|revision|sha|resource ?version) (?:does not|doesn't|did not) match
      stale (?:object|version|revision|data|element|state)|is out of date\b
      precondition ?failed|conditional (?:check|request) ?failed|lock timeout
      (?:database|table|file|resource|state|account|record|row)s? (?:is |are |was )?(?:already )?locked
      acquiring the (?:state )?lock|(?:could not|unable to|failed to) (?:get|acquire|obtain) (?:the )?(?:\w+ ){0,2}(?:lock|exclusive)
      unable to (?:lock|create '.{0,80}\.lock)|\.lock'?: file exists
      resource busy|\bebusy\b|text file busy|etxtbsy|being (?:used|accessed) by|in use by|held by process
      another (?:\w+ )?(?:process|operation|instance|deployment|transaction|update|job|run) (?:\w+ )?(?:is|seems|has|currently|already)
      transaction (?:is |was |has been )?aborted|already (?:in progress|running|being|started|locked|processing)
      (?:update|operation|deployment|change|build|job|rebase|merge) (?:is |already )?in progress`,
  },
  {
    name: 'already-there',
    class: 'conflict',
    pattern: anyOf`
      \balready[ -]?(?:exists?|in use|taken|used|registered|assigned|a member|subscribed|merged|closed|open|present|booked|archived|invited|connected to|associated|published|submitted|in (?:the )?channel|starred|initialized|installed|allocated)
      depend on it|dependent objects|version solving failed|already own\b
      already been (?:taken|used|created|merged|closed|sent|paid|refunded|processed|deleted)|already owned
      duplicate ?(?:key|entry|value|record|name|object|resource|request|column|submission)
      \bduplicated?\b.{0,30}(?:found|exists|not allowed|detected)
      e11000|unique ?(?:constraint|violation|index)|must be unique|not unique
      file exists|cannot overwrite|refusing to overwrite|eexist|enotempty|directory (?:is )?not empty|not empty\b
      name taken|(?:is|name|username|email|slug|domain) (?:already )?taken
      eaddrinuse|address already in use|port .{0,30}(?:in use|allocated)
      idempoten|overlap(?:s|ping)|double[- ]book|slot is (?:no longer|not) available
      foreign key constraint|violates foreign key|constraint failed: (?:foreign|unique)|referenced by|still (?:in use|referenced|has)
      \b(?:is|been|was) archived\b|select a version|resolve your current
      bucket name is not available|cannot be (?:deleted|removed) (?:because|while|as)|has (?:dependents|dependenc)|cannot (?:remove|delete|stop|rename) an? (?:running|active|open)|\bis using (?:its|the|this)\b
      because it has a status|has a status of|not be (?:updated|changed|modified|cancelled) (?:because|once|after|while)`,
  },
  {
    name: 'history-diverged',
    class: 'conflict',
    pattern: anyOf`
      merge conflict|conflict \(|\bconflicts? (?:in|with|between|detected|occurred|found|error|exception)|conflicting|\(conflict\)|\bconflict[.:,]
      non-fast-forward|\(fetch first\)|updates were rejected|would be overwritten|unmerged|not fully merged|could not apply
      not possible to fast-forward|not a fast[- ]forward|diverge|unrelated histories|uncommitted changes|local changes
      cannot lock ref|needs merge|not mergeable|cannot be merged|patch does not apply|cannot be applied
      eresolve|(?:dependency|version) conflict|cannot install .{0,80}conflict|incompatible (?:with|versions?|peer)
      resolution ?impossible|unable to resolve dependency
      not in an? (?:\w+ )?state\b|(?:invalid|illegal|unexpected|wrong|incorrect) (?:\w+ )?(?:state|status)(?! exception)(?: transition)?
      in (?:its|the) current (?:state|status)|current (?:state|status) .{0,40}(?:does not|doesn't) (?:support|allow|permit)|state (?:conflict|mismatch)`,
  },
]

/** It cannot be done this way here. */
export const UNSUPPORTED_RULES: readonly TextRule[] = [
  {
    name: 'not-supported',
    class: 'unsupported',
    pattern: anyOf`
      \b(?:not|isn't|no longer|never)(?: \w+){0,2}[ -](?:yet )?support(?:ed|s)?\b|n't (?:\w+ )?support|\bnot (?:\w+ )?support\b
      un-?support(?:ed|able)|no ?support|not ?(?:yet )?implemented|unimplemented
      (?<!payment |shipping |delivery |billing |contact )\bmethod (?:\S+ )?not (?:allowed|found|supported|available)|method (?:is )?deprecated
      unknown (?:tool|method|function|operation|action|command|subcommand|encoder|decoder|codec|driver|protocol|scheme|operator)
      no such (?:tool|method|function|operation)\b|no matches for kind|no matching manifest for|has no (?:method|command|tool)
      is not a (?:\w+ )?(?:command|supported)\b
      (?:feature|function|functionality|operation|capability|command|endpoint|api|option|preview|version|tool|action) (?:is |was |has been )?(?:currently )?(?:not available|unavailable\b|disabled|deprecated|removed|discontinued|not enabled|not offered|no longer available)
      deprecat(?:ed|ion)|sunset
      cannot execute binary|exec format error|wrong architecture|bad ?platform|ebad ?engine
      requires (?:node|python|a newer|a different|version|at least version|macos|windows|linux|go|java|ruby|php|rustc)|requires-python
      incompatible (?:architecture|platform|os)
      only (?:supported|available|works|runs|possible|allowed|install) (?:on|in|for|with|by|within)|only supports
      not (?:available|possible|applicable) (?:on|in|for|with) (?:this|your|the)
      (?:must|can only|needs to) be (?:run|used|called|executed|done) (?:in|from|inside|on|within)
      cannot be used (?:with|in|on)|cannot (?:run|be run|be executed) (?:inside|in|within)|can't operate|enosys|eopnotsupp|enotsup|operation not applicable|no endpoints found that support
      does(?: not|n't) (?:allow|accept|provide|offer|implement|have) (?:an? )?(?:\w+ )?(?:function|tool|image|audio|video|streaming|vision|method|feature|inputs?\b)
      generation \d+ of sub-agents|cross-device link|exdev
      not a (?:tty|terminal)|inappropriate ioctl|no display|cannot open display|externally[- ]managed`,
  },
]
