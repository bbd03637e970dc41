import { bySlug, sanitizeLine } from '@capstan/harness/connectors'
import type { Action } from '@capstan/harness/connectors'
import type { ToolkitRow } from '@capstan/protocol'
import type { EffectClaim } from '../effects/judge-action.ts'
import { judgeAction } from '../effects/judge-action.ts'
import { isActionName, toAction } from '../to-action.ts'
import { readPages } from './read-pages.ts'
import type { Service } from './service.ts'

const PAGE = 500
const MAX_NAME_CHARS = 80
const MAX_DESCRIPTION_CHARS = 500

/** The fields that are read of a toolkit. Their types are checked before use: the service's word is not taken. */
export interface ServiceToolkit {
  readonly slug: string
  readonly name?: unknown
  readonly meta?: { readonly description?: unknown }
  readonly no_auth?: unknown
  readonly auth_schemes?: unknown
}

/** The fields that are read of an action, which Composio calls a tool. */
interface ServiceTool {
  readonly slug?: unknown
  readonly description?: unknown
  readonly input_parameters?: unknown
  readonly version?: unknown
  readonly tags?: unknown
  readonly is_deprecated?: unknown
  readonly deprecated?: { readonly is_deprecated?: unknown }
}

export interface ListedActions {
  readonly actions: readonly Action[]
  /** The version whose schema is shown, by action. */
  readonly versions: ReadonlyMap<string, string>
}

/** Every toolkit, by our slug. */
export async function listToolkits(service: Service): Promise<ReadonlyMap<string, ServiceToolkit>> {
  const items = await readPages<Partial<ServiceToolkit>>((cursor) =>
    service.query((client, how) => client.toolkits.list({ limit: PAGE, ...(cursor && { cursor }) }, how)),
  )
  const named = items.filter((one): one is ServiceToolkit => typeof one.slug === 'string')
  return bySlug(named, ({ slug }) => slug)
}

/** Every action of a toolkit that is not deprecated. `toolkit` is Composio's slug. */
export async function listActions(
  service: Service,
  toolkit: string,
  { version, signal }: { readonly version: string | undefined; readonly signal?: AbortSignal | undefined },
): Promise<ListedActions> {
  const wanted = {
    toolkit_slug: toolkit,
    toolkit_versions: version === undefined ? 'latest' : { [toolkit]: version },
    limit: PAGE,
  }
  const items = await readPages<ServiceTool>((cursor) =>
    service.query((client, how) => client.tools.list({ ...wanted, ...(cursor && { cursor }) }, how), signal),
  )
  const actions = new Map<string, Action>()
  const versions = new Map<string, string>()
  for (const tool of items) {
    const { slug: name, description, input_parameters: input } = tool
    if (!isActionName(name) || isDeprecated(tool) || actions.has(name)) continue
    const claim = claimOf(tool)
    actions.set(
      name,
      toAction({
        name,
        description,
        input,
        effect: (schema) => judgeAction({ name, input: schema, app: toolkit, claim }),
      }),
    )
    versions.set(name, versionOf(tool))
  }
  return { actions: [...actions.values()], versions }
}

export function toRow(slug: string, toolkit: ServiceToolkit, connector: string): ToolkitRow {
  return {
    slug,
    name: nameOf(toolkit) || slug,
    description: sanitizeLine(toolkit.meta?.description, MAX_DESCRIPTION_CHARS),
    connector,
    auth: authOf(toolkit),
  }
}

export const nameOf = ({ name }: ServiceToolkit): string => sanitizeLine(name, MAX_NAME_CHARS)

export function authOf({ no_auth: noAuth, auth_schemes: schemes }: ServiceToolkit): ToolkitRow['auth'] {
  if (noAuth === true) return 'none'
  const known = Array.isArray(schemes) ? schemes.map(String) : []
  return known.length === 0 || known.some((scheme) => scheme.includes('OAUTH')) ? 'oauth' : 'key'
}

const isDeprecated = (tool: ServiceTool): boolean =>
  tool.is_deprecated === true || tool.deprecated?.is_deprecated === true

/** Tags may only raise an effect: what a catalogue says about reading is not believed. */
function claimOf({ tags }: ServiceTool): EffectClaim {
  const has = (...wanted: readonly string[]) =>
    Array.isArray(tags) && tags.some((tag) => wanted.includes(String(tag)))
  return { destroys: has('destructiveHint', 'createHint', 'updateHint', 'deleteHint') }
}

const versionOf = ({ version }: ServiceTool): string =>
  typeof version === 'string' && /^[\w.-]{1,64}$/.test(version) ? version : 'latest'
