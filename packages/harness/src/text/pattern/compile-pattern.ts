import type { WorkBudget } from './work-budget.ts'
import type { ParsedPattern, PatternNode } from './parse-pattern.ts'
import { UnusablePattern } from './parse-pattern.ts'

/** One instruction. `fork` goes on at both places. */
type Instruction =
  | { readonly op: 'one'; readonly test: CharacterTest }
  | { readonly op: 'fork'; first: number; second: number }
  | { readonly op: 'jump'; to: number }
  | { readonly op: 'assert'; readonly kind: 'start' | 'end' | 'boundary' | 'inside' }
  | { readonly op: 'ahead'; readonly program: Program; readonly isNegated: boolean }
  | { readonly op: 'match' }

export type Program = readonly Instruction[]

type CharacterTest = (code: number, budget: WorkBudget) => boolean

/** A counted repetition is written out, so `(a{100}){100}` has ten thousand instructions. */
const MAX_INSTRUCTIONS = 20_000

/** Translates a pattern. Throws `UnusablePattern` for one that becomes too large. */
export function compilePattern({ node, flags }: ParsedPattern): Program {
  const tests = new Map<string, CharacterTest>()
  const size = { left: MAX_INSTRUCTIONS }

  function toProgram(root: PatternNode): Program {
    const program: Instruction[] = []
    const emit = <One extends Instruction>(instruction: One): One => {
      if (--size.left < 0) throw new UnusablePattern('a pattern repeats too much')
      program.push(instruction)
      return instruction
    }
    write(root, program, emit)
    emit({ op: 'match' })
    return program
  }

  function write(part: PatternNode, program: Instruction[], emit: Emit): void {
    switch (part.type) {
      case 'literal':
        emit({ op: 'one', test: (code) => code === part.code })
        return
      case 'one':
        emit({ op: 'one', test: testOf(part.source) })
        return
      case 'assert':
        emit({ op: 'assert', kind: part.kind })
        return
      case 'ahead':
        emit({ op: 'ahead', program: toProgram(part.node), isNegated: part.isNegated })
        return
      case 'sequence':
        for (const inner of part.nodes) write(inner, program, emit)
        return
      case 'choice':
        writeChoice(part.nodes, program, emit)
        return
      case 'repeat':
        writeRepeat(part, program, emit)
    }
  }

  function writeChoice(nodes: readonly PatternNode[], program: Instruction[], emit: Emit): void {
    const ends = nodes.map((inner, index) => {
      const fork =
        index < nodes.length - 1 ? emit({ op: 'fork', first: program.length + 1, second: 0 }) : undefined
      write(inner, program, emit)
      const end = emit({ op: 'jump', to: 0 })
      if (fork) fork.second = program.length
      return end
    })
    for (const end of ends) end.to = program.length
  }

  function writeRepeat(
    { node: inner, min, max }: Extract<PatternNode, { type: 'repeat' }>,
    program: Instruction[],
    emit: Emit,
  ): void {
    // Copies are counted too: an empty part has no instructions.
    const writeCopy = () => {
      size.left--
      write(inner, program, emit)
      if (size.left < 0) throw new UnusablePattern('a pattern repeats too much')
    }
    for (let copy = 0; copy < min; copy++) writeCopy()
    if (max === Infinity) {
      const start = program.length
      const fork = emit({ op: 'fork', first: start + 1, second: 0 })
      write(inner, program, emit)
      emit({ op: 'jump', to: start })
      fork.second = program.length
      return
    }
    const forks: { second: number }[] = []
    for (let copy = min; copy < max; copy++) {
      forks.push(emit({ op: 'fork', first: program.length + 1, second: 0 }))
      writeCopy()
    }
    for (const fork of forks) fork.second = program.length
  }

  function testOf(source: string): CharacterTest {
    let test = tests.get(source)
    if (!test) {
      test = createTest(source, flags)
      tests.set(source, test)
    }
    return test
  }

  return toProgram(node)
}

type Emit = <One extends Instruction>(instruction: One) => One

const ASCII = 128
/** What it costs to compile a class of characters, in steps. */
const COMPILE_STEPS = 2_000

/** Asks the engine about one character at a time, which takes constant time. Answers for ASCII are kept. */
function createTest(source: string, flags: string): CharacterTest {
  let one: RegExp | undefined
  const known = new Int8Array(ASCII)
  return (code, budget) => {
    if (code < ASCII && known[code] !== 0) return known[code] === 1
    if (!one) {
      budget.spend(COMPILE_STEPS)
      one = new RegExp(`^(?:${source})$`, flags)
    }
    budget.spend(4)
    const fits = one.test(String.fromCodePoint(code))
    if (code < ASCII) known[code] = fits ? 1 : -1
    return fits
  }
}
