/**
 * What a sub-agent was asked, without what the harness tells it beside: that is for the model. Blank where the text was
 * cut before the task.
 */
export function taskOf(text: string): string {
  if (!text.startsWith('[Context]\n')) return text.trim()
  const at = text.indexOf('\n[Task]\n')
  return at === -1 ? '' : text.slice(at + '\n[Task]\n'.length).trim()
}
