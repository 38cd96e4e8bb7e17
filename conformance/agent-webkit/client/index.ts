import type { ClientSuite } from '../../client/flow.ts'
import { agentWebkitFlows } from './flows.ts'
import { agentWebkitClientSet } from './requirements.ts'
import { ids } from './rules.ts'
import { AgentWebkitServer } from './server.ts'

/** They are judged by whether the client reads on. */
const READING = ids(
  'events:documented',
  'events:unknown',
  'events:unknown-fields',
  'stream:keepalive',
  'interrupt:waits',
  'conflict:goes-on',
)

/** The clients of agent-webkit. */
export const agentWebkitClient: ClientSuite<AgentWebkitServer> = {
  set: agentWebkitClientSet,
  minimum: 'create a session, open its stream and send a user_message',
  flows: agentWebkitFlows,
  dependencies: {
    ...Object.fromEntries(READING.map((id) => [id, ids('turn:waits')])),
    'agent-webkit-client:stream:chunks': ids('turn:waits', 'permission:correlation'),
    'agent-webkit-client:permission:replayed': ids('permission:once'),
    'agent-webkit-client:conflict:resent': ids('permission:once'),
    'agent-webkit-client:resume:resent': ids('turn:once'),
  },
  open: (context) => new AgentWebkitServer(context),
}
