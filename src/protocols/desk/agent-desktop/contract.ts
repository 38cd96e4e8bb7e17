import type { CommandContract } from '../contract.ts'
import { CommandError, failureOf, PROCESS_EXIT } from './envelope.ts'
import { ENVELOPE_VERSIONS } from './versions.ts'

/** The commands of agent-desktop 1.0, for agents that its skills teach. */
export const agentDesktopContract: CommandContract = {
  name: 'agent-desktop',
  versions: Object.keys(ENVELOPE_VERSIONS),
  program: 'agent-desktop',
  environment: [
    'AGENT_DESKTOP_SESSION',
    'AGENT_DESKTOP_HOME',
    'AGENT_DESKTOP_AGENT_ID',
    'AGENT_DESKTOP_CHAIN_TIMEOUT_MS',
    'BACKLOT_SKILL',
  ],
  fail: ({ kind, message }, { argv, version }) => {
    if (kind === 'usage')
      return failureOf(version, 'unknown', new CommandError('INVALID_ARGS', message), PROCESS_EXIT.usage)
    const command = argv.find((word) => !word.startsWith('-')) ?? 'unknown'
    const about = {
      delivery: 'not_delivered',
      suggestion: 'Use a desktop of a running server: set BACKLOT_URL.',
    } as const
    return failureOf(version, command, new CommandError('PERM_DENIED', message, about))
  },
}
