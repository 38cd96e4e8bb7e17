import type { SessionProtocol } from '../protocol.ts'

/** OpenEnv: environments for training, one desktop per connection. */
export const openenvProtocol = {
  name: 'openenv',
  port: 8001,
  isForAgents: false,
  loadApiDescription: async () => (await import('./routes.ts')).openenvApi,
  loadProbes: async () => [(await import('./probe.ts')).openenvProbe],
  commands: (url, { token }) => {
    const header = token ? " -H 'Authorization: Bearer …'" : ''
    return [
      `curl -s${header} ${url}/metadata`,
      `curl -s${header} ${url}/reset --json '{"scenario": "login", "seed": 1, "observe": "outline"}'`,
    ]
  },
  create: async (context) => {
    const { openenv } = await import('./server.ts')
    return openenv(context)
  },
} as const satisfies SessionProtocol
