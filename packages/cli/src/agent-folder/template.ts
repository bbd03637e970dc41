import { VERSION } from '@capstan/protocol'

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

const INSTRUCTIONS = `You help the people of a small workshop. Be brief and exact.

- Convert lengths with convert_length; do not calculate them yourself.
- Have a text that leaves the house read by the proofreader first.
`

const TOOL = `import { defineTool } from '@capstan/harness'
import { z } from 'zod'

const METRES = { mm: 0.001, cm: 0.01, m: 1, in: 0.0254, ft: 0.3048 }

const unit = z.enum(['mm', 'cm', 'm', 'in', 'ft'])

export default defineTool({
  name: 'convert_length',
  description: 'Converts a length from one unit to another.',
  input: z.object({ value: z.number(), from: unit, to: unit }),
  // A tool with another effect asks the person before it runs.
  effect: 'read',
  run: ({ value, from, to }) => \`\${value} \${from} = \${(value * METRES[from]) / METRES[to]} \${to}\`,
})
`

const AGENT = `---
description: Reads a text before it is sent, and lists what is wrong with it.
tools: []
---

You read texts before they are sent. List each mistake with its correction, one per line. Change nothing else.
`

const toReadme = (name: string): string => `# ${name}

An agent as a folder, on [Capstan](https://www.npmjs.com/package/capstan). It needs Node 22.18 or newer.

    npm install
    npm run dev       # the agent in a browser; starts again when a file changes
    npm run build     # checks everything, and writes plain JavaScript to dist/
    npm start         # runs dist/

| file               | holds                                                                       |
| ------------------ | --------------------------------------------------------------------------- |
| \`instructions.md\`  | what the agent is for, and how it works                                     |
| \`tools/*.ts\`       | one tool per file: \`export default defineTool({ … })\`                       |
| \`agents/*.md\`      | sub-agents it may start                                                     |
| \`connections.json\` | MCP servers: \`{"mcpServers": {"notion": {"url": "https://mcp.notion.com/mcp"}}}\` |
| \`.env\`             | the key of your model; see \`.env.example\`                                   |

TypeScript runs by removing its types: no enums, no namespaces, and imports name files with \`.ts\`. Conversations are
in \`.capstan/\`.
`

/** The files of a new agent: their paths, and what is in them. */
export const toTemplate = (name: string): Readonly<Record<string, string>> => ({
  'package.json': json({
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    scripts: {
      dev: 'capstan dev',
      build: 'capstan build',
      start: 'capstan serve --agent dist --home .capstan',
    },
    dependencies: { '@capstan/harness': `^${VERSION}`, capstan: `^${VERSION}`, zod: '^4.0.0' },
    engines: { node: '>=22.18.0' },
  }),
  'tsconfig.json': json({
    compilerOptions: {
      target: 'es2024',
      module: 'nodenext',
      strict: true,
      noEmit: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    },
    include: ['**/*.ts'],
    exclude: ['node_modules', 'dist'],
  }),
  '.gitignore': 'node_modules/\ndist/\n.capstan/\n.env\n',
  '.env.example':
    '# Copy to .env and fill in one of them. Without a key, a scripted demo model answers.\nOPENAI_API_KEY=\nANTHROPIC_API_KEY=\n',
  'instructions.md': INSTRUCTIONS,
  'tools/convert-length.ts': TOOL,
  'agents/proofreader.md': AGENT,
  'connections.json': json({ mcpServers: {} }),
  'README.md': toReadme(name),
})
