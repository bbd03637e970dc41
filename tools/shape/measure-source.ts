import { parseSync, visitorKeys } from 'oxc-parser'

/** One function of a source file. Its lines include the functions inside it, which are also listed themselves. */
export interface FunctionShape {
  readonly name: string
  readonly file: string
  readonly line: number
  readonly lines: number
}

/** One source file: how long it is, and every function in it. */
export interface FileShape {
  readonly file: string
  readonly lines: number
  readonly functions: readonly FunctionShape[]
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** Measures one file of TypeScript or TSX. Throws when the file does not parse. */
export function measureSource(file: string, source: string): FileShape {
  const { program, errors } = parseSync(file, source)
  const [error] = errors
  if (error) throw new Error(`${file} does not parse: ${error.message}`)
  const lineAt = createLineIndex(source)
  const functions: FunctionShape[] = []
  collectFunctions(program as unknown as Node, undefined, (node, name) => {
    const line = lineAt(node.start)
    functions.push({ name, file, line, lines: lineAt(node.end) - line + 1 })
  })
  return { file, lines: countLines(source), functions }
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

type Found = (node: Node, name: string) => void

/** Walks a syntax tree. `name` is what the nearest declaration above calls the value of this node. */
function collectFunctions(node: Node, name: string | undefined, found: Found, owner?: string): void {
  const isFunction = FUNCTIONS.has(node.type)
  if (isFunction && node['body']) found(node, nameOf(node['id']) ?? name ?? 'anonymous')
  const className = node.type === 'ClassBody' ? name : isFunction ? undefined : owner
  for (const field of visitorKeys[node.type] ?? []) {
    for (const child of childrenOf(node[field])) {
      collectFunctions(child, nameOfChild(node, field, name, className), found, className)
    }
  }
}

/** What to call a function that stands in `field` of `node`. */
function nameOfChild(
  node: Node,
  field: string,
  name: string | undefined,
  className: string | undefined,
): string | undefined {
  switch (node.type) {
    case 'VariableDeclarator':
      return field === 'init' ? nameOf(node['id']) : undefined
    case 'AssignmentExpression':
      return field === 'right' ? nameOf(node['left']) : undefined
    case 'Property':
      return field === 'value' ? nameOf(node['key']) : undefined
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return field === 'value' ? joinNames(className, nameOf(node['key'])) : undefined
    case 'ClassDeclaration':
    case 'ClassExpression':
      return nameOf(node['id']) ?? name
    case 'JSXAttribute':
      return nameOf(node['name'])
    case 'CallExpression':
      // `const Row = memo(function …)` keeps the name of the variable; other arguments are named after the callee.
      return field === 'arguments' ? (name ?? `${nameOf(node['callee']) ?? 'call'} callback`) : undefined
    default:
      return PASSES_NAME.has(node.type) ? name : undefined
  }
}

/** Nodes that only wrap a value, so the value keeps the name. */
const PASSES_NAME: ReadonlySet<string> = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'ConditionalExpression',
  'LogicalExpression',
])

const joinNames = (owner: string | undefined, name: string | undefined): string | undefined =>
  owner !== undefined && name !== undefined ? `${owner}.${name}` : name

function nameOf(value: unknown): string | undefined {
  if (!isNode(value)) return undefined
  if (value.type === 'PrivateIdentifier') return `#${String(value['name'])}`
  if (typeof value['name'] === 'string') return value['name']
  if (value.type === 'Literal') return String(value['value'])
  if (value.type === 'MemberExpression') return nameOf(value['property'])
  return undefined
}

function childrenOf(value: unknown): readonly Node[] {
  if (Array.isArray(value)) return value.filter(isNode)
  return isNode(value) ? [value] : []
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Answers the line of an offset, counted from 1. */
function createLineIndex(source: string): (offset: number) => number {
  const starts = [0]
  for (let at = source.indexOf('\n'); at !== -1; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

/** As `wc -l` counts, and a last line without its end counts too. */
function countLines(source: string): number {
  const ends = source.split('\n').length - 1
  return source === '' || source.endsWith('\n') ? ends : ends + 1
}
