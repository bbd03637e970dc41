const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

const WATCHING = words(
  'next more status state progress check poll watch wait tail scroll page turn step queue undo redo draw roll ' +
    'random pop take pull claim receive read get list show count counts stats probe sensor measure monitor log history view',
)

const WRITING = words(
  'add append book buy comment create edit insert make new note order place post publish push put reply save ' +
    'schedule send set start submit trigger update upload write',
)

const known = new Map<string, boolean>()

/** Whether a tool, by its name, iterates or watches something: then a changed number is progress. */
export function isWatchingTool(tool: string): boolean {
  let watches = known.get(tool)
  if (watches === undefined) {
    const parts = tool
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
      .toLowerCase()
      .split(/[^a-z]+/)
    watches = parts.some((part) => WATCHING.has(part)) && !parts.some((part) => WRITING.has(part))
    if (known.size < 1000) known.set(tool, watches)
  }
  return watches
}
