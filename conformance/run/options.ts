import { readFileSync } from 'node:fs'
import { createRandom, type Random } from '../contract/random.ts'
import { createProfile, loadProfile, readBaseline } from '../profile.ts'
import { type CertifiedProtocol, loadSuite, PROTOCOLS } from '../protocols.ts'
import type { Tier } from '../requirement.ts'
import { createRestarter } from '../servers/processes.ts'
import { type AuxiliaryServers, createAuxiliaryServers } from '../suite/auxiliary-servers.ts'
import type { Baseline } from '../suite/results.ts'
import type { ProtocolSuite } from '../suite/suite.ts'
import type { Profile, Target } from '../suite/test-context.ts'

/** The options of a run. */
export interface CertifyOptions {
  readonly protocol: CertifiedProtocol
  /**
   * The server's address, such as `http://127.0.0.1:5001`. Without it, only the MCP side that `command` starts is
   * tested.
   */
  readonly url?: string
  /** Starts the same server's MCP side on stdin and stdout; or the command line to test, which is called with words. */
  readonly command?: string
  readonly token?: string
  /** Path of a profile, the name of one that comes with the suite, or one that has been read already. */
  readonly profile?: string | Profile
  /** The command that replaces `{backlot}` in a profile; `backlot` by default. */
  readonly program?: string
  /** Requirement ids, or beginnings of ids; all of the tier when absent. */
  readonly only?: readonly string[]
  /** Requirement ids, or beginnings of ids, that are neither run nor judged. */
  readonly skip?: readonly string[]
  /** Starts the server again after it was lost; the profile's `start` command when absent. */
  readonly restart?: () => Promise<void>
  /** How often a failure is repeated alone before it counts; 5 by default, 0 disables repeats. */
  readonly repeats?: number
  /** The tier that the server claims; the profile's tier by default, else `full`. */
  readonly tier?: Tier
  /** Path of a baseline of expected failures. */
  readonly baseline?: string
  readonly seed?: number
  /** A directory for the reports; no reports by default. */
  readonly report?: string
  /** Receives progress; none by default. */
  readonly progress?: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Milliseconds that the server may take where the document gives no time; 10 s by default. */
  readonly responseTimeoutMs?: number
  /** Milliseconds after which no further check starts; 30 minutes by default. */
  readonly timeLimitMs?: number
  /** Stops at the first failure of the run. */
  readonly failFast?: boolean
  /** Skips checks with a longer timeout, for quick runs; such a run writes no certificate. */
  readonly quickMs?: number
}

/** Everything that a run depends on. */
export interface RunContext {
  readonly suite: ProtocolSuite
  readonly target: Target
  readonly profile: Profile
  readonly random: Random
  readonly tier: Tier
  readonly baseline: Baseline
  readonly options: CertifyOptions
  readonly auxiliaries: AuxiliaryServers
  /** Starts the server under test again; rejects when that is not possible. */
  restart(): Promise<void>
  /** Stops all processes that the run started. */
  close(): Promise<void>
}

/** Creates the context of a run. Throws for a mistake in the options. */
export async function createRunContext(options: CertifyOptions): Promise<RunContext> {
  if (!PROTOCOLS.includes(options.protocol))
    throw new Error(`"${options.protocol}" is not a protocol; use one of ${PROTOCOLS.join(', ')}`)
  const suite = await loadSuite(options.protocol)
  assertReachable(options, suite.isCommandLine === true)
  const ids = Object.keys(suite.set.requirements)
  for (const start of [...(options.only ?? []), ...(options.skip ?? [])])
    if (!ids.some((id) => id.startsWith(start)))
      throw new Error(`no requirement of ${options.protocol} starts with "${start}"; ids look like ${ids[0]}`)
  const profile = profileFrom(options)
  const target: Target = {
    ...(options.url !== undefined && { url: addressOf(options.url) }),
    ...(options.command !== undefined && { command: options.command }),
    ...(options.token !== undefined && { token: options.token }),
  }
  const program = options.program ?? 'backlot'
  const further = createAuxiliaryServers(serversOf(profile, program))
  const { restart, close } = createRestarter(
    profile.start?.replaceAll('{backlot}', () => program),
    target.url,
  )
  return {
    suite,
    target,
    profile,
    random: createRandom(options.seed ?? 1),
    tier: options.tier ?? profile.tier ?? 'full',
    baseline: options.baseline ? readBaseline(readFileSync(options.baseline, 'utf8'), options.baseline) : {},
    options,
    auxiliaries: further,
    restart: options.restart ?? restart,
    close: async () => void (await Promise.all([further.close(), close()])),
  }
}

/** The command line of a run without its selection. `$TOKEN` stands for the token. */
export function commandAgain({ protocol, url, command, token, profile, tier, baseline, seed }: CertifyOptions): string {
  const flags = Object.entries({
    url,
    command,
    token: token === undefined ? undefined : '"$TOKEN"',
    profile: typeof profile === 'string' ? profile : undefined,
    tier,
    baseline,
    seed: seed === 1 ? undefined : seed,
  })
  const given = flags.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${quoted(String(value))}`]))
  return ['backlot certify', protocol, ...given].join(' ')
}

const quoted = (text: string): string => (/^[\w./:@"$-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** The options that restrict a run to some requirements. */
export function describeSelection(
  { only, skip, quickMs, url }: CertifyOptions,
  isCommandLine: boolean,
): string | undefined {
  const reasons = [
    ...(only === undefined ? [] : [`--only ${only.join(' ')}`]),
    ...(skip === undefined ? [] : [`--skip ${skip.join(' ')}`]),
    ...(quickMs === undefined ? [] : ['slow checks were left out']),
    ...(url === undefined && !isCommandLine ? ['only MCP, without --url'] : []),
  ]
  return reasons.length === 0 ? undefined : reasons.join(', ')
}

function assertReachable({ protocol, url, command }: CertifyOptions, isCommandLine: boolean): void {
  if (isCommandLine) {
    if (url !== undefined || command === undefined)
      throw new Error(`${protocol} is a command line: give --command, such as --command ${protocol}, and no --url`)
    return
  }
  if (command !== undefined && protocol !== 'observer')
    throw new Error(`--command starts the observer’s MCP side; use --url for ${protocol}`)
  if (url === undefined && command === undefined)
    throw new Error(
      `the server is missing. Give --url, such as --url http://127.0.0.1:8010${protocol === 'observer' ? ', or --command for its MCP side' : ''}`,
    )
}

const serversOf = ({ servers }: Profile, program: string): Profile['servers'] =>
  Object.fromEntries(
    Object.entries(servers).map(([name, command]) => [name, command.replaceAll('{backlot}', () => program)]),
  )

function addressOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error(`"${text}" is not the address of a server, such as http://127.0.0.1:8010`)
  const { origin, pathname, username, password, search, hash } = new URL(text)
  // They may be secret, and all reports show the address.
  if (username + password + search + hash !== '')
    throw new Error(
      `give only ${origin}${pathname}: a user, query or fragment is not sent; put a token into BACKLOT_TOKEN`,
    )
  return (origin + pathname).replace(/\/$/, '')
}

function profileFrom({ profile, protocol }: CertifyOptions): Profile {
  if (profile === undefined) return createProfile('none')
  return typeof profile === 'string' ? loadProfile(profile, protocol) : profile
}
