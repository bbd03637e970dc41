import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

const WAITED_FOR = [
  '(?:connect|connection|read|request|network|gateway|statement|query|socket|handshake|response|write|idle|execution|operation|server',
  'lookup|navigation|job|task|command|lambda|function|upstream|headers?|page|script|body|client\\.?)',
].join('|')

/** It took too long. */
export const TIMEOUT_RULES: readonly TextRule[] = [
  {
    name: 'timed-out',
    class: 'timeout',
    pattern: anyOf`
      \btimed[- ]?out\b|time-?out ?(?:error|exception|expired)|timeout:|error: timeout|^\W*time-?out\W*$
      \btime[- ]?out(?: |-)?(?:error|exceeded|expired|reached|occurred|waiting|while|during|after|of|reading|was reached|awaiting|period|connecting)
      ${WAITED_FOR}[- ]?time-?out
      time-?out\b.{0,30}(?:exceeded|ms|seconds?|elapsed)
      (?:due to|because of|hit|reached|exceeded|aborted by) (?:a |the |\w+ )?time-?out
      \betimedout|esockettimedout|err (?:connection )?timed out
      deadline[ -]?(?:exceeded|expired|has)|deadline.{0,20}(?:exceeded|elapsed|passed)
      maximum (?:statement )?execution time|time ?limit (?:exceeded|reached)|execution expired|exceeded time limit|took longer than
      (?:stopped|killed|terminated|aborted|given up) after \d+(?:\.\d+)? ?(?:ms|m?secs?|s|seconds?|min|minutes?)\b
      did not (?:respond|finish|complete|become|reply|answer|return) (?:\w+ ){0,4}(?:in time|within|after)
      no response (?:\w+ ){0,3}(?:within|after|in time)|not respond(?:ing)? (?:in time|within)|gave up (?:waiting )?after
      (?:exceeded|over) (?:the )?(?:maximum |allowed |allotted )?(?:time|duration|runtime)|\bstalled`,
  },
]

/** The service is unreachable or unavailable. */
export const REACH_RULES: readonly TextRule[] = [
  {
    name: 'model-missing',
    class: 'model_unreachable',
    pattern: anyOf`
      model not found|unknown model|no such model|invalid model|models\/\S+ is not found|model identifier is invalid|not a valid model
      \bmodel\b(?!\.).{0,80}(?:not (?:be )?found|does not exist|not available|unavailable|is not supported|deprecated|retired|decommissioned|no longer|overloaded|loading|not (?:been )?loaded|at capacity|is busy|failed to load|offline)
      no (?:healthy|available|allowed) (?:upstream|deployment|provider|endpoint)s? .{0,40}model
      (?:llm|inference|model|ai) (?:provider|request|endpoint|server|service|backend|call) .{0,40}(?:failed|error|unavailable|unreachable|not responding|down|offline)
      inference (?:failed|error)|could not reach (?:the )?(?:ai |language )?model|overloaded error|engine is (?:currently )?overloaded
      ollama .{0,60}(?:not running|refused|unreachable|not reachable|failed)`,
  },
  {
    name: 'unreachable',
    class: 'service_unavailable',
    pattern: anyOf`
      econnrefused|econnreset|econnaborted|\benotfound|eai again|ehostunreach|enetunreach|ehostdown|enetdown|epipe|und err socket
      connection(?: to \S+){0,3} (?:was |has been |is |been |attempt )?(?:\w+ )?(?:refused|reset|closed|aborted|failed|lost|dropped|error|terminated|broken|interrupted|forcibly|unexpectedly|could not|cannot|denied)
      connection ?(?:refused|reset|error|aborted|closed|failure|lost)|connect(?:ion)? exception|remote ?disconnected
      connection to .{1,120}(?:failed|refused|lost|closed|could not)|actively refused|did you specify the right host
      (?:failed|unable|could not|couldn't|cannot|can't|error|not able|failure)(?: to|) (?:connect|reach|resolve(?! to| dependenc)|contact|establish|open (?:a )?(?:\w+ )?(?:connection|socket)|communicate|access the (?:server|network))
      (?:error|trouble|problem|failure) (?:while |when )?(?:connecting|contacting|reaching|communicating|dialing)
      (?:can't|cannot|couldn't|could not) be (?:resolved|reached)|(?<!could )not resolve(?! to)
      name or service|name resolution|nodename nor servname|unknown ?host|no such host|\bdns (?:error|lookup|resolution|failure|server|problem|name)|origin dns|nxdomain|servfail|getaddrinfo
      couldn't get address|dial (?:tcp|udp|unix)\b(?!.{0,80}timeout)|err (?:name not resolved|(?:connection|internet|network|address|proxy|ssl|empty|tunnel|http2)\b)|net::err|no route to host
      (?:network|host|server|destination|service|site|backend|upstream|target|node|endpoint) (?:is |was |are )?(?:currently |temporarily )?(?:unreachable|down|offline|not reachable|unavailable|not available|not responding|overloaded|busy)
      socket (?:hang ?up|closed|error)|other side closed|broken pipe|empty reply|empty response from|transfer closed
      server (?:closed|disconnected|dropped|terminated|returned nothing|is down|hung up|crashed|exited)
      closed (?:the )?connection|premature(?:ly)? (?:close|end)|unexpected (?:eof(?! while looking)|disconnect|end of stream|server)|eof occurred|early eof
      remote end (?:closed|hung up)|hung up unexpectedly|lost connection|gone away
      service ?(?:temporarily )?(?:is )?(?:currently )?(?:unavailable|not available|down|disruption)|service failure
      temporar(?:y|ily) (?:unavailable|failure|down|out of|error|overloaded|closed|disabled|unable|server)
      currently unavailable|unavailable\b.{0,30}(?:try|later|maintenance)|code = unavailable|(?:^|\n)unavailable(?:\n|$)
      (?:under|for|scheduled|undergoing|planned) maintenance|maintenance (?:mode|downtime|window)|in recovery mode
      over capacity|at capacity|overloaded|(?:sufficient|enough) capacity|insufficient (?:\w+ )?(?:capacity|memory|cpu)\b
      technical difficult|internal (?:server )?(?:error|failure)|(?<!mongo )server error|server had an error|backend ?error|had issues producing
      bad gateway|gateway error|upstream (?:error|connect|server|service|request|provider|host|unavailable|returned|sent|prematurely)|web server is down|origin (?:is )?(?:unreachable|error)|proxy error
      (?:ssl|tls)(?:\/tls)? (?:handshake|connection|error|connect|alert|protocol|routines)
      handshake (?:failed|failure|exception)|wrong version number
      fetch failed|failed to fetch|network ?(?:error|failure|problem|issue|is unreachable|changed|request failed|connection)
      max retries exceeded|too many (?:connections|clients|open connections|redirects)|remaining connection slots
      starting up|shutting down|not (?:yet )?accepting connections|server selection|clusterdown|loading (?:the )?dataset
      is the (?:server|docker|docker daemon|service|database) running|not running\b
      (?:daemon|server|service|broker|agent|database|engine) (?:is |was )?(?:not |n't )(?:yet )?(?:started|ready|reachable|responding|available|up)
      no (?:available |healthy )?(?:servers?|backends?|nodes?|brokers?|hosts?|upstreams?|primary)\b.{0,20}(?:available|found|ready|reachable|healthy)
      no internet|\boffline\b|process (?:exited|crashed|died) (?:unexpectedly|before)
      mcp (?:server|error).{0,60}(?:closed|disconnected|failed to start|exited)|transport (?:closed|error)
      stream (?:closed|ended|disconnected|error)|error: terminated|failed to start|could not be started
      an error occurred while processing your request`,
  },
]

/** Vague texts without another reason. */
export const FAINT_REACH_RULES: readonly TextRule[] = [
  {
    name: 'asks-to-retry',
    class: 'service_unavailable',
    pattern: anyOf`
      not ready|try again later|please retry|could not read from remote|\bsystem (?:is )?(?:error|busy)\b`,
  },
]
