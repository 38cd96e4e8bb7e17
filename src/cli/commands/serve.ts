import { fstatSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { realClock, virtualClock } from '../../base/clock.ts'
import { storageProblem } from '../../base/fault.ts'
import { type Config, ConfigError, type LoadedConfig, loadConfig } from '../../config.ts'
import { createTestbed, type Testbed } from '../../testbed.ts'
import { portNumber, wholeNumber } from '../arguments.ts'
import { endSignal, exitCodeFor } from '../ending.ts'
import { checkExposure, type Door } from '../exposure.ts'
import { playbill, type ServedProtocol } from '../playbill.ts'
import { checkFlags, PROTOCOLS, type ProtocolName, type ServeFlags } from '../serve-flags.ts'
import { Trouble } from '../trouble.ts'

/** `backlot serve`: the observer over REST, MCP or both. */
export function serveCommand(): Command {
  return new Command('serve')
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
      new Option('--protocols <names>', `what to serve, by commas: ${PROTOCOLS.join(', ')}, or all`)
        .argParser(protocolNames)
        .default(['observer'], 'observer'),
    )
    .addOption(backendPort('agent-webkit', 8010))
    .addOption(backendPort('cortask', 3777).env('CORTASK_PORT'))
    .addOption(
      new Option('--cortask-host <address>', 'where cortask is served, if elsewhere than the rest').env('CORTASK_HOST'),
    )
    .addOption(backendPort('navi', 8000))
    .addOption(backendPort('windieos', 8765))
    .addOption(
      new Option('--auth <mode>', 'windieos: install asks for the token of an installation')
        .choices(['install', 'none'])
        .default('none'),
    )
    .option('--with-runtime', 'windieos: carry out its tool calls on the served desktop')
    .option('--embedding-port <number>', 'windieos: also serve its embedding service there', portNumber)
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
  const warning = mode === 'mcp' ? undefined : checkExposure(doorsOf(host, flags), flags.insecure === true)
  if (warning) log(warning)

  const testbed = await open(config, loaded, flags)
  log(`main: playing ${testbed.about()}`)
  if (loaded.warning) log(`main: ${loaded.path}: ${loaded.warning}`)
  if (!testbed.session.computer.about.synthetic) log(REAL_BANNER)
  const ended = endSignal()
  try {
    const served = mode === 'mcp' ? [] : await listenAll(testbed, host, config, flags)
    if (served.length > 0) log(playbill(served, flags, process.env))
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
    if (error instanceof ConfigError) throw new Trouble(error.message)
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

const doorsOf = (host: string, flags: ServeFlags): readonly Door[] =>
  flags.protocols.map((name) => ({ name, host: hostOf(name, host, flags), asksForToken: asksForToken(name, flags) }))

/** Cortask and Navi have no tokens in their documents. */
function asksForToken(name: ProtocolName, { token, auth }: ServeFlags): boolean {
  if (name === 'observer') return token !== undefined
  if (name === 'windieos') return auth === 'install'
  const { AGENT_WEBKIT_TOKEN, AGENT_WEBKIT_NO_AUTH } = environmentOf(token)
  return name === 'agent-webkit' && Boolean(AGENT_WEBKIT_TOKEN) && AGENT_WEBKIT_NO_AUTH !== '1'
}

/** What the environment says; agent-webkit has the one token if it has none of its own. */
const environmentOf = (token: string | undefined): NodeJS.ProcessEnv => ({
  ...(token !== undefined && { AGENT_WEBKIT_TOKEN: token }),
  ...process.env,
})

async function open(config: Config, loaded: LoadedConfig, flags: ServeFlags): Promise<Testbed> {
  const real = flags.adapter !== 'synthetic' || flags.clock === 'real'
  return createTestbed({
    config,
    adapter: flags.adapter,
    scenario: flags.scenario,
    seed: flags.seed,
    clock: real ? realClock(flags.timeScale) : virtualClock(),
    environment: environmentOf(flags.token),
    dataFolder: flags.data,
    auth: flags.auth,
    agent: { script: flags.script, profiles: flags.profiles, record: flags.record },
    tools: flags.tools,
    stopFile: flags.stopFile,
    configPath: loaded.path,
    configError: loaded.warning,
    ...(flags.quiet !== true && { note: log }),
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
    const port = portOf(name, config, flags)
    const flag = name === 'observer' ? '--port' : `--${name}-port`
    const at = { host: hostOf(name, host, flags), port }
    const { url } = await listening(at.host, port, flag, () =>
      name === 'observer'
        ? testbed.serveRest({ ...at, token: flags.token, harnessToken: flags.harnessToken })
        : testbed.serveBackend(name, at),
    )
    served.push({ name, url })
    if (name === 'observer' && flags.harnessPort !== undefined)
      served.push({ name: 'harness', url: await serveHarness(testbed, at.host, flags.harnessPort, flags) })
    if (name === 'windieos') served.push(...(await furnishWindieos(testbed, url, at.host, flags)))
  }
  return served
}

/** The same sessions again, on a port where every caller may use every tool. */
async function serveHarness(testbed: Testbed, host: string, port: number, { token }: ServeFlags): Promise<string> {
  const serving = () => testbed.serveRest({ host, port, token, harnessOnly: true })
  return (await listening(host, port, '--harness-port', serving)).url
}

/** What belongs to WindieOS besides its server. */
async function furnishWindieos(
  testbed: Testbed,
  url: string,
  host: string,
  { embeddingPort: port, withRuntime }: ServeFlags,
): Promise<readonly ServedProtocol[]> {
  if (withRuntime) await testbed.startRuntime(url)
  if (port === undefined) return []
  const embeddings = await listening(host, port, '--embedding-port', () => testbed.serveEmbeddings({ host, port }))
  return [{ name: 'embeddings', url: embeddings.url }]
}

/** Cortask's own setting holds for Cortask alone. */
const hostOf = (name: ProtocolName, host: string, { cortaskHost }: ServeFlags): string =>
  name === 'cortask' ? (cortaskHost ?? host) : host

function portOf(name: ProtocolName, config: Config, flags: ServeFlags): number {
  switch (name) {
    case 'observer':
      return flags.port ?? config.web_ui.port
    case 'agent-webkit':
      return flags.agentWebkitPort
    case 'cortask':
      return flags.cortaskPort
    case 'navi':
      return flags.naviPort
    case 'windieos':
      return flags.windieosPort
  }
}

const UNREACHABLE: ReadonlySet<string> = new Set(['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

async function listening<T>(host: string, port: number, flag: string, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen()
  } catch (error) {
    const { code, syscall, path } = error as NodeJS.ErrnoException
    if (syscall === 'mkdir') throw new Trouble(`${path} cannot be made (${code}); choose another folder with --data`)
    if (code === 'EADDRINUSE')
      throw new Trouble(`port ${port} on ${host} is in use; end what serves there or choose another with ${flag}`)
    if (code !== undefined && UNREACHABLE.has(code))
      throw new Trouble(`${host}:${port} cannot be listened on (${code})`)
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
  if (text === 'all') return PROTOCOLS
  return text.split(',').map((written) => {
    const name = PROTOCOLS.find((known) => known === written.trim())
    if (!name)
      throw new InvalidArgumentError(`there is no ${JSON.stringify(written)}; there is ${PROTOCOLS.join(', ')}, or all`)
    return name
  })
}

const backendPort = (name: string, port: number): Option =>
  new Option(`--${name}-port <number>`, `where ${name} is served`).argParser(portNumber).default(port)
