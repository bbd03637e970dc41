/** The id of the artifact with the whole output. The harness names it at the end of a cut output. */
export function readArtifactId(output: string): string | undefined {
  return /\bread_artifact \{"id": "([^"\\]{1,200})"/.exec(output.slice(-600))?.[1]
}
