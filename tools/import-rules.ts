/** One folder and what it may import, as listed in docs/architecture.md. Longer paths are matched first. */
export interface Folder {
  readonly path: string
  readonly imports: readonly string[]
}

const HARNESS = 'packages/harness/src'
const harness = (...folders: string[]): string[] =>
  ['text', ...folders].map((folder) => `${HARNESS}/${folder}`)
const SEAMS = harness('seams/seams.ts')
const STOCK_SEAMS = ['tool-sources', 'progress', 'checkpoints', 'parsers']

/** The rules. A folder may always import itself. Packages are imported by name, folders by relative path. */
export const FOLDERS: readonly Folder[] = [
  { path: 'packages/protocol/src', imports: [] },
  { path: `${HARNESS}/text`, imports: [] },
  { path: `${HARNESS}/turn`, imports: ['@capstan/protocol', ...harness()] },
  { path: `${HARNESS}/ports`, imports: ['@capstan/protocol', ...harness('turn')] },
  { path: `${HARNESS}/models`, imports: ['@capstan/protocol', ...harness('turn')] },
  { path: `${HARNESS}/failures`, imports: ['@capstan/protocol', ...harness('turn')] },
  { path: `${HARNESS}/guards`, imports: ['@capstan/protocol', ...harness('turn')] },
  { path: `${HARNESS}/data-flow`, imports: ['@capstan/protocol', ...harness('turn')] },
  { path: `${HARNESS}/documents`, imports: harness('turn') },
  { path: `${HARNESS}/context`, imports: ['@capstan/protocol', ...harness('turn', 'documents', 'models')] },
  { path: `${HARNESS}/seams/seams.ts`, imports: ['@capstan/protocol', ...harness('turn')] },
  ...STOCK_SEAMS.map((seam) => ({
    path: `${HARNESS}/seams/${seam}`,
    imports: ['@capstan/protocol', ...SEAMS, ...harness('turn', 'ports', 'models', 'context')],
  })),
  {
    path: `${HARNESS}/tool-path`,
    imports: [
      '@capstan/protocol',
      ...SEAMS,
      ...harness('turn', 'ports', 'documents', 'failures', 'data-flow'),
    ],
  },
  {
    path: `${HARNESS}/engine`,
    imports: [
      '@capstan/protocol',
      ...SEAMS,
      ...harness('turn', 'models', 'failures', 'guards', 'context', 'tool-path'),
    ],
  },
  {
    path: `${HARNESS}/integrations`,
    imports: [
      '@capstan/protocol',
      ...SEAMS,
      ...harness('turn', 'ports', 'context', 'agents', 'seams/tool-sources'),
    ],
  },
  {
    path: `${HARNESS}/ledger`,
    imports: ['@capstan/protocol', ...SEAMS, ...harness('turn', 'ports', 'data-flow')],
  },
  {
    path: `${HARNESS}/telemetry`,
    imports: ['@capstan/protocol', ...SEAMS, ...harness('turn', 'ports', 'tool-path')],
  },
  {
    path: `${HARNESS}/memory`,
    imports: ['@capstan/protocol', ...harness('turn', 'ports', 'tool-path/scrub')],
  },
  { path: `${HARNESS}/tools`, imports: ['@capstan/protocol', ...harness('turn', 'ports')] },
  { path: `${HARNESS}/agents`, imports: ['@capstan/protocol', ...SEAMS, ...harness('turn', 'tools')] },
  {
    path: `${HARNESS}/entry-points`,
    imports: [
      '@capstan/protocol',
      ...harness(
        'turn',
        'ports',
        'models',
        'failures',
        'guards',
        'data-flow',
        'context',
        'seams',
        'tool-path',
        'engine',
        'integrations',
        'ledger',
        'tools',
        'agents',
      ),
    ],
  },
  {
    path: `${HARNESS}/triage`,
    imports: ['@capstan/protocol', ...harness('turn', 'models', 'agents', 'entry-points')],
  },
  // The testing kit and the index may import everything; who may import the kit is checked in check-imports.ts.
  { path: `${HARNESS}/testing`, imports: ['@capstan/protocol', HARNESS] },
  { path: `${HARNESS}/index.ts`, imports: ['@capstan/protocol', HARNESS] },
  { path: `${HARNESS}/exports`, imports: ['@capstan/protocol', HARNESS] },
  { path: 'packages/stores/src', imports: ['@capstan/protocol', '@capstan/harness'] },
  { path: 'packages/connectors/src', imports: ['@capstan/protocol', '@capstan/harness'] },
  { path: 'packages/sandbox/src', imports: ['@capstan/harness'] },
  { path: 'packages/demo/src', imports: ['@capstan/protocol', '@capstan/harness'] },
  {
    path: 'packages/server/src',
    imports: [
      '@capstan/protocol',
      '@capstan/harness',
      '@capstan/stores',
      '@capstan/connectors',
      '@capstan/sandbox',
      '@capstan/demo',
    ],
  },
  {
    path: 'packages/cli/src',
    imports: [
      '@capstan/protocol',
      '@capstan/client',
      '@capstan/harness',
      '@capstan/stores',
      '@capstan/connectors',
      '@capstan/demo',
      '@capstan/server',
      '@capstan/notes-app',
    ],
  },
  { path: 'packages/client/src', imports: ['@capstan/protocol'] },
  { path: 'packages/web/src', imports: ['@capstan/protocol', '@capstan/client'] },
]
