import { toCall, toReply } from '../script.ts'
import type { CallArguments, Script, ScriptedReply, WriteLateCall } from '../script.ts'
import type { BenchTool } from '../subject.ts'
import { answerOf } from '../answers.ts'

export const SCENARIOS = ['P1', 'P2'] as const

/** P1: five turns without changes. P2: the same, and a tool is added after the second turn. */
export type ScenarioName = (typeof SCENARIOS)[number]

export const TURNS = 5
/** In P2 the late tool exists from this turn on and is called in it. */
export const LATE_TOOL_TURN = 2

export const PREFIX_INSTRUCTIONS = [
  'You are the assistant of a small library. People ask you for entries of its registers.',
  'Read an entry with the tool of its register before you say anything about it, and never guess one.',
  'When an entry is missing, say so, and name the register in which you looked.',
  'Answer in one or two plain sentences, in the language of the question, without markup.',
  'If a register that somebody asks for is not among your tools, say that it is not connected yet.',
].join('\n')

const REGISTERS = ['books', 'readers', 'loans', 'shelves', 'journals', 'maps'] as const
const LATE_REGISTER = 'notes'

export function toRegisterTools(executed: number[]): readonly BenchTool[] {
  return REGISTERS.map((register) => toRegisterTool(register, executed))
}

export function toLateTool(executed: number[]): BenchTool {
  return toRegisterTool(LATE_REGISTER, executed)
}

function toRegisterTool(register: string, executed: number[]): BenchTool {
  return {
    name: `read_${register}`,
    description:
      `Reads one entry of the register of ${register} by its number and answers with the line that is written ` +
      'there. Entries are counted from zero in the order in which they were made; a number beyond the last is an error.',
    run({ i }) {
      executed.push(i)
      return answerOf(i)
    },
  }
}

/** Each turn reads one entry, then answers. */
export function toPrefixScript(scenario: ScenarioName, writeLateCall: WriteLateCall): Script {
  const replies: ScriptedReply[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const args: CallArguments = { i: turn }
    const written =
      scenario === 'P2' && turn === LATE_TOOL_TURN
        ? writeLateCall(`read_${LATE_REGISTER}`, args)
        : { tool: `read_${REGISTERS[turn % REGISTERS.length]}`, args }
    replies.push(toReply([], [toCall(turn, written.tool, written.args)]), toReply([finalTextOf(turn)]))
  }
  return {
    replies,
    finalText: finalTextOf(TURNS - 1),
    lookups: Array.from({ length: TURNS }, (_, turn) => turn),
  }
}

export function questionOf(turn: number): string {
  return `What does entry ${turn} say, please? I would like to quote it.`
}

function finalTextOf(turn: number): string {
  return `Entry ${turn} holds the value ${turn * 7}, as its register says.`
}
