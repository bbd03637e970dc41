import { describe, expect, it } from 'vitest'
import { stubTool } from '../../testing/index.ts'
import { createSurface } from './surface.ts'

describe('a surface', () => {
  it('finds a tool by its name and returns undefined for an unknown one', () => {
    const look = stubTool('look')
    const surface = createSurface([look])
    expect(surface.resolve({ tool: 'look', arguments: { a: 1 } })).toEqual({
      name: 'look',
      arguments: { a: 1 },
      tool: look,
    })
    expect(surface.resolve({ tool: 'lok', arguments: {} })).toEqual({
      name: 'lok',
      arguments: {},
      tool: undefined,
    })
    expect(surface.names()).toEqual(['look'])
  })

  it('keeps the first of two tools with one name', () => {
    const first = stubTool('look', () => 'first')
    const surface = createSurface([first, stubTool('look', () => 'second'), stubTool('find')])
    expect(surface.tools.map(({ name }) => name)).toEqual(['look', 'find'])
    expect(surface.resolve({ tool: 'look', arguments: {} }).tool).toBe(first)
  })

  it('has a unique version', () => {
    const tools = [stubTool('look')]
    expect(createSurface(tools).version).not.toBe(createSurface(tools).version)
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'has no tool named %s by accident',
    (tool) => {
      expect(createSurface([]).resolve({ tool, arguments: {} }).tool).toBeUndefined()
    },
  )
})
