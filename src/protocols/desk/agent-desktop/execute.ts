import { Fault } from '../../../base/fault.ts'
import type { CommandFile, CommandRequest, CommandResult } from '../contract.ts'
import type { DeskSession } from '../desk-session.ts'
import * as acts from './act-commands.ts'
import {
  COMMAND_FORMS,
  type DeskCommandName,
  entryArguments,
  isCommand,
  type ParsedCommand,
  parseCommand,
} from './arguments.ts'
import { commandError, type DeskCall, type DeskCommand, elapsedSince, nowMs } from './desk-call.ts'
import { CommandError, errorOf, failureOf, PROCESS_EXIT, successOf } from './envelope.ts'
import * as looks from './observe-commands.ts'
import * as sessions from './session-commands.ts'
import { deskStateOf, namedSession } from './snapshots.ts'
import * as system from './system-commands.ts'
import { ENVELOPE_VERSIONS } from './versions.ts'
import { pollUntil, selectorPredicate, wait } from './wait-command.ts'

/** Commands without a meaning on this desktop. */
const unsupported =
  (why: string): DeskCommand =>
  async () => {
    throw new CommandError('ACTION_NOT_SUPPORTED', why, { delivery: 'not_delivered' })
  }

const NO_PROGRAMS = unsupported('Programs are started and ended by the scenario')
const NO_GEOMETRY = unsupported('Windows keep their size and place; use the buttons of the window')
const RESERVED = unsupported('This command is reserved')

const ROWS: Readonly<Record<DeskCommandName, DeskCommand>> = {
  snapshot: looks.snapshot,
  find: looks.find,
  get: looks.get,
  is: looks.is,
  click: acts.actOn('click'),
  'right-click': acts.actOn('right-click'),
  'double-click': acts.actOn('double-click'),
  'triple-click': acts.actOn('triple-click'),
  clear: acts.actOn('clear'),
  focus: acts.actOn('focus'),
  toggle: acts.actOn('toggle'),
  check: acts.actOn('check'),
  uncheck: acts.actOn('uncheck'),
  expand: acts.actOn('expand'),
  collapse: acts.actOn('collapse'),
  'scroll-to': acts.scrollToRef,
  type: acts.actOn('type'),
  'set-value': acts.actOn('set-value'),
  select: acts.actOn('select'),
  scroll: acts.scroll,
  press: acts.press,
  'key-down': RESERVED,
  'key-up': RESERVED,
  'mouse-down': RESERVED,
  'mouse-up': RESERVED,
  hover: acts.hover,
  drag: acts.drag,
  'mouse-move': acts.mouseMove,
  'mouse-click': acts.mouseClick,
  'mouse-wheel': acts.mouseWheel,
  launch: NO_PROGRAMS,
  'close-app': NO_PROGRAMS,
  'list-windows': system.listWindows,
  'list-apps': system.listApps,
  'list-displays': system.listDisplays,
  'list-surfaces': system.listSurfaces,
  'focus-window': system.focusWindow,
  'resize-window': NO_GEOMETRY,
  'move-window': NO_GEOMETRY,
  minimize: NO_GEOMETRY,
  maximize: NO_GEOMETRY,
  restore: NO_GEOMETRY,
  'open-system-surface': unsupported('The desktop has no such surface'),
  'list-notifications': system.listNotifications,
  'dismiss-notification': system.dismissNotification,
  'dismiss-all-notifications': system.dismissAll,
  'notification-action': system.notificationAction,
  'clipboard-get': system.clipboardGet,
  'clipboard-set': system.clipboardSet,
  'clipboard-clear': system.clipboardClear,
  wait,
  screenshot: system.screenshot,
  batch: (call) => batch(call),
  status: system.status,
  permissions: system.permissions,
  version: system.version,
  session: sessions.session,
  trace: sessions.trace,
  skills: sessions.skills,
}

const HELP = `agent-desktop: uses a desktop of a Backlot server

Usage: agent-desktop [FLAGS] <COMMAND>

Commands: ${Object.keys(COMMAND_FORMS).join(', ')}

Flags: --session ID, --headed, --wait-for ROLE:TEXT, --wait-for-gone ROLE:TEXT, --wait-timeout MS, --verbose
`

/** Executes a command of agent-desktop. It prints one line of JSON, whatever happens. */
export async function runAgentDesktop(request: CommandRequest, desk: DeskSession): Promise<CommandResult> {
  const { argv, version, environment, home } = request
  if (argv.length === 0 || ['--help', '-h', 'help'].includes(argv[0]!))
    return { stdout: HELP, stderr: '', exit: PROCESS_EXIT.ok }
  if (['--version', '-V'].includes(argv[0]!))
    return { stdout: 'agent-desktop 1.0.2\n', stderr: '', exit: PROCESS_EXIT.ok }
  let parsed: ParsedCommand
  try {
    parsed = parseCommand(argv)
    assertEnvironment(environment)
    assertWaitFlags(parsed)
  } catch (error) {
    if (error instanceof CommandError) return failureOf(version, 'unknown', error, PROCESS_EXIT.usage)
    throw error
  }
  const { command, args, globals } = parsed
  const files: CommandFile[] = []
  const state = deskStateOf(desk.session)
  const id = String(globals.session ?? environment.AGENT_DESKTOP_SESSION ?? '')
  const call: DeskCall = {
    desk,
    args,
    globals,
    state,
    session: namedSession(state, id),
    version,
    rules: ENVELOPE_VERSIONS[version]!,
    home,
    environment,
    files,
  }
  try {
    const data = await waitingFor(call, command)
    return { ...successOf(version, command, data), ...(files.length > 0 && { files }) }
  } catch (thrown) {
    return failureOf(version, command, errorFrom(thrown))
  }
}

/** The error of anything that was thrown. What is no refusal is a bug, which the door reports. */
function errorFrom(thrown: unknown): CommandError {
  if (thrown instanceof CommandError) return thrown
  if (thrown instanceof Fault && thrown.code !== 'Internal') return commandError(thrown)
  throw thrown
}

function assertEnvironment({ AGENT_DESKTOP_HOME: home }: CommandRequest['environment']): void {
  if (home !== undefined && home !== '' && !/^(?:\/|[A-Za-z]:[\\/])/.test(home))
    throw new CommandError('INVALID_ARGS', 'AGENT_DESKTOP_HOME must be an absolute path')
}

/** Commands that may wait for a selector after they have run. */
const WAITS_AFTER: ReadonlySet<string> = new Set(['snapshot', 'press', ...Object.keys(acts.ELEMENT_ACTIONS), 'scroll'])
const DEFAULT_WAIT_MS = 30_000

function assertWaitFlags({ command, args, globals }: ParsedCommand): void {
  const { wait_for, wait_for_gone, wait_timeout } = globals
  const waits = wait_for !== undefined || wait_for_gone !== undefined
  if (wait_for !== undefined && wait_for_gone !== undefined)
    throw new CommandError('INVALID_ARGS', "error: the argument '--wait-for' cannot be used with '--wait-for-gone'")
  if (wait_timeout !== undefined && !waits)
    throw new CommandError('INVALID_ARGS', 'error: --wait-timeout needs --wait-for or --wait-for-gone')
  if (waits && (!WAITS_AFTER.has(command) || args.root !== undefined))
    throw new CommandError(
      'INVALID_ARGS',
      `error: --wait-for cannot be used with ${args.root === undefined ? command : '--root'}`,
    )
}

/** Runs a command, and then waits for the selector of `--wait-for` and prints the window. */
async function waitingFor(call: DeskCall, command: DeskCommandName): Promise<unknown> {
  const { wait_for, wait_for_gone, wait_timeout } = call.globals
  const selector = wait_for ?? wait_for_gone
  if (typeof selector !== 'string') return ROWS[command](call)
  const after = command === 'snapshot' ? undefined : await ROWS[command](call)
  const isGone = wait_for === undefined
  const timeoutMs = typeof wait_timeout === 'number' ? wait_timeout : DEFAULT_WAIT_MS
  const found = await pollUntil(call, selectorPredicate(call, selector, isGone), { predicate: 'selector' }, timeoutMs)
  const { elapsed_ms } = found
  const result = after === undefined ? {} : { after_action: after }
  if (found.target_absent === true)
    return { matched_selector: selector, gone: true, target_absent: true, elapsed_ms, ...result }
  const shown = (await looks.snapshot({ ...call, args: command === 'snapshot' ? call.args : {} })) as object
  return { ...shown, elapsed_ms, matched_selector: selector, ...result }
}

const MAX_ENTRIES = 100
const DEFAULT_BATCH_MS = 60_000

interface BatchEntry {
  readonly command: string
  readonly args: Readonly<Record<string, unknown>>
  readonly session: string | undefined
}

/** Runs several commands. An entry that is not run says why. */
async function batch(call: DeskCall): Promise<unknown> {
  const entries = readEntries(call.args.commands)
  const timeoutMs = typeof call.args.timeout_ms === 'number' ? call.args.timeout_ms : DEFAULT_BATCH_MS
  const startedMs = nowMs(call)
  const results: object[] = []
  let stopped: string | undefined
  for (const [index, entry] of entries.entries()) {
    const about = { version: call.version, command: entry.command, index }
    if (stopped === undefined && nowMs(call) - startedMs > timeoutMs) stopped = 'timeout'
    if (stopped !== undefined) {
      results.push({ ...about, ok: false, execution: 'not_started', not_started_reason: stopped })
      continue
    }
    const result = await runEntry(call, entry)
    results.push({ ...about, execution: 'completed', ...result })
    if (!result.ok && call.args.stop_on_error === true) stopped = 'stopped_on_error'
  }
  const started = results.filter((result) => (result as { execution: string }).execution === 'completed').length
  return {
    results,
    semantics: 'sequential',
    total_entries: entries.length,
    completed_entries: started,
    not_started_entries: entries.length - started,
    timeout_ms: timeoutMs,
    elapsed_ms: elapsedSince(call, startedMs),
    limits: { max_entries: MAX_ENTRIES },
    ...(stopped !== undefined && { stopped: true }),
  }
}

async function runEntry(call: DeskCall, { command, args, session }: BatchEntry) {
  try {
    if (!isCommand(command) || command === 'batch')
      throw new CommandError('INVALID_ARGS', `Unknown command '${command}'`)
    const own = session === undefined ? call.session : namedSession(call.state, session)
    // The words of the batch may hold a text that a trace hides in one of its entries only.
    const desk: DeskSession = {
      ...call.desk,
      attempt: (tool, args) => call.desk.attempt(tool, args, ['batch', command]),
    }
    const data = await ROWS[command]({ ...call, desk, args: entryArguments(command, args), session: own })
    return { ok: true as const, data }
  } catch (thrown) {
    return { ok: false as const, error: errorOf(errorFrom(thrown)) }
  }
}

function readEntries(text: unknown): readonly BatchEntry[] {
  const wrong = (message: string) => new CommandError('INVALID_ARGS', message)
  let entries: unknown
  try {
    entries = JSON.parse(String(text))
  } catch {
    throw wrong('batch takes a JSON array of {command, args}')
  }
  if (!Array.isArray(entries)) throw wrong('batch takes a JSON array of {command, args}')
  if (entries.length > MAX_ENTRIES) throw wrong(`batch takes at most ${MAX_ENTRIES} entries`)
  return entries.map((entry: unknown, at): BatchEntry => {
    if (typeof entry !== 'object' || entry === null || !('command' in entry) || typeof entry.command !== 'string')
      throw wrong(`entry ${at} has no command`)
    const unknown = Object.keys(entry).find((key) => !['command', 'args', 'session'].includes(key))
    if (unknown !== undefined) throw wrong(`entry ${at}: unknown field '${unknown.slice(0, 100)}'`)
    const { args = {}, session } = entry as { args?: unknown; session?: unknown }
    if (typeof args !== 'object' || args === null || Array.isArray(args))
      throw wrong(`entry ${at}: args is not an object`)
    if (session !== undefined && typeof session !== 'string') throw wrong(`entry ${at}: session is not a text`)
    return {
      command: entry.command,
      args: args as Readonly<Record<string, unknown>>,
      session: session as string | undefined,
    }
  })
}
