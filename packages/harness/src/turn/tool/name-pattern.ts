/** Whether a pattern matches a tool name: exactly, or as a prefix when it ends with `*`. */
export function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
