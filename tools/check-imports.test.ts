import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkTree, findWrongImports } from './check-imports.ts'

const reasons = (file: string, source: string) => findWrongImports(file, source).map(({ reason }) => reason)

describe('the import check', () => {
  it('finds nothing wrong in this repository', () => {
    expect(checkTree(dirname(import.meta.dirname))).toEqual([])
  })

  it('refuses an import of a folder further down the list', () => {
    const source = "import type { Turn } from '../engine/turn.ts'\n"
    expect(reasons('packages/harness/src/guards/a.ts', source)).toEqual([
      'packages/harness/src/guards may not import packages/harness/src/engine',
    ])
  })

  it('finds re-exports, dynamic imports and bare imports', () => {
    const file = 'packages/harness/src/turn/a.ts'
    expect(reasons(file, "export { x } from '../models/x.ts'")).toHaveLength(1)
    expect(reasons(file, "const x = await import('../models/x.ts')")).toHaveLength(1)
    expect(reasons(file, "import '../models/x.ts'")).toHaveLength(1)
  })

  it('lets a stock seam import the seams file but not another seam', () => {
    const file = 'packages/harness/src/seams/parsers/a.ts'
    expect(reasons(file, "import type { ToolSource } from '../seams.ts'")).toEqual([])
    expect(reasons(file, "import { x } from '../progress/x.ts'")).toHaveLength(1)
  })

  it('refuses an import of the harness in the web package', () => {
    expect(reasons('packages/web/src/chat/a.tsx', "import { x } from '@capstan/harness'")).toHaveLength(1)
    expect(reasons('packages/web/src/chat/a.tsx', "import { x } from '@capstan/protocol'")).toEqual([])
  })

  it('allows the testing kit only in tests', () => {
    const source = "import { says } from '../testing/index.ts'"
    expect(reasons('packages/harness/src/engine/a.ts', source)).toEqual(['only tests use the testing kit'])
    expect(reasons('packages/harness/src/engine/a.test.ts', source)).toEqual([])
  })

  it('refuses a file in no known folder', () => {
    expect(reasons('packages/harness/src/utils/a.ts', '')).toHaveLength(1)
  })
})
