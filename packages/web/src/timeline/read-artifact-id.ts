/** Where the whole of an output is, when what is shown is a part. The harness says so at the end of the part. */
export function readArtifactId(output: string): string | undefined {
  return /\bread_artifact \{"id": "([^"\\]{1,200})"/.exec(output.slice(-600))?.[1]
}
