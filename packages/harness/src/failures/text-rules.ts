import { ACCOUNT_RULES, PERMISSION_RULES, REFUSED_SIGN_IN_RULES, ROOT_RULES } from './rules/accounts.ts'
import { CODE_RULES, FAINT_CODE_RULES } from './rules/codes.ts'
import { DAMAGE_RULES } from './rules/damage.ts'
import { DECISION_RULES, STOPPED_RULES } from './rules/decisions.ts'
import { COURSE_RULES, DOMAIN_RULES } from './rules/domain.ts'
import { LIMIT_RULES } from './rules/limits.ts'
import { LOOSE_RULES } from './rules/loose.ts'
import { FAINT_REACH_RULES, REACH_RULES, TIMEOUT_RULES } from './rules/network.ts'
import { CHECK_RULES, FAULT_RULES, PROGRAM_RULES } from './rules/programs.ts'
import { COMPILER_RULES, INPUT_RULES, NOT_FOUND_RULES } from './rules/requests.ts'
import { CONFLICT_RULES, UNSUPPORTED_RULES } from './rules/state.ts'
import type { TextRule } from './rules/text-rule.ts'

/** Reasons so particular that they overrule a status code beside them. The first that matches wins. */
export const PARTICULAR_RULES: readonly TextRule[] = [
  ...CHECK_RULES,
  ...DECISION_RULES,
  ...DOMAIN_RULES,
  ...LIMIT_RULES,
  ...ACCOUNT_RULES,
]

/** Reasons that hold when no status code says otherwise. The first that matches wins. */
export const GENERAL_RULES: readonly TextRule[] = [
  ...PROGRAM_RULES,
  ...FAULT_RULES,
  ...DAMAGE_RULES,
  ...CODE_RULES,
  ...ROOT_RULES,
  ...CONFLICT_RULES,
  ...TIMEOUT_RULES,
  ...PERMISSION_RULES,
  ...REFUSED_SIGN_IN_RULES,
  ...REACH_RULES,
  ...STOPPED_RULES,
  ...COMPILER_RULES,
  ...UNSUPPORTED_RULES,
  ...NOT_FOUND_RULES,
  ...INPUT_RULES,
  ...FAINT_REACH_RULES,
  ...FAINT_CODE_RULES,
  ...LOOSE_RULES,
  ...COURSE_RULES,
]
