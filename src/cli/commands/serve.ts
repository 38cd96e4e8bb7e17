import { fstatSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { ADAPTER_NAMES, GNOME_INPUTS, LINUX_SESSIONS, OWN_ADAPTERS } from '../../adapters/open-computer.ts'
import { realClock, virtualClock } from '../../base/clock.ts'
import { storageProblem } from '../../base/fault.ts'
import type { EnvironmentVariables } from '../../base/host.ts'
import { type Config, ConfigError, type LoadedConfig, loadConfig } from '../../compose/config.ts'
import { createTestbed, type Testbed } from '../../compose/testbed.ts'
import { harnessCommands, observerProtocol } from '../../protocols/observer-rest/index.ts'
import type { AgentProtocol, ProtocolFlag } from '../../protocols/protocol.ts'
import {
  AGENT_PROTOCOLS,
  findAgentProtocol,
  PROTOCOL_NAMES,
  PROTOCOLS_OF_ALL,
  type ProtocolName,
  type RegisteredProtocol,
  SESSION_PROTOCOLS,
} from '../../protocols/registry.ts'
import { portNumber, secretOption, UserError, wholeNumber } from '../arguments.ts'
import { banner, type ServedProtocol } from '../banner.ts'
import { exitCodeFor, waitForSignal } from '../program.ts'
import { checkFlags, checkListeners, flagValue, type Listener, ownFlags, type ServeFlags } from '../serve-flags.ts'
import { chosenVariant, withFaultsFlag, withVariantFlags } from '../variant-flags.ts'

/** `backlot serve`: serves the observer over REST and MCP, and the agent protocols. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('Serve a desktop to agents: REST on a port, MCP on standard input and output.')
    .addOption(
      new Option(
        '--mode <mode>',
        'inspect: REST only; mcp: MCP only; both: REST and MCP share a session; auto: both if standard input is a pipe, else inspect. With auto, REST keeps running if no MCP client used the pipe',
      )
        .choices(['auto', 'inspect', 'mcp', 'both'])
        .default('auto'),
    )
    .addOption(
      new Option(
        '--adapter <name>',
        `synthetic: run a scenario; ${OWN_ADAPTERS} or auto: control the real desktop of this session; remote: the desktop of the server at --url`,
      )
        .choices(ADAPTER_NAMES)
        .default('synthetic'),
    )
    .option('--url <url>', 'with --adapter remote: the observer whose desktop to control, such as http://HOST:5001')
    .addOption(
      secretOption(
        '--remote-token <secret>',
        'with --adapter remote: the token that the other server requires',
        'BACKLOT_REMOTE_TOKEN',
      ),
    )
    .option('--mock', 'same as --adapter synthetic')
    .option('--stop-file <file>', 'stop all input as soon as this file exists')
    .option(
      '--yield-to-person <ms>',
      'on a real desktop, wait before each action until no person has used mouse or keyboard for this many milliseconds',
      wholeNumber,
    )
    .addOption(
      new Option(
        '--session <kind>',
        'with --adapter linux: the session to control; by default Wayland where its compositor can be driven, else X11',
      ).choices(LINUX_SESSIONS),
    )
    .addOption(
      new Option(
        '--gnome-input <way>',
        'with --adapter linux under GNOME: use pointer and keys through the desktop portal, for which GNOME asks you once, or through Mutter, without asking (default: portal)',
      ).choices(GNOME_INPUTS),
    )
    .option('--read-only', 'refuse every tool that changes something')
    .option('--scenario <file>', 'scenario file, or the name of a gallery scenario (default: desktop)')
    .option('--watch', 'reload the scenario when its file or an included file is saved, and print problems')
    .addOption(
      new Option(
        '--root <folder>',
        'allow reading scenarios, traces and pictures below this folder; repeatable',
      ).argParser((folder: string, before: readonly string[] = []) => [...before, folder]),
    )
    .option('--config <file>', 'configuration file (default: config.json, if it exists)')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'port of the observer (default: 5001; 0: any free port)', portNumber)
    .addOption(
      new Option(
        '--protocols <names>',
        `comma-separated list of protocols to serve: ${PROTOCOL_NAMES.join(', ')}; all: ${PROTOCOLS_OF_ALL.join(', ')}`,
      )
        .argParser(protocolNames)
        .default(['observer'], 'observer'),
    )
  const withFlags = [...AGENT_PROTOCOLS, ...SESSION_PROTOCOLS.map(({ name, port }) => ({ name, port, flags: [] }))]
  for (const option of withFlags.flatMap(optionsOf)) command.addOption(option)
  return withFaultsFlag(withVariantFlags(command))
    .option(
      '--variants <n>',
      'give each further session over HTTP the next of this many variants, drawn from the seed',
      wholeNumber,
    )
    .option('--data <folder>', 'folder for conversations and uploads of the agent protocols', '.backlot')
    .option(
      '--script <file>',
      'script that the agent plays for each message; takes precedence over the scenario’s script',
    )
    .option('--profiles <file>', 'agent profiles of the agent protocols, and their tools')
    .option('--record <file>', 'record the agent’s steps as a script for --script')
    .option('--quiet', 'agent protocols: do not log client errors')
    .addOption(
      secretOption('--token <secret>', 'require clients to send it as Authorization: Bearer …', 'BACKLOT_TOKEN'),
    )
    .addOption(
      new Option(
        '--tools <audience>',
        'agent: offer only tools to observe, act, wait and finish; other tools need the harness token or port',
      )
        .choices(['all', 'agent'])
        .default('all'),
    )
    .addOption(
      secretOption(
        '--harness-token <secret>',
        'with --tools agent: allow every tool to clients that send it as X-Harness-Token',
        'BACKLOT_HARNESS_TOKEN',
      ),
    )
    .option('--harness-port <number>', 'with --tools agent: also serve every tool on this port', portNumber)
    .option('--wire-log', 'write the HTTP requests and responses of calls into wire.jsonl beside a trace')
    .option('--shared-frames', 'let a harness on this machine read raw pictures from files in memory')
    .option('--insecure', 'allow listening beyond this machine without a token')
    .addOption(
      new Option('--clock <kind>', 'virtual: time advances when the agent acts or waits; real: time passes by itself')
        .choices(['virtual', 'real'])
        .default('virtual'),
    )
    .option('--time-scale <factor>', 'with --clock real: speed of time; 2 is twice as fast', positiveNumber, 1)
    .option('--max-actions <n>', 'limit of actions, for all sessions together', wholeNumber)
    .option('--max-screenshots <n>', 'limit of screenshots, for all sessions together', wholeNumber)
    .option('--max-vlm-tokens <n>', 'limit of vision model tokens, for all sessions together', wholeNumber)
    .option(
      '--max-session-seconds <n>',
      'refuse all calls this many seconds after the start, in every session',
      wholeNumber,
    )
    .option('--actions-per-minute <n>', 'limit of actions per minute, for all sessions together', wholeNumber)
    .action(serve)
}

async function serve(flags: ServeFlags, command: Command): Promise<void> {
  checkFlags(flags, explicitOptions(command))
  const loaded = load(flags)
  const config = configured(loaded.config, flags)
  const host = flags.host ?? config.web_ui.host
  const mode = flags.mode === 'auto' ? (mayBeClient(process.stdin) ? 'both' : 'inspect') : flags.mode
  const warning = mode === 'mcp' ? undefined : checkListeners(listenersOf(host, flags), flags.insecure === true)
  if (warning) log(warning)

  const testbed = await open(config, loaded, flags)
  log(`main: playing ${testbed.about()}`)
  if (testbed.task !== undefined) log(`main: the task is: ${testbed.task}`)
  if (loaded.warning) log(`main: ${loaded.path}: ${loaded.warning}`)
  if (!testbed.session.computer.info.synthetic) log(flags.adapter === 'remote' ? REMOTE_BANNER : REAL_BANNER)
  const ended = waitForSignal()
  try {
    const served = mode === 'mcp' ? [] : await listenAll(testbed, host, config, flags)
    if (served.length > 0) log(banner(served, flags))
    const speaking = mode === 'inspect' ? ended : testbed.serveMcp(process.stdin, process.stdout)
    // A program that starts a server may leave an unused pipe on standard input. Its end does not end REST.
    const left = flags.mode === 'auto' ? speaking.then((spoken) => spoken || ended) : speaking
    const name = await Promise.race([left, ended])
    await testbed.close()
    log(typeof name === 'string' || mode !== 'both' ? 'main: ended' : WITH_INPUT)
    process.exit(exitCodeFor(typeof name === 'string' ? name : undefined))
  } catch (error) {
    await testbed.close()
    throw error
  }
}

const WITH_INPUT = 'main: ended because standard input closed; --mode inspect serves REST without it'

/** Whether standard input may belong to an MCP client: a pipe or socket, but not a terminal or `/dev/null`. */
const mayBeClient = ({ fd }: { readonly fd: number }): boolean => !fstatSync(fd).isCharacterDevice()

const REAL_BANNER = `
  ******************************************************************
  *  THIS IS A REAL DESKTOP. Agents see your windows, move your    *
  *  pointer and type on your keyboard.                            *
  *  --read-only refuses every action. Press Ctrl-C to stop.       *
  ******************************************************************
`

const REMOTE_BANNER = `
  ******************************************************************
  *  THIS DESKTOP IS ON ANOTHER MACHINE and may be real. Agents    *
  *  see its windows, move its pointer and type on its keyboard.   *
  *  --read-only refuses every action. Press Ctrl-C to stop.       *
  ******************************************************************
`

function load(flags: ServeFlags): LoadedConfig {
  try {
    return loadConfig(flags.config)
  } catch (error) {
    if (error instanceof ConfigError) throw new UserError(error.message)
    throw error
  }
}

/** The configuration, overridden by the flags. */
const configured = (config: Config, flags: ServeFlags): Config => ({
  ...config,
  roots: [...config.roots, ...(flags.root ?? [])],
  read_only: config.read_only || flags.readOnly === true,
  tracing: { ...config.tracing, wire_log: config.tracing.wire_log || flags.wireLog === true },
  budget: {
    ...config.budget,
    ...(flags.maxActions !== undefined && { max_actions: flags.maxActions }),
    ...(flags.maxScreenshots !== undefined && { max_screenshots: flags.maxScreenshots }),
    ...(flags.maxVlmTokens !== undefined && { max_vlm_tokens: flags.maxVlmTokens }),
    ...(flags.maxSessionSeconds !== undefined && { max_session_seconds: flags.maxSessionSeconds }),
    ...(flags.actionsPerMinute !== undefined && { actions_per_minute: flags.actionsPerMinute }),
  },
})

/** The long names of the options that the command line sets. */
const explicitOptions = (command: Command): readonly string[] =>
  command.options.flatMap((option) =>
    option.long && command.getOptionValueSource(option.attributeName()) === 'cli' ? [option.long] : [],
  )

const listenersOf = (host: string, flags: ServeFlags): readonly Listener[] =>
  flags.protocols.map((name) => {
    const protocol = findAgentProtocol(name)
    const asked = protocol?.requiresSecret?.(ownFlags(protocol, flags), environmentWithToken(flags.token))
    return {
      name,
      host: hostOf(name, host, flags),
      supportsToken: protocol === undefined || protocol.tokenVariable !== undefined,
      requiresToken: protocol === undefined ? flags.token !== undefined : asked === true,
    }
  })

/** The environment variables, with `--token` as the token of each protocol without one. */
const environmentWithToken = (token: string | undefined): EnvironmentVariables => ({
  ...Object.fromEntries(
    AGENT_PROTOCOLS.flatMap(({ tokenVariable }) =>
      tokenVariable !== undefined && token !== undefined ? [[tokenVariable, token]] : [],
    ),
  ),
  ...process.env,
})

async function open(config: Config, loaded: LoadedConfig, flags: ServeFlags): Promise<Testbed> {
  const real = flags.adapter !== 'synthetic' || flags.clock === 'real'
  return createTestbed({
    config,
    adapter: flags.adapter,
    ...(flags.adapter === 'remote' && { remote: { url: flags.url!, token: flags.remoteToken } }),
    scenario: flags.scenario,
    seed: flags.seed,
    variant: chosenVariant(flags),
    variants: flags.variants,
    faults: flags.faults,
    yieldToPersonMs: flags.yieldToPerson,
    session: flags.session,
    gnomeInput: flags.gnomeInput,
    clock: real ? realClock(flags.timeScale) : virtualClock(),
    env: environmentWithToken(flags.token),
    dataFolder: flags.data,
    auth: flags.auth,
    agent: { script: flags.script, profiles: flags.profiles, record: flags.record },
    tools: flags.tools,
    stopFile: flags.stopFile,
    sharedFrames: flags.sharedFrames,
    ...(flags.watch && { watch: (line: string) => log(`main: ${line}`) }),
    configPath: loaded.path,
    configError: loaded.warning,
    ...(flags.quiet !== true && { note: log }),
    warn: (line) => log(`main: ${line}`),
    report: (bug) => log(`main: ${problemOf(bug)}`),
  })
}

/** One line for a disk error, and the whole stack for a bug. */
function problemOf(thrown: unknown): string {
  const storage = storageProblem(thrown)
  if (storage !== undefined) return `${storage}: ${(thrown as Error).message}`
  return `internal error: ${thrown instanceof Error ? thrown.stack : String(thrown)}`
}

async function listenAll(
  testbed: Testbed,
  host: string,
  config: Config,
  flags: ServeFlags,
): Promise<readonly ServedProtocol[]> {
  const served: ServedProtocol[] = []
  for (const name of flags.protocols) {
    const address = hostOf(name, host, flags)
    const protocol = findAgentProtocol(name)
    const overSession = SESSION_PROTOCOLS.find((one) => one.name === name)
    if (protocol) served.push(...(await listenAgent(testbed, protocol, address, flags)))
    else if (overSession) served.push(await listenOverSession(testbed, overSession, address, flags))
    else served.push(...(await listenObserver(testbed, address, config, flags)))
  }
  return served
}

async function listenObserver(
  testbed: Testbed,
  host: string,
  config: Config,
  { port = config.web_ui.port, token, harnessToken, harnessPort }: ServeFlags,
): Promise<readonly ServedProtocol[]> {
  const secrets = { token: token !== undefined, environment: process.env }
  const { url } = await listening(host, port, '--port', () => testbed.serveRest({ host, port, token, harnessToken }))
  const observer = { name: observerProtocol.name, url, commands: observerProtocol.commands(url, secrets) }
  if (harnessPort === undefined) return [observer]
  // The same sessions on a second port, where every client may use every tool.
  const harness = await listening(host, harnessPort, '--harness-port', () =>
    testbed.serveRest({ host, port: harnessPort, token, harnessOnly: true }),
  )
  return [observer, { name: 'harness', url: harness.url, commands: harnessCommands(harness.url, secrets) }]
}

/** Serves a protocol over the tools of the session. */
async function listenOverSession(
  testbed: Testbed,
  { name, commands }: (typeof SESSION_PROTOCOLS)[number],
  host: string,
  flags: ServeFlags,
): Promise<ServedProtocol> {
  const { token, harnessToken } = flags
  const flag = `--${name}-port`
  const port = Number(flagValue(flags, flag))
  const { url } = await listening(host, port, flag, () =>
    testbed.serveProtocol(name, { host, port, token, harnessToken }),
  )
  return { name, url, commands: commands(url, { token: token !== undefined, environment: process.env }) }
}

/** Serves a protocol, its runtime and its services. */
async function listenAgent(
  testbed: Testbed,
  { name, commands, runtime, services = [] }: RegisteredProtocol,
  host: string,
  flags: ServeFlags,
): Promise<readonly ServedProtocol[]> {
  const secrets = { token: flags.token !== undefined, environment: process.env }
  const flag = `--${name}-port`
  const port = Number(flagValue(flags, flag))
  const { url } = await listening(host, port, flag, () => testbed.serveBackend(name, { host, port }))
  if (runtime && flagValue(flags, runtime.flag) === true) await testbed.startRuntime(name, url)
  const served: ServedProtocol[] = [{ name, url, commands: commands(url, secrets) }]
  for (const service of services) {
    const port = flagValue(flags, service.flag)
    if (typeof port !== 'number') continue
    const serving = () => testbed.serveService(service.name, { host, port })
    const { url } = await listening(host, port, service.flag, serving)
    served.push({ name: service.name, url, commands: service.commands(url, secrets) })
  }
  return served
}

/** The address of one protocol: `--NAME-host`, else that of all. */
const hostOf = (name: ProtocolName, host: string, flags: ServeFlags): string =>
  String(flagValue(flags, `--${name}-host`) ?? host)

const UNREACHABLE: ReadonlySet<string> = new Set(['EACCES', 'EADDRNOTAVAIL'])

async function listening<T>(host: string, port: number, flag: string, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const { code, syscall, path } = error as NodeJS.ErrnoException
    if (syscall === 'mkdir') throw new UserError(`cannot create ${path} (${code}); choose another folder with --data`)
    if (code === 'EADDRINUSE')
      throw new UserError(
        `port ${port} on ${host} is in use; stop the other server or choose another port with ${flag}`,
      )
    if (code !== undefined && (UNREACHABLE.has(code) || syscall === 'getaddrinfo'))
      throw new UserError(`cannot listen on ${host}:${port} (${code})`)
    throw error
  }
}

const log = (text: string) => process.stderr.write(`${text}\n`)

function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('use a number above 0')
  return value
}

function protocolNames(text: string): readonly ProtocolName[] {
  if (text === 'all') return PROTOCOLS_OF_ALL
  return text.split(',').map((given) => {
    const name = PROTOCOL_NAMES.find((known) => known === given.trim())
    if (!name)
      throw new InvalidArgumentError(
        `unknown protocol ${JSON.stringify(given)}; use ${PROTOCOL_NAMES.join(', ')}, or all`,
      )
    return name
  })
}

/** The options of a protocol: its port, then its own flags. */
const optionsOf = ({
  name,
  port,
  portVariable,
  flags,
}: Pick<AgentProtocol, 'name' | 'port' | 'portVariable' | 'flags'>): readonly Option[] => [
  toOption({
    syntax: `--${name}-port <number>`,
    description: `port of ${name}`,
    kind: 'port',
    ...(portVariable !== undefined && { variable: portVariable }),
  }).default(port),
  ...flags.map(toOption),
]

function toOption({ syntax, description, kind, choices, default: value, variable }: ProtocolFlag): Option {
  const option = new Option(syntax, description)
  if (kind === 'port') option.argParser(portNumber)
  if (choices) option.choices(choices)
  if (value !== undefined) option.default(value)
  if (variable !== undefined) option.env(variable)
  return option
}
