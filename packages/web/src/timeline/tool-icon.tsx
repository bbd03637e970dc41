import {
  Bot,
  Brain,
  CircleQuestionMark,
  Clock,
  FileText,
  Globe,
  Pencil,
  Plug,
  Search,
  Terminal,
  Trash2,
  Wrench,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReactElement } from 'react'

/** The first match wins. Of most tools only the name is known. */
const ICONS: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^(connect_app|find_actions|call_action)$/, Plug],
  [/^ask_user$/, CircleQuestionMark],
  [/^(delegate|spawn|continue)|_agent$/, Bot],
  [/shell|command|exec|terminal|bash/, Terminal],
  [/memory|remember|recall/, Brain],
  [/delete|remove|trash|archive/, Trash2],
  [/search|find|query|list|lookup/, Search],
  [/write|create|update|save|add|edit|append|send|post/, Pencil],
  [/web|fetch|http|url|browse/, Globe],
  [/clock|time|date|calendar|wait/, Clock],
  [/file|read|page|document|note|artifact|extract/, FileText],
]

export function ToolIcon({ tool }: { readonly tool: string }): ReactElement {
  const name = tool.toLowerCase()
  const Icon = ICONS.find(([fits]) => fits.test(name))?.[1] ?? Wrench
  return <Icon className="timeline-icon" aria-hidden="true" />
}
