import { Fault } from '../../base/fault.ts'
import {
  bad,
  COMPUTER_CAPABILITIES,
  type ComputerCapability,
  type DoctorCheck,
  good,
  missingCapabilities,
  note,
} from '../capabilities.ts'
import {
  createRemoteConnection,
  DEFAULT_REMOTE_TIMEOUTS,
  parseRemoteAddress,
  type RemoteAddress,
  type RemoteConnection,
} from './connection.ts'
import { greet, REMOTE_LIMITS, type RemoteServer } from './hello.ts'
import type { RemoteOptions } from './remote.ts'

/** How many round trips are measured. */
const ROUND_TRIPS = 5
/** Slower than a local network, so that an action with its observations takes noticeably long. */
const SLOW_MS = 30

/** Checks whether the desktop behind another server can be driven. Changes nothing. */
export async function checkRemote({
  url,
  token,
}: Pick<RemoteOptions, 'url' | 'token'>): Promise<readonly DoctorCheck[]> {
  const address = await attempted(async () => parseRemoteAddress(url))
  if (address instanceof Fault) return [bad('URL', address.message, 'give the URL of the other server')]
  const connection = createRemoteConnection(address, token)
  const server = await attempted(() => greet(connection, DEFAULT_REMOTE_TIMEOUTS.helloMs))
  if (server instanceof Fault)
    return [urlCheck(address, token), bad('other server', server.message, FIXES[server.code] ?? START)]
  return [
    urlCheck(address, token),
    good('other server', `${server.adapter}, version ${server.version}, on ${server.platform}`),
    await latencyCheck(connection),
    ...(server.synthetic ? [note('desktop', 'a scenario', 'run it with --clock real, so that its time passes')] : []),
    ...lacking(server),
  ]
}

const START = 'start the other server, for example with: backlot serve --adapter auto --host ADDRESS --token SECRET'
const FIXES: Readonly<Record<string, string>> = {
  PermissionDenied: 'check the token, and that the other server accepts its host name (web_ui.allowed_hosts)',
}

const urlCheck = ({ base, exposed }: RemoteAddress, token: string | undefined): DoctorCheck =>
  exposed && token !== undefined
    ? note('URL', `${base}; the token is sent without encryption`, 'use https or a tunnel, such as ssh -L')
    : good('URL', base)

async function latencyCheck({ send }: RemoteConnection): Promise<DoctorCheck> {
  const times: number[] = []
  for (let turn = 0; turn < ROUND_TRIPS; turn++) {
    const started = performance.now()
    await send({ method: 'GET', path: '/api/healthz' }, { timeoutMs: DEFAULT_REMOTE_TIMEOUTS.helloMs })
    times.push(performance.now() - started)
  }
  const ms = times.sort((a, b) => a - b)[Math.floor(ROUND_TRIPS / 2)]!
  const found = `${ms.toFixed(1)} ms for a round trip`
  return ms < SLOW_MS ? good('latency', found) : note('latency', found, 'an action takes about ten round trips')
}

const lacking = ({ supports }: RemoteServer): readonly DoctorCheck[] =>
  Object.entries(missingCapabilities(supports))
    .filter(([name]) => !Object.hasOwn(REMOTE_LIMITS, name))
    .map(([name, found]) => ({
      subject: COMPUTER_CAPABILITIES[name as ComputerCapability],
      verdict: 'note',
      found: `missing: ${found}`,
    }))

async function attempted<T>(work: () => Promise<T>): Promise<T | Fault> {
  try {
    return await work()
  } catch (thrown) {
    return Fault.from(thrown)
  }
}
