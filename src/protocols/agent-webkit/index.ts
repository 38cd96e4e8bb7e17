import type { AgentProtocol } from '../protocol.ts'
import { readAuth } from './auth.ts'

/** The agent-webkit wire protocol 1.0. */
export const agentWebkitProtocol = {
  name: 'agent-webkit',
  port: 8010,
  flags: [],
  tokenVariable: 'AGENT_WEBKIT_TOKEN',
  requiresSecret: (_flags, environment) => !readAuth(environment).disabled,
  loadApiDescription: async () => (await import('./routes.ts')).agentWebkitApi,
  commands: (url, { environment }) => {
    // The shell inserts the token, so that it never appears in the terminal.
    const bearer = readAuth(environment).disabled ? '' : ` -H "Authorization: Bearer $AGENT_WEBKIT_TOKEN"`
    return [`curl -s${bearer} -X POST ${url}/sessions -H 'content-type: application/json' -d '{}'`]
  },
  create: async ({ agent, store, hosts, origins, environment, onBug }) => {
    const { agentWebkit } = await import('./server.ts')
    return agentWebkit({
      agent,
      store,
      hosts,
      ...(origins && { origins }),
      auth: readAuth(environment),
      onBug,
    })
  },
  demo: { transport: 'SSE', load: async () => (await import('./demo.ts')).demoClient },
} as const satisfies AgentProtocol
