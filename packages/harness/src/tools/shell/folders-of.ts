import { resolve } from 'node:path'
import type { SimpleCommand } from './command-line.ts'

const MOVES = new Set(['cd', 'pushd', 'popd', 'chdir'])
const MAX_FOLDERS = 16

/** Whether a command changes the folder of those after it. */
export const isMove = ({ words: [program] }: SimpleCommand): boolean => MOVES.has(program?.text ?? '')

/**
 * The folders that the commands of a line may run in, the first being where the line begins. Undefined when they cannot
 * be known: `cd` alone goes home, `cd -` goes back, and after a change of folder, dots lead elsewhere than they seem to
 * from here. Pure.
 */
export function foldersOf(commands: readonly SimpleCommand[], folder: string): readonly string[] | undefined {
  let folders: readonly string[] = [folder]
  const moves = commands.filter(isMove)
  for (const { words } of moves) {
    const target = words.slice(1).find(({ text }) => !/^-[LPe@]+$|^--$/.test(text))
    if (words[0]!.text === 'popd' && !target) continue
    if (!target || target.isDynamic || target.hasGlob || /^[-~+]|^$/.test(target.text)) return undefined
    if (target.text.split('/').includes('..')) return undefined
    folders = [...new Set([...folders, ...folders.map((from) => resolve(from, target.text))])]
    if (folders.length > MAX_FOLDERS) return undefined
  }
  return folders
}
