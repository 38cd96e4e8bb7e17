import { type AgentProtocol, curlFor, curlWith } from '../protocol.ts'
import { readAuth } from './auth.ts'

/** The agent-webkit wire protocol 1.0. */
export const agentWebkitProtocol = {
  name: 'agent-webkit',
  port: 8010,
  flags: [],
  tokenVariable: 'AGENT_WEBKIT_TOKEN',
  requiresSecret: (_flags, environment) => !readAuth(environment).disabled,
  loadApiDescription: async () => (await import('./routes.ts')).agentWebkitApi,
  commands: (url, secrets) => {
    const { AGENT_WEBKIT_TOKEN, AGENT_WEBKIT_NO_AUTH } = secrets.environment
    const curlOf = () => (AGENT_WEBKIT_TOKEN ? curlWith('AGENT_WEBKIT_TOKEN') : curlFor(secrets))
    const curl = AGENT_WEBKIT_NO_AUTH === '1' ? curlWith(undefined) : curlOf()
    return [`${curl} -X POST ${url}/sessions -H 'content-type: application/json' -d '{}'`]
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
