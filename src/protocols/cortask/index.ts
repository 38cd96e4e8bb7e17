import { join } from 'node:path'
import type { AgentProtocol } from '../protocol.ts'

/** The Cortask WebSocket API. */
export const cortaskProtocol = {
  name: 'cortask',
  port: 3777,
  portVariable: 'CORTASK_PORT',
  flags: [
    {
      syntax: '--cortask-host <address>',
      description: 'address of the cortask server (default: --host)',
      variable: 'CORTASK_HOST',
    },
  ],
  loadApiDescription: async () => (await import('./routes.ts')).cortaskApi,
  commands: (url) => [`npx wscat -c ${url.replace('http', 'ws')}/ws`],
  create: async ({ agent, store, dataFolder, hosts, environment, onBug }) => {
    const { cortask } = await import('./server.ts')
    const { CORTASK_CORS_ORIGIN: origin } = environment
    const workspaces = [{ id: 'default', name: 'Backlot', rootPath: join(dataFolder, 'workspace') }]
    return cortask({ agent, store, workspaces, hosts, ...(origin && { origin }), onBug })
  },
  demo: { transport: 'WebSocket', load: async () => (await import('./demo.ts')).demoClient },
} as const satisfies AgentProtocol
