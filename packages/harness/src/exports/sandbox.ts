// Confinement of programs: the port, and the explicit way to do without.
export { matchesHost } from '../text/matches-host.ts'
export { SandboxError, UNCONFINED } from '../ports/sandbox.ts'
export type {
  ConfinedStart,
  ConfineRequest,
  Sandbox,
  SandboxFolder,
  SandboxLimits,
  SandboxNetwork,
  SandboxProfile,
  SandboxState,
} from '../ports/sandbox.ts'
