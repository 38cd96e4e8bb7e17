import type { LoadProbes } from '../probe.ts'
import type { ProtocolDefinition, Secrets } from '../protocol.ts'

/** The observer over REST. */
export const observerProtocol = {
  name: 'observer',
  port: 5001,
  loadApiDescription: async () => (await import('./api-description.ts')).observerApi,
  loadProbes: async () => (await import('./probe.ts')).observerProbes,
  commands: (url, secrets) => [
    `curl -s${authHeader(secrets)} ${url}/api/windows`,
    `curl -s${authHeader(secrets)} ${url}/api/structure`,
  ],
} as const satisfies ProtocolDefinition & { readonly loadProbes: LoadProbes }

/** Example shell commands for the harness port of the observer. */
export const harnessCommands = (url: string, secrets: Secrets): readonly string[] => [
  `curl -s${authHeader(secrets)} -X POST ${url}/api/session/reset`,
]

const authHeader = ({ token }: Secrets): string => (token ? ` -H 'Authorization: Bearer …'` : '')
