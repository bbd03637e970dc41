/** Whether a rule means this tool: by its name, or by its beginning when the rule ends with `*`. */
export function matchesName(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
