/** Whether an address or name stays on this machine. */
export const isLoopback = (name: string): boolean =>
  name === 'localhost' || name === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)

/** The name in a Host header, without port and brackets, in lower case. */
export function hostName(host: string): string {
  const bracketed = host.startsWith('[') ? /^\[([^\]]*)\](?::\d+)?$/.exec(host) : null
  if (bracketed) return bracketed[1]!.toLowerCase()
  return host.replace(/:\d+$/, '').toLowerCase()
}
