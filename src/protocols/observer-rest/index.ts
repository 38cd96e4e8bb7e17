import type { LoadProbes } from '../probe.ts'
import { curlFor, type ProtocolDefinition, type Secrets } from '../protocol.ts'

/** The observer over REST. */
export const observerProtocol = {
  name: 'observer',
  port: 5001,
  loadApiDescription: async () => (await import('./api-description.ts')).observerApi,
  loadProbes: async () => (await import('./probe.ts')).observerProbes,
  commands: (url, secrets) => [`${curlFor(secrets)} ${url}/api/windows`, `${curlFor(secrets)} ${url}/api/structure`],
} as const satisfies ProtocolDefinition & { readonly loadProbes: LoadProbes }

/** Example shell commands for the harness port of the observer. */
export const harnessCommands = (url: string, secrets: Secrets): readonly string[] => [
  `${curlFor(secrets)} -X POST ${url}/api/session/reset`,
]
