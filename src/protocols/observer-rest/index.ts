import type { ProtocolDefinition, Secrets } from '../definition.ts'

/** The observer over REST. */
export const observerProtocol = {
  name: 'observer',
  port: 5001,
  loadSurface: async () => (await import('./surface.ts')).observerSurface,
  commands: (url, secrets) => [
    `curl -s${bearerOf(secrets)} ${url}/api/windows`,
    `curl -s${bearerOf(secrets)} ${url}/api/structure`,
  ],
} as const satisfies ProtocolDefinition

/** Shell commands that try a port of the observer on which every caller may use every tool. */
export const harnessCommands = (url: string, secrets: Secrets): readonly string[] => [
  `curl -s${bearerOf(secrets)} -X POST ${url}/api/session/reset`,
]

const bearerOf = ({ token }: Secrets): string => (token ? ` -H 'Authorization: Bearer …'` : '')
