import type { Tool, ToolContext } from '@capstan/harness'
import { fail } from '@capstan/harness'
import type { Sandbox } from '@capstan/harness/sandbox'
import { createShellTool } from '@capstan/harness/tools'
import type { UserSettings } from '../settings/settings-file.ts'

/** A shell tool with a fixed name and schema. Folders, hosts and the switch are those set at the time of the call. */
export function createLiveShell(settings: () => UserSettings, sandbox: Sandbox): Tool {
  let made: { readonly from: UserSettings; readonly tool: Tool } | undefined
  const current = (): Tool => {
    const from = settings()
    if (made?.from !== from) made = { from, tool: create(from, sandbox) }
    return made.tool
  }
  return {
    ...current(),
    effect: (args) => {
      const { effect } = current()
      return typeof effect === 'function' ? effect(args) : effect
    },
    run: (args: never, context: ToolContext) =>
      settings().roots.length === 0
        ? fail('No folder is allowed any more. The user can allow one in Settings.', { deniedBy: 'policy' })
        : current().run(args, context),
  }
}

function create({ roots, shell, shellHosts }: UserSettings, sandbox: Sandbox): Tool {
  return createShellTool({
    // Without a folder it is not run: see above.
    roots: roots.length === 0 ? ['/'] : roots,
    enabled: shell !== 'off' && roots.length > 0,
    sandbox,
    network: shellHosts.length === 0 ? 'off' : shellHosts,
  })
}
