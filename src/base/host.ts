/** The environment variables of a process or a desktop session, by name. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** Whether an address or host name is a loopback one. */
export const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)

/** The host name of a Host header in lower case, without port and brackets. */
export function hostName(host: string): string {
  const bracketed = host.startsWith('[') ? /^\[([^\]]*)\](?::\d+)?$/.exec(host) : null
  if (bracketed) return bracketed[1]!.toLowerCase()
  return host.replace(/:\d+$/, '').toLowerCase()
}
