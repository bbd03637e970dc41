/** What an app may be allowed to do, and how the consent page says it. */
export const SCOPES: Readonly<Record<'pages:read' | 'pages:write', { says: string; means: string }>> = {
  'pages:read': { says: 'Read your pages', means: 'List, search and read everything in the notebook.' },
  'pages:write': { says: 'Write in your notebook', means: 'Create, change and delete pages.' },
}

export type Scope = keyof typeof SCOPES

export const SCOPE_NAMES: readonly Scope[] = ['pages:read', 'pages:write']
