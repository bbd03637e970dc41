import type { TextRule } from './text-rule.ts'
import { anyOf } from './text-rule.ts'

const TOOL_CHAIN = '(?:driver|runtime|compiler|linker|executables?|interpreter|sdk|toolchain|binary|plugin)'
const ABSENT = '(?:not found|could not find|unable to locate|cannot find|no such)'

/** A program or a library that is not on this machine. */
export const PROGRAM_RULES: readonly TextRule[] = [
  {
    name: 'own-file-missing',
    class: 'not_found',
    pattern: /cannot find module '?(?:<path>|url |\.{1,2}\/)|could not resolve "\.{1,2}\/|context not found/,
  },
  {
    name: 'program-missing',
    class: 'missing_app',
    pattern: anyOf`
      command (?:'\S+' )?not found|not recogni[sz]ed as (?:an? |the )?(?:internal|name|command|cmdlet)
      \bspawn \S+ enoent|failed to run command .{0,60}no such file|cannot exec: no such file|failed to (?:spawn|exec\w*) |failed to (?:start|run|launch) .{0,80}no such file|exec: \S+: not found|command '\S+' failed: no such file|cannot run program|no such file or directory: '[\w-]+'$
      executable (?:file )?(?:not found|doesn't exist|does not exist)|executable '?\S+'? not found
      (?:^|\n)\S*\bsh: (?:\d+: )?\S+: not found|(?:^|\n)\S+: (?:line )?\d+: \S+: not found
      (?:^|\n)\S*\b(?:env|make|sudo|nohup|exec|xargs|time|start|strace|watch|nice): .{0,40}no such file or directory
      cannot execute: required file|bad interpreter|active developer path
      unable to (?:find|locate|obtain) (?:the )?(?:application|program|executable|binary|driver)
      application .{0,40}(?:not found|isn't installed|not installed|can't be found|cannot be found)
      \bnot (?:currently |yet )?installed\b|isn't installed|is \S+ installed|was not found; .{0,40}install
      (?:is not|not found|found) (?:available )?(?:in|on) (?:your |the )?\$?path\b|\bin [$%]path\b|\bin path\?
      could not find (?:an?y? )?(?:\S+ )?(?:executable|interpreter|binary|browser|chrome|compiler|installation)
      please install|[.;:] install \S+|(?:package|module|library|dependency) is required|npx playwright install|make sure (?:\S+ )?(?:is|has been) installed|did not perform an installation
      needs? to be installed|must (?:first )?be installed|(?:install|download) it (?:with|using|from|first|via)
      can be installed with|you may need to install
      no such (?:application|program|command)\b|couldn't find program|could not locate (?:the )?program`,
  },
  {
    name: 'library-missing',
    class: 'missing_app',
    pattern: anyOf`
      module not found|no module named|cannot find (?:module|package) '
      (?:can't|cannot|could not) (?:find|load|locate|resolve) (?:the )?(?:module|package|library|gem|crate|class|main class|shared librar)
      cannot open shared object file|error while loading shared libraries|library not (?:loaded|found)
      dll (?:was )?not found|dll load failed|class not found|no class def found|class "\S+" not found
      import ?error|cannot load such file|no package (?:named|called)|can't locate \S+ in @inc|can't find crate|unresolved import
      fatal error: \S+\.h|extension "?\S+"? is not available|could not open extension
      ld: (?:library|cannot find)|undefined symbol|cannot find -l
      missing (?:dependency|dependencies|peer dependency|package|module|binary|executable)
      package \S+ is not in (?:std|goroot)|no required module provides`,
  },
  {
    name: 'tool-chain-missing',
    class: 'missing_app',
    pattern: anyOf`
      \b${TOOL_CHAIN}\b.{0,40}${ABSENT}
      ${ABSENT} (?:\S+ ){0,4}${TOOL_CHAIN}\b
      which: no \S+ in`,
  },
]

/** Words of a program's own checks: what they compare is no reason. Read before everything else. */
export const CHECK_RULES: readonly TextRule[] = [
  {
    name: 'check-failed',
    class: 'unknown',
    pattern: /\bassertion error\b.{0,40}expected\b|\bgoroutines are asleep\b/,
  },
]

/**
 * Faults of the program itself, and of the machine below it. They have no class of their own, and their words
 * ("invalid memory address", "index out of range") must not pass for a reason.
 */
export const FAULT_RULES: readonly TextRule[] = [
  {
    name: 'fault-in-code',
    class: 'unknown',
    pattern: anyOf`
      (?:index|slice bounds|subscript|range check).{0,20}out of (?:range|bounds)|out of bounds exception|outside the bounds|out of range exception
      null pointer|nil pointer|null reference|reference not set|on (?:a )?null\b|for nil\b|found nil|undefined value|uninitiali[sz]ed
      \bkey error(?:: |$|\n)|attribute error|name error|unbound local error|reference error|is not a function\b|cannot (?:read|destructure) propert|undefined is not
      zero division|division by (?:zero|0)|divide by zero|\/ by zero|assertion (?:error|failed)|assertion '.{0,80}' failed|class cast|invalid cast|unable to cast object|stop iteration|unsupported operand|no such element exception(?!: no such)|contains no elements|values to unpack
      assignment to (?:entry in nil map|constant)|(?:send on|close of) closed channel|interface conversion|concurrent map|concurrent modification exception|refcell already|no match of right hand
      segmentation (?:fault|violation)|sigsegv|sigabrt|core dumped|panicked at[^\n]{0,200}\n(?!.{0,120}(?:'err' value|\bkind: )|not (?:yet )?implemented)|stack smashing|illegal instruction|bus error|double free|invalid pointer|protected memory|access violation|addresssanitizer|\baborted {2,}
      no space left|enospc|disk (?:is )?full`,
  },
]
