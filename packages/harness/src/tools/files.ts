import type { Tool } from '../turn/tool/tool.ts'
import { createEditFileTool } from './files/edit-file.ts'
import { createListFilesTool } from './files/list-files.ts'
import { createReadFileTool } from './files/read-file.ts'
import { createRoots } from './files/roots.ts'
import { createSearchFilesTool } from './files/search-files.ts'
import { createWriteFileTool } from './files/write-file.ts'

/** Options for the file tools. */
export interface FileToolOptions {
  /** The folders that may be used, with all below them. Relative paths begin in the first. */
  readonly roots: readonly string[]
  /** `.env` files and their kin may be read and written too. */
  readonly allowSecretFiles?: boolean
}

/** Reads, lists, searches, writes and edits files inside the roots. Nothing else on this machine is reached. */
export function createFileTools({ roots, allowSecretFiles = false }: FileToolOptions): readonly Tool[] {
  const rules = { roots: createRoots(roots), allowSecretFiles }
  return [
    createReadFileTool(rules),
    createListFilesTool(rules),
    createSearchFilesTool(rules),
    createWriteFileTool(rules),
    createEditFileTool(rules),
  ]
}
