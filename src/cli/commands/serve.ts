import { dirname, resolve } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { isLoopback } from '../../base/address.ts'
import { realClock, virtualClock } from '../../base/clock.ts'
import { type Config, ConfigError, type LoadedConfig, loadConfig } from '../../config.ts'
import { createTestbed, type Served, type Testbed } from '../../testbed.ts'
import { Trouble } from '../trouble.ts'

interface ServeFlags {
  readonly mode: 'auto' | 'inspect' | 'mcp' | 'both'
  readonly config: string
  readonly scenario?: string
  readonly host?: string
  readonly port?: number
  readonly token?: string
  readonly insecure?: boolean
  readonly clock: 'virtual' | 'real'
  readonly timeScale: number
  readonly seed?: number
  readonly maxActions?: number
  readonly maxScreenshots?: number
  readonly maxVlmTokens?: number
  readonly maxSessionSeconds?: number
  readonly actionsPerMinute?: number
}

/** `backlot serve`: the observer over REST, MCP or both. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve a desktop to agents: REST on a port, MCP on standard input and output.')
    .addOption(
      new Option(
        '--mode <mode>',
        'inspect: REST only; mcp: MCP only; both: one session for both; auto: by the terminal',
      )
        .choices(['auto', 'inspect', 'mcp', 'both'])
        .default('auto'),
    )
    .option('--mock', 'a synthetic desktop (the default)')
    .option('--scenario <file>', 'what plays on the synthetic desktop (default: the gallery’s desktop.yaml)')
    .option('--config <file>', 'settings; a missing file means the defaults', 'config.json')
    .option('--host <address>', 'where to listen (default: 127.0.0.1)')
    .option('--port <number>', 'where to listen (default: 5001; 0 takes the configured one)', portNumber)
    .option('--token <secret>', 'clients must send it as Authorization: Bearer …')
    .option('--insecure', 'allow a non-loopback address without a token')
    .addOption(
      new Option('--clock <kind>', 'virtual: time moves when the agent acts or waits; real: by itself')
        .choices(['virtual', 'real'])
        .default('virtual'),
    )
    .option('--time-scale <factor>', 'real clock only: 2 is twice as fast', positiveNumber, 1)
    .option('--seed <number>', 'chance, instead of the scenario’s own seed', wholeNumber)
    .option('--max-actions <n>', 'refuse actions after this many', wholeNumber)
    .option('--max-screenshots <n>', 'refuse screenshots after this many', wholeNumber)
    .option('--max-vlm-tokens <n>', 'stop asking the vision model after this many tokens', wholeNumber)
    .option('--max-session-seconds <n>', 'refuse everything after this time', wholeNumber)
    .option('--actions-per-minute <n>', 'refuse faster action', wholeNumber)
    .exitOverride()
    .action(serve)
}

async function serve(flags: ServeFlags): Promise<void> {
  const loaded = load(flags)
  const config = withBudgets(loaded.config, flags)
  const host = flags.host ?? config.web_ui.host
  const mode = flags.mode === 'auto' ? (process.stdin.isTTY ? 'inspect' : 'both') : flags.mode
  if (mode !== 'mcp') checkExposure(host, flags)

  const testbed = await open(config, loaded, flags)
  log(`main: playing ${testbed.about()}`)
  if (loaded.warning) log(`main: ${loaded.path}: ${loaded.warning}`)
  const served = mode === 'mcp' ? undefined : await listen(testbed, host, flags.port || config.web_ui.port, flags.token)
  if (served) log(table(served.url, flags))
  if (mode === 'inspect') return untilSignal(testbed)
  await Promise.race([testbed.serveMcp(process.stdin, process.stdout), signal()])
  await testbed.close()
  process.exit(0)
}

function load(flags: ServeFlags): LoadedConfig {
  try {
    return loadConfig(flags.config)
  } catch (error) {
    if (error instanceof ConfigError) throw new Trouble(error.message)
    throw error
  }
}

const withBudgets = (config: Config, flags: ServeFlags): Config => ({
  ...config,
  budget: {
    ...config.budget,
    ...(flags.maxActions !== undefined && { max_actions: flags.maxActions }),
    ...(flags.maxScreenshots !== undefined && { max_screenshots: flags.maxScreenshots }),
    ...(flags.maxVlmTokens !== undefined && { max_vlm_tokens: flags.maxVlmTokens }),
    ...(flags.maxSessionSeconds !== undefined && { max_session_seconds: flags.maxSessionSeconds }),
    ...(flags.actionsPerMinute !== undefined && { actions_per_minute: flags.actionsPerMinute }),
  },
})

/** Beyond this machine a token is needed, unless the operator says otherwise in so many words. */
function checkExposure(host: string, { token, insecure }: ServeFlags): void {
  if (isLoopback(host)) return
  if (token === undefined && !insecure)
    throw new Trouble(
      `${host} can be reached from other machines; give --token SECRET, or --insecure to serve it to anyone there`,
    )
  if (token !== undefined) return
  log(`
  ****************************************************************
  *  WARNING: unauthenticated action API exposed to the network  *
  *  Whoever reaches ${host.padEnd(42)}  *
  *  can see this desktop and act on it.                         *
  ****************************************************************
`)
}

async function open(config: Config, loaded: LoadedConfig, flags: ServeFlags): Promise<Testbed> {
  return createTestbed({
    config,
    scenario: flags.scenario,
    seed: flags.seed,
    clock: flags.clock === 'real' ? realClock(flags.timeScale) : virtualClock(),
    configPath: loaded.path,
    configError: loaded.warning,
    report: (bug) => log(`main: a bug of ours: ${bug instanceof Error ? bug.stack : String(bug)}`),
  })
}

async function listen(testbed: Testbed, host: string, port: number, token: string | undefined): Promise<Served> {
  try {
    return await testbed.serveRest({ host, port, token })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    await testbed.close()
    if (code === 'EADDRINUSE')
      throw new Trouble(`port ${port} on ${host} is in use; end what serves there or choose another with --port`)
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
      throw new Trouble(`${host}:${port} cannot be listened on (${code})`)
    throw error
  }
}

function table(url: string, { scenario, token }: ServeFlags): string {
  const auth = token === undefined ? '' : ` -H 'Authorization: Bearer …'`
  const cwd = resolve('.')
  const command = `npm run --silent --prefix ${cwd} backlot -- serve --mode mcp${scenario ? ` --scenario ${resolve(dirname(scenario), scenario)}` : ''}`
  return `
  Backlot is on stage.

  what             where                        try
  inspector        ${url}/       open it in a browser
  observer, REST   ${url}/api   curl -s${auth} ${url}/api/windows
                                                curl -s${auth} ${url}/api/structure
  observer, MCP    standard input and output    ${command}

  Ctrl-C ends it.
`
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const signal = (): Promise<NodeJS.Signals> =>
  new Promise((done) => {
    for (const name of SIGNALS) process.once(name, () => done(name))
  })

async function untilSignal(testbed: Testbed): Promise<void> {
  const name = await signal()
  await testbed.close()
  log('main: ended')
  process.exit(name === 'SIGTERM' ? 143 : 0)
}

const log = (text: string) => process.stderr.write(`${text}\n`)

function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('use a whole number, 0 or more')
  return Number(text)
}

function portNumber(text: string): number {
  const port = wholeNumber(text)
  if (port > 65_535) throw new InvalidArgumentError('use a port from 0 to 65535')
  return port
}

function positiveNumber(text: string): number {
  const value = Number(text)
  if (!(value > 0) || !Number.isFinite(value)) throw new InvalidArgumentError('use a number above 0')
  return value
}
