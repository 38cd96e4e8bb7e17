import { agentDesktopContract } from './agent-desktop/contract.ts'
import type { CommandContract, CommandRequest, CommandResult } from './contract.ts'
import type { DeskSession } from './desk-session.ts'
import { textContract } from './text/contract.ts'

/** Executes a command of a contract on the desktop of a session. */
export type RunCommand = (request: CommandRequest, desk: DeskSession) => Promise<CommandResult>

/** A contract, and its commands, which only the server loads. */
export interface RegisteredContract extends CommandContract {
  readonly load: () => Promise<RunCommand>
}

/** How the command line can look: our own text, then those of other programs. A contract is a folder and its line here. */
export const CONTRACTS: readonly RegisteredContract[] = [
  { ...textContract, load: async () => (await import('./text/execute.ts')).runDeskText },
  { ...agentDesktopContract, load: async () => (await import('./agent-desktop/execute.ts')).runAgentDesktop },
]

/** A contract and its version, from `NAME` or `NAME@VERSION`. Undefined for unknown ones. */
export function findContract(
  written: string,
): { readonly contract: RegisteredContract; readonly version: string } | undefined {
  const [name, version, ...more] = written.split('@')
  const contract = CONTRACTS.find((each) => each.name === name)
  if (!contract || more.length > 0) return undefined
  if (version === undefined) return { contract, version: contract.versions[0] ?? '' }
  return contract.versions.includes(version) ? { contract, version } : undefined
}

/** What `--contract` accepts. */
export const CONTRACT_CHOICES: readonly string[] = CONTRACTS.flatMap(({ name, versions }) =>
  versions.length === 0 ? [name] : versions.map((version) => `${name}@${version}`),
)
