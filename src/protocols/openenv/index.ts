import { curlFor, type SessionProtocol } from '../protocol.ts'

/** OpenEnv: environments for training, one desktop per connection. */
export const openenvProtocol = {
  name: 'openenv',
  port: 8001,
  isForAgents: false,
  loadApiDescription: async () => (await import('./routes.ts')).openenvApi,
  loadProbes: async () => [(await import('./probe.ts')).openenvProbe],
  commands: (url, secrets) => {
    const curl = curlFor(secrets)
    return [
      `${curl} ${url}/metadata`,
      `${curl} ${url}/reset --json '{"scenario": "login", "seed": 1, "observe": "outline"}'`,
    ]
  },
  create: async (context) => {
    const { openenv } = await import('./server.ts')
    return openenv(context)
  },
} as const satisfies SessionProtocol
