import type { ProtocolDefinition, Secrets } from '../definition.ts'

/** The observer over REST. */
export const observerProtocol = {
  name: 'observer',
  port: 5001,
  loadSurface: async () => (await import('./surface.ts')).observerSurface,
  commands: (url, secrets) => [
    `curl -s${authHeader(secrets)} ${url}/api/windows`,
    `curl -s${authHeader(secrets)} ${url}/api/structure`,
  ],
} as const satisfies ProtocolDefinition

/** Example shell commands for the harness port of the observer. */
export const harnessCommands = (url: string, secrets: Secrets): readonly string[] => [
  `curl -s${authHeader(secrets)} -X POST ${url}/api/session/reset`,
]

const authHeader = ({ token }: Secrets): string => (token ? ` -H 'Authorization: Bearer …'` : '')
