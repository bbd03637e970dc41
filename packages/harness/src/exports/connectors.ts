// What a connector is, and what connectors are made of.
export { bySlug, toSlug } from '../integrations/directory/toolkit-slug.ts'
export type {
  Action,
  ActionCall,
  CallerOfAction,
  ConnectionState,
  Connector,
  SignIn,
  SignInCallback,
  SignInStep,
} from '../ports/connector.ts'
export { NotTold } from '../ports/app-watch.ts'
export type { AppChange, AppWatch } from '../ports/app-watch.ts'
export type { RequestTrace, RequestTracer, TracedRequest } from '../ports/request-tracer.ts'
export { cutText } from '../text/cut-text.ts'
export { readRetryAfter } from '../text/retry-after.ts'
export { sanitizeLine, sanitizeText } from '../text/untrusted-text.ts'
export { checkArguments } from '../tool-path/check-arguments.ts'
export type { CheckedArguments } from '../tool-path/check-arguments.ts'
export { findSchemaProblem } from '../tool-path/third-party/prepare-schema.ts'
export { toOutcome, toThrownOutcome } from '../tool-path/to-outcome.ts'
export { isPublicAddress } from '../tools/web/is-public-address.ts'
export { canonicalJson } from '../turn/digest.ts'
export { toErrorText } from '../turn/error-message.ts'
export { isRecord } from '../turn/json.ts'
export { networkFaultOf } from '../turn/network-fault.ts'
export type { NetworkFault } from '../turn/network-fault.ts'
export { toJsonSchema } from '../turn/tool/tool.ts'
