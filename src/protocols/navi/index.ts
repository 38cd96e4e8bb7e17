import { join } from 'node:path'
import type { AgentProtocol } from '../protocol.ts'

/** The agent-session API of the Navi document. */
export const naviProtocol = {
  name: 'navi',
  port: 8000,
  flags: [],
  loadApiDescription: async () => (await import('./routes.ts')).naviApi,
  commands: (url) => [`curl -s ${url}/agents/profiles`],
  create: async ({ agent, store, dataFolder, openFolder, hosts, origins, tools, onBug }) => {
    const { navi } = await import('./server.ts')
    return navi({
      agent,
      store,
      dataFolder,
      tools,
      client: openFolder(join(dataFolder, 'client')),
      hosts,
      ...(origins && { origins }),
      onBug,
    })
  },
} as const satisfies AgentProtocol
