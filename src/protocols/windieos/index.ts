import type { AgentProtocol } from '../protocol.ts'

/** The WindieOS backend, and the services behind it. */
export const windieosProtocol = {
  name: 'windieos',
  port: 8765,
  flags: [
    {
      syntax: '--auth <mode>',
      description: 'windieos: install requires the token that POST /api/install/register returns',
      choices: ['install', 'none'],
      default: 'none',
    },
    { syntax: '--with-runtime', description: 'windieos: execute its tool calls on the served desktop' },
    {
      syntax: '--embedding-port <number>',
      description: 'windieos: port of its embedding service',
      kind: 'port',
    },
  ],
  requiresSecret: ({ auth }) => auth === 'install',
  conflict: ({ auth, 'with-runtime': withRuntime }) =>
    withRuntime && auth === 'install'
      ? '--with-runtime has no installation of its own; leave --auth install out'
      : undefined,
  loadApiDescription: async () => (await import('./routes.ts')).windieosApi,
  commands: (url) => [`curl -s ${url}/api/sdk/models`],
  create: async (context) => {
    const { agent, store, dataFolder, hosts, origins, environment, modelName } = context
    const [{ onlyModel }, { windieos }] = await Promise.all([import('./settings.ts'), import('./server.ts')])
    return windieos({
      agent,
      store,
      dataFolder,
      hosts,
      ...(origins && { origins }),
      ...context.openModels(),
      backendTools: context.serverTools,
      ...(modelName !== undefined && { catalogue: onlyModel(modelName) }),
      auth: context.auth,
      runKeys: { runs: environment.WINDIE_RUNS_API_KEY, control: environment.WINDIE_RUNS_CONTROL_API_KEY },
      maxActiveRuns: Number(environment.WINDIE_VM_MAX_ACTIVE_RUNS_PER_WORKSPACE) || 1,
      logFailure: (code, message) => context.note(`${code}: ${message}`),
      onBug: context.onBug,
    })
  },
  services: [
    {
      name: 'embeddings',
      port: 8766,
      flag: '--embedding-port',
      commands: (url) => [`curl -s ${url}/health`],
      create: async ({ localEmbedder, environment, onBug }) => {
        const { embeddingService } = await import('./embedding-service.ts')
        const { WINDIE_EMBEDDING_SERVICE_API_KEY: key } = environment
        return embeddingService({ embedder: localEmbedder, key, nowMs: () => performance.now(), onBug })
      },
    },
  ],
  runtime: {
    flag: '--with-runtime',
    start: async ({ session, remember, onBug }, url) => {
      const { startRuntime } = await import('./runtime.ts')
      return startRuntime({ url, session, remember, onBug })
    },
  },
} as const satisfies AgentProtocol
