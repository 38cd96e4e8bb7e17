import { fstatSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { realClock, virtualClock } from '../../base/clock.ts'
import type { EnvironmentVariables } from '../../base/environment-variables.ts'
import { storageProblem } from '../../base/fault.ts'
import { type Config, ConfigError, type LoadedConfig, loadConfig } from '../../compose/config.ts'
import { createTestbed, type Testbed } from '../../compose/testbed.ts'
import type { AgentProtocol, ProtocolFlag } from '../../protocols/definition.ts'
import { harnessCommands, observerProtocol } from '../../protocols/observer-rest/index.ts'
import {
  AGENT_PROTOCOLS,
  findAgentProtocol,
  PROTOCOL_NAMES,
  type ProtocolName,
  type RegisteredProtocol,
} from '../../protocols/registry.ts'
import { portNumber, wholeNumber } from '../arguments.ts'
import { banner, type ServedProtocol } from '../banner.ts'
import { checkListeners, type Listener } from '../listen-options.ts'
import { checkFlags, flagValue, ownFlags, type ServeFlags } from '../serve-flags.ts'
import { exitCodeFor, waitForSignal } from '../signals.ts'
import { UserError } from '../user-error.ts'

/** `backlot serve`: the observer over REST, MCP or both. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('Serve a desktop to agents: REST on a port, MCP on standard input and output.')
    .addOption(
      new Option(
        '--mode <mode>',
        'inspect: REST only; mcp: MCP only; both: one session for both; auto: both when standard input is a pipe, else inspect; REST goes on when no client has spoken on the pipe',
      )
        .choices(['auto', 'inspect', 'mcp', 'both'])
        .default('auto'),
    )
    .addOption(
      new Option('--adapter <name>', 'synthetic: a scenario plays; linux or auto: the real desktop of this session')
        .choices(['synthetic', 'linux', 'auto'])
        .default('synthetic'),
    )
    .option('--mock', 'the same as --adapter synthetic')
    .option('--stop-file <file>', 'all input ends as soon as this file exists')
    .option(
      '--yield-to-person <ms>',
      'actions on a real desktop wait until nobody else has used mouse or keyboard for this long',
      wholeNumber,
    )
    .option('--read-only', 'refuse every tool that acts')
    .option(
      '--scenario <file>',
      'what plays on the synthetic desktop: a file, or a name of the gallery (default: desktop)',
    )
    .addOption(
      new Option(
        '--root <folder>',
        'scenarios, traces and pictures below it may be read; may be given again',
      ).argParser((folder: string, before: readonly string[] = []) => [...before, folder]),
    )
    .option('--config <file>', 'settings (default: config.json, if there is one)')
    .option('--host <address>', 'where to listen (default: 127.0.0.1)')
    .option('--port <number>', 'where to listen (default: 5001; 0 takes a free one)', portNumber)
    .addOption(
      new Option('--protocols <names>', `what to serve, by commas: ${PROTOCOL_NAMES.join(', ')}, or all`)
        .argParser(protocolNames)
        .default(['observer'], 'observer'),
    )
  for (const option of AGENT_PROTOCOLS.flatMap(optionsOf)) command.addOption(option)
  return command
    .option('--data <folder>', 'where the agent protocols keep conversations and uploads', '.backlot')
    .option('--script <file>', 'what the agent does with each message, before the scenario’s own lines')
    .option('--profiles <file>', 'who can be talked to over the agent protocols, and their tools')
    .option('--record <file>', 'write what the agent does as a script that --script plays again')
    .option('--quiet', 'say nothing of what clients of the agent protocols do wrong')
    .option('--token <secret>', 'clients must send it as Authorization: Bearer …', secret)
    .addOption(
      new Option('--tools <audience>', 'agent: callers may observe, act, wait and finish; the rest needs the harness')
        .choices(['all', 'agent'])
        .default('all'),
    )
    .addOption(
      new Option('--harness-token <secret>', 'with --tools agent: who sends it as X-Harness-Token may use every tool')
        .argParser(secret)
        .env('BACKLOT_HARNESS_TOKEN'),
    )
    .option('--harness-port <number>', 'with --tools agent: every tool is served there too', portNumber)
    .option('--insecure', 'allow a non-loopback address without a token')
    .addOption(
      new Option('--clock <kind>', 'virtual: time moves when the agent acts or waits; real: by itself')
        .choices(['virtual', 'real'])
        .default('virtual'),
    )
    .option('--time-scale <factor>', 'real clock only: 2 is twice as fast', positiveNumber, 1)
    .option('--seed <number>', 'chance, instead of the scenario’s own seed', wholeNumber)
    .option('--max-actions <n>', 'refuse actions after this many, of all sessions together', wholeNumber)
    .option('--max-screenshots <n>', 'refuse screenshots after this many, of all sessions together', wholeNumber)
    .option(
      '--max-vlm-tokens <n>',
      'stop asking the vision model after this many tokens, of all sessions together',
      wholeNumber,
    )
    .option(
      '--max-session-seconds <n>',
      'refuse everything after this time, however many sessions are opened',
      wholeNumber,
    )
    .option('--actions-per-minute <n>', 'refuse faster action, of all sessions together', wholeNumber)
    .action(serve)
}

async function serve(flags: ServeFlags, command: Command): Promise<void> {
  checkFlags(flags, givenIn(command))
  const loaded = load(flags)
  const config = configured(loaded.config, flags)
  const host = flags.host ?? config.web_ui.host
  const mode = flags.mode === 'auto' ? (mayBeClient(process.stdin) ? 'both' : 'inspect') : flags.mode
  const warning = mode === 'mcp' ? undefined : checkListeners(listenersOf(host, flags), flags.insecure === true)
  if (warning) log(warning)

  const testbed = await open(config, loaded, flags)
  log(`main: playing ${testbed.about()}`)
  if (loaded.warning) log(`main: ${loaded.path}: ${loaded.warning}`)
  if (!testbed.session.computer.info.synthetic) log(REAL_BANNER)
  const ended = waitForSignal()
  try {
    const served = mode === 'mcp' ? [] : await listenAll(testbed, host, config, flags)
    if (served.length > 0) log(banner(served, flags))
    const speaking = mode === 'inspect' ? ended : testbed.serveMcp(process.stdin, process.stdout)
    // A pipe on which no client has spoken, as a program that starts a server may leave, serves nobody.
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

const WITH_INPUT = 'main: ended with standard input; --mode inspect serves REST without it'

/** MCP clients hold a pipe or a socket; a terminal and the empty device that services get are none. */
const mayBeClient = ({ fd }: { readonly fd: number }): boolean => !fstatSync(fd).isCharacterDevice()

const REAL_BANNER = `
  ******************************************************************
  *  THIS IS A REAL DESKTOP. What agents do here really happens:   *
  *  they see your windows, move your pointer and type.            *
  *  --read-only refuses every action; Ctrl-C ends it all at once. *
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

/** The configuration with what the flags say on top. */
const configured = (config: Config, flags: ServeFlags): Config => ({
  ...config,
  roots: [...config.roots, ...(flags.root ?? [])],
  read_only: config.read_only || flags.readOnly === true,
  budget: {
    ...config.budget,
    ...(flags.maxActions !== undefined && { max_actions: flags.maxActions }),
    ...(flags.maxScreenshots !== undefined && { max_screenshots: flags.maxScreenshots }),
    ...(flags.maxVlmTokens !== undefined && { max_vlm_tokens: flags.maxVlmTokens }),
    ...(flags.maxSessionSeconds !== undefined && { max_session_seconds: flags.maxSessionSeconds }),
    ...(flags.actionsPerMinute !== undefined && { actions_per_minute: flags.actionsPerMinute }),
  },
})

/** The options that stand on the command line, by their long names. */
const givenIn = (command: Command): readonly string[] =>
  command.options.flatMap((option) =>
    option.long && command.getOptionValueSource(option.attributeName()) === 'cli' ? [option.long] : [],
  )

const listenersOf = (host: string, flags: ServeFlags): readonly Listener[] =>
  flags.protocols.map((name) => {
    const protocol = findAgentProtocol(name)
    const asked = protocol?.requiresSecret?.(ownFlags(protocol, flags), environmentOf(flags.token))
    return {
      name,
      host: hostOf(name, host, flags),
      supportsToken: protocol === undefined || protocol.tokenVariable !== undefined,
      requiresToken: protocol === undefined ? flags.token !== undefined : asked === true,
    }
  })

/** The environment, with `--token` as the token of each protocol that has none of its own. */
const environmentOf = (token: string | undefined): EnvironmentVariables => ({
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
    scenario: flags.scenario,
    seed: flags.seed,
    yieldToPersonMs: flags.yieldToPerson,
    clock: real ? realClock(flags.timeScale) : virtualClock(),
    env: environmentOf(flags.token),
    dataFolder: flags.data,
    auth: flags.auth,
    agent: { script: flags.script, profiles: flags.profiles, record: flags.record },
    tools: flags.tools,
    stopFile: flags.stopFile,
    configPath: loaded.path,
    configError: loaded.warning,
    ...(flags.quiet !== true && { note: log }),
    warn: (line) => log(`main: ${line}`),
    report: (bug) => log(`main: ${problemOf(bug)}`),
  })
}

/** One line for a disk that fails, the whole stack for a bug. */
function problemOf(thrown: unknown): string {
  const storage = storageProblem(thrown)
  if (storage !== undefined) return `${storage}: ${(thrown as Error).message}`
  return `a bug of ours: ${thrown instanceof Error ? thrown.stack : String(thrown)}`
}

async function listenAll(
  testbed: Testbed,
  host: string,
  config: Config,
  flags: ServeFlags,
): Promise<readonly ServedProtocol[]> {
  const served: ServedProtocol[] = []
  for (const name of flags.protocols) {
    const at = hostOf(name, host, flags)
    const protocol = findAgentProtocol(name)
    served.push(
      ...(protocol
        ? await listenAgent(testbed, protocol, at, flags)
        : await listenObserver(testbed, at, config, flags)),
    )
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
  // The same sessions again, on a port where every caller may use every tool.
  const harness = await listening(host, harnessPort, '--harness-port', () =>
    testbed.serveRest({ host, port: harnessPort, token, harnessOnly: true }),
  )
  return [observer, { name: 'harness', url: harness.url, commands: harnessCommands(harness.url, secrets) }]
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

/** `--NAME-host` holds for one protocol alone. */
const hostOf = (name: ProtocolName, host: string, flags: ServeFlags): string =>
  String(flagValue(flags, `--${name}-host`) ?? host)

const UNREACHABLE: ReadonlySet<string> = new Set(['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

async function listening<T>(host: string, port: number, flag: string, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const { code, syscall, path } = error as NodeJS.ErrnoException
    if (syscall === 'mkdir') throw new UserError(`${path} cannot be made (${code}); choose another folder with --data`)
    if (code === 'EADDRINUSE')
      throw new UserError(`port ${port} on ${host} is in use; end what serves there or choose another with ${flag}`)
    if (code !== undefined && UNREACHABLE.has(code))
      throw new UserError(`${host}:${port} cannot be listened on (${code})`)
    throw error
  }
}

const log = (text: string) => process.stderr.write(`${text}\n`)

/** An empty one, as of a variable that is not set, would let everybody in. */
function secret(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('it is empty; give a secret, or leave --token out')
  return text
}

function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('use a number above 0')
  return value
}

function protocolNames(text: string): readonly ProtocolName[] {
  if (text === 'all') return PROTOCOL_NAMES
  return text.split(',').map((written) => {
    const name = PROTOCOL_NAMES.find((known) => known === written.trim())
    if (!name)
      throw new InvalidArgumentError(
        `there is no ${JSON.stringify(written)}; there is ${PROTOCOL_NAMES.join(', ')}, or all`,
      )
    return name
  })
}

/** The options of a protocol: its port, then its own. */
const optionsOf = ({ name, port, portVariable, flags }: AgentProtocol): readonly Option[] => [
  toOption({
    syntax: `--${name}-port <number>`,
    description: `where ${name} is served`,
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
