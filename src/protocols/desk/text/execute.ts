import { parseArgs } from 'node:util'
import { Fault, type FaultCode } from '../../../base/fault.ts'
import { didYouMean } from '../../../base/strings.ts'
import { centerOf } from '../../../desktop/model/geometry.ts'
import { formatSelector, parseSelector } from '../../../desktop/tree/selector.ts'
import { pageToolResultText, pageToolsText } from '../../../observer/page-tool-text.ts'
import { isToolArguments, type ToolArguments, type ToolResult } from '../../../observer/result.ts'
import { targetOfRef } from '../../../observer/targets/ref-arguments.ts'
import type { WireElement } from '../../../observer/wire.ts'
import type { CommandRequest, CommandResult } from '../contract.ts'
import type { DeskSession } from '../desk-session.ts'
import { failure, TEXT_EXIT } from './contract.ts'
import { COMMAND_USAGE, type CommandName, OPTIONS, textHelp } from './usage.ts'

/** What a command reads: its words without options, and the options. */
interface CommandInput {
  readonly words: readonly string[]
  readonly options: {
    readonly window?: string
    readonly snapshot?: boolean
    readonly ref?: string
    readonly text?: string
    readonly opened?: string
    readonly closed?: string
    readonly gone?: boolean
    readonly idle?: boolean
    readonly timeout?: string
    readonly infeasible?: boolean
    readonly params?: string
  }
  readonly home: string
}

/** What a command prints, and the files that it writes. */
type Printed = string | Pick<CommandResult, 'stdout' | 'files'>

type Command = (desk: DeskSession, input: CommandInput) => Promise<Printed>

/** The command was called wrongly. */
class UsageError extends Error {}

/** Executes a command of the text form. It never throws: a refusal is on standard error, with a remedy. */
export async function runDeskText(request: CommandRequest, desk: DeskSession): Promise<CommandResult> {
  const [name = 'help', ...args] = request.argv
  if (name === 'help' || args[0] === '--help' || args[0] === '-h')
    return { stdout: textHelp(name === 'help' ? args[0] : name), stderr: '', exit: TEXT_EXIT.done }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name as CommandName] : undefined
  if (!command) {
    const near = didYouMean(name.slice(0, MAX_SHOWN), Object.keys(COMMANDS))
    const message = `there is no command ${JSON.stringify(name.slice(0, MAX_SHOWN))}${near}`
    return failure(TEXT_EXIT.usage, message, 'backlot desk --help lists all commands')
  }
  try {
    const printed = await command(desk, { ...inputOf(name as CommandName, args), home: request.home })
    const { stdout, files } = typeof printed === 'string' ? { stdout: printed } : printed
    return { stdout: stdout === '' ? '' : `${stdout}\n`, stderr: '', exit: TEXT_EXIT.done, ...(files && { files }) }
  } catch (thrown) {
    if (thrown instanceof UsageError)
      return failure(TEXT_EXIT.usage, thrown.message, `usage: backlot desk ${COMMAND_USAGE[name as CommandName].usage}`)
    const fault = Fault.from(thrown)
    if (fault.code === 'Internal') throw thrown
    return failure(
      fault.code === 'BadRequest' ? TEXT_EXIT.usage : TEXT_EXIT.refused,
      `${fault.code}: ${fault.message}`,
      remedyOf(fault),
    )
  }
}

const MAX_SHOWN = 100

function inputOf(name: CommandName, args: readonly string[]): Omit<CommandInput, 'home'> {
  // A text may begin with a dash.
  if (COMMAND_USAGE[name].isText) {
    const given = [...args]
    const takesSnapshot = given.at(-1) === '--snapshot' && Boolean(given.pop())
    return { words: given, options: takesSnapshot ? { snapshot: true } : {} }
  }
  const known = COMMAND_USAGE[name].options ?? []
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(known.map((option) => [option, { type: OPTIONS[option] }])),
    })
    return { words: positionals, options: values }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** What to do about a fault. */
const REMEDIES: Partial<Record<FaultCode, string>> = {
  ElementNotFound: 'backlot desk snapshot shows what is there now, with its refs',
  WindowGone: 'backlot desk windows lists the open windows',
  ElementDisabled: 'backlot desk wait --idle, or do first what enables it',
  ElementOccluded: 'close what covers it, backlot desk focus-window, or backlot desk scroll down --ref REF',
  WindowOccluded: 'backlot desk focus-window TITLE raises it',
  PatternUnsupported: 'backlot desk click REF',
  Timeout: 'backlot desk snapshot shows what is there now; the wait may be longer with --timeout MS',
  RateLimited: 'wait in real time, then try again',
  BudgetExceeded: 'the budget of this run is used up; backlot desk finish ends it',
  PermissionDenied:
    'the operator does not allow this; do the task another way, or backlot desk finish --infeasible TEXT',
  ConfirmationRequired: 'the operator has to confirm this action; it has not been performed',
}

function remedyOf({ code, context }: Fault): string {
  const by = (context as { readonly opened_by?: unknown }).opened_by
  if (code === 'ElementOccluded' && typeof by === 'string') return 'it is in something closed: open that first'
  return REMEDIES[code] ?? ''
}

/** A ref, as it is printed, or with the @ of arguments. */
const REF = /^@?(e\d{1,9})$/
const POINT = /^(\d{1,6}),(\d{1,6})$/

function refOf(word: string | undefined): string {
  const [, ref] = REF.exec(word ?? '') ?? []
  if (ref !== undefined) return ref
  throw new UsageError(
    word === undefined
      ? 'a ref is missing, such as e5'
      : `${JSON.stringify(word.slice(0, MAX_SHOWN))} is not a ref such as e5`,
  )
}

function required(word: string | undefined, what: string): string {
  if (word === undefined) throw new UsageError(`${what} is missing`)
  return word
}

function noMore(words: readonly string[], most: number): void {
  if (words.length > most)
    throw new UsageError(
      `${JSON.stringify(words[most]!.slice(0, MAX_SHOWN))} is one word too many; quote texts with blanks`,
    )
}

function numberOf(word: string, what: string): number {
  if (!/^\d{1,9}$/.test(word))
    throw new UsageError(`${what} ${JSON.stringify(word.slice(0, MAX_SHOWN))} is not a whole number`)
  return Number(word)
}

/** The windows that match a title, uid or position of the command line. */
const windowChoice = (window: string | undefined): ToolArguments => {
  if (window === undefined) return {}
  return /^\d{1,4}$/.test(window) ? { window_index: Number(window) } : { window_title: window }
}

interface ListedWindow {
  readonly index: number
  readonly title: string
  readonly process: string
  readonly window_uid: string
  readonly focused: boolean
}

const windowsOf = async (desk: DeskSession) => (await desk.call('list_windows')).windows as readonly ListedWindow[]

/** The outline of a window, after a line for the other windows. */
async function snapshot(desk: DeskSession, window: string | undefined): Promise<string> {
  const windows = await windowsOf(desk)
  if (windows.length === 0) return 'no window is open'
  const shown = await desk.call('get_screen_outline', windowChoice(window))
  const others = windows.filter(({ window_uid }) => window_uid !== shown.window_uid)
  const list = others.map(({ title, index }) => `${index} ${JSON.stringify(title)}`).join(', ')
  return `${others.length === 0 ? '' : `other windows: ${list}\n`}${String(shown.outline)}`
}

/** An element of a ref, as trees show it. */
async function elementOf(desk: DeskSession, ref: string): Promise<WireElement> {
  const { window, element } = await targetOfRef(ref, desk.session.context)
  const { tree } = await desk.call('get_window_structure', { window_uid: window, scope: element, visible_only: false })
  return tree as WireElement
}

/** What an action did: the element, whether the screen changed, and what opened. */
async function afterAction(desk: DeskSession, done: string, result: ToolResult, input: CommandInput): Promise<string> {
  const {
    target,
    changed,
    note,
    warning,
    new_dialogs: opened,
    dry_run,
  } = result as {
    readonly target?: { readonly selector?: string } | null
    readonly changed?: boolean
    readonly note?: string
    readonly warning?: string
    readonly new_dialogs?: readonly { readonly title: string }[]
    readonly dry_run?: boolean
  }
  const lines = [
    target?.selector ? `${done} ${lastStep(target.selector)}` : done,
    ...(changed === false && dry_run !== true ? [`nothing changed${note ? `: ${note}` : ''}`] : []),
    ...(warning ? [`warning: ${warning}`] : []),
    ...(opened ?? []).map(({ title }) => `opened the window ${JSON.stringify(title)}`),
    ...(input.options.snapshot ? [await snapshot(desk, undefined)] : []),
  ]
  return lines.join('\n')
}

/** The role and name of an element, from its selector. */
function lastStep(selector: string): string {
  const { steps } = parseSelector(selector)
  return formatSelector({ steps: steps.slice(-1) }).replace(/^[/ ]+/, '')
}

/** A command that acts on the element of its first word. */
const onElement =
  (tool: string, done: string, argsOf: (words: readonly string[]) => ToolArguments = none): Command =>
  async (desk, input) => {
    const [first, ...rest] = input.words
    const ref = refOf(first)
    const result = await desk.call(tool, { element_id: `@${ref}`, ...argsOf(rest) })
    return afterAction(desk, `${done} ${ref}`, result, input)
  }

function none(words: readonly string[]): ToolArguments {
  noMore(words, 0)
  return {}
}

/** A click on an element, or at a point of the screen. */
const clickWith =
  (onRef: string, atPoint: string, done: string): Command =>
  async (desk, input) => {
    const [word] = input.words
    noMore(input.words, 1)
    const [, x, y] = POINT.exec(word ?? '') ?? []
    if (x === undefined) return onElement(onRef, done)(desk, input)
    const result = await desk.call(atPoint, { x: Number(x), y: Number(y) })
    return afterAction(desk, `${done} at ${x},${y}`, result, input)
  }

/** Ticks or unticks, unless the element is so already. */
const toggleTo =
  (wanted: boolean): Command =>
  async (desk, input) => {
    const ref = refOf(input.words[0])
    noMore(input.words, 1)
    const { selected } = await elementOf(desk, ref)
    const word = wanted ? 'checked' : 'not checked'
    if (selected === wanted) return `${ref} is ${word} already`
    const result = await desk.call('click_element', { element_id: `@${ref}` })
    const after = await elementOf(desk, ref)
    return afterAction(
      desk,
      `${after.selected === wanted ? word : `still ${wanted ? 'not ' : ''}checked`}: ${ref}`,
      result,
      input,
    )
  }

const DIRECTIONS: Readonly<Record<string, ToolArguments>> = {
  up: { delta_y: -1 },
  down: { delta_y: 1 },
  left: { delta_x: -1 },
  right: { delta_x: 1 },
}
const DEFAULT_CLICKS = '3'
const DEFAULT_TIMEOUT_MS = '5000'

const scroll: Command = async (desk, input) => {
  const { words, options } = input
  const [direction = '', clicks = DEFAULT_CLICKS] = words
  noMore(words, 2)
  const along = Object.hasOwn(DIRECTIONS, direction) ? DIRECTIONS[direction]! : undefined
  if (!along) throw new UsageError('name a direction: up, down, left or right')
  const turns = Object.fromEntries(
    Object.entries(along).map(([axis, sign]) => [axis, Number(sign) * numberOf(clicks, 'the number of clicks')]),
  )
  const at = options.ref === undefined ? {} : centerOf((await elementOf(desk, refOf(options.ref))).bounds)
  return afterAction(desk, `scrolled ${direction}`, await desk.call('mouse_scroll', { ...turns, ...at }), input)
}

/** A text as a pattern that matches it alone. */
const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

const wait: Command = async (desk, { words, options }) => {
  noMore(words, 1)
  const [ms] = words
  if (ms !== undefined) {
    await desk.call('wait', { duration_ms: numberOf(ms, 'the time in milliseconds') })
    return `waited ${ms} ms`
  }
  const timeout_ms = numberOf(options.timeout ?? DEFAULT_TIMEOUT_MS, '--timeout')
  if (options.idle) {
    const { elapsed_ms } = await desk.call('wait_idle', { timeout_ms })
    return `idle after ${String(elapsed_ms)} ms`
  }
  const { text, opened, closed, ref } = options
  const conditions = [
    ...(text === undefined ? [] : [{ type: 'text_visible', regex: literal(text) }]),
    ...(opened === undefined ? [] : [{ type: 'window_appears', title_regex: literal(opened) }]),
    ...(closed === undefined ? [] : [{ type: 'window_disappears', window_uid: await uidOf(desk, closed) }]),
    ...(ref === undefined ? [] : [{ type: 'element_disappears', element_id: `@${refOf(ref)}` }]),
  ]
  if (conditions.length === 0) throw new UsageError('name a time in milliseconds, or what to wait for')
  if (ref !== undefined && !options.gone) throw new UsageError('--ref waits for an element to go: add --gone')
  const { elapsed_ms } = await desk.call('wait_for', { any_of: conditions, timeout_ms })
  return `it holds after ${String(elapsed_ms)} ms`
}

async function uidOf(desk: DeskSession, title: string): Promise<string> {
  const windows = await windowsOf(desk)
  // One that is closed already counts as closed: no window has this uid.
  return windows.find((window) => window.title.toLowerCase().includes(title.toLowerCase()))?.window_uid ?? title
}

const screenshot: Command = async (desk, { words, options, home }) => {
  noMore(words, 1)
  const body =
    options.window === undefined
      ? await desk.call('capture_screen')
      : await desk.call('get_screenshot', windowChoice(options.window))
  const data = String(body.data ?? body.screenshot_b64)
  const path = words[0] ?? `${home}/screenshot-${String(body.step_id)}.png`
  const { width, height } = body
  return { stdout: `${path} (${String(width)} × ${String(height)})`, files: [{ path, data }] }
}

/** The line of the row that a line of a cell belongs to. */
const rowBefore = (before: readonly string[], line: string): readonly string[] =>
  /^ *- cell\b/.test(line) ? [before.findLast((each) => /^ *- row\b/.test(each)) ?? []].flat() : []

/** The record that JSON has. */
function recordOf(json: string): ToolArguments {
  try {
    const value: unknown = JSON.parse(json)
    if (isToolArguments(value)) return value
  } catch {
    // Says the same as another value does.
  }
  throw new UsageError('--params: expected a JSON object')
}

const COMMANDS: Readonly<Record<CommandName, Command>> = {
  snapshot: async (desk, { words, options }) => {
    noMore(words, 0)
    return snapshot(desk, options.window)
  },
  windows: async (desk, { words }) => {
    noMore(words, 0)
    const lines = (await windowsOf(desk)).map(
      ({ index, title, process, focused }) =>
        `${index} ${JSON.stringify(title)} ${process}${focused ? ' [focused]' : ''}`,
    )
    return lines.length === 0 ? 'no window is open' : lines.join('\n')
  },
  find: async (desk, { words, options }) => {
    const text = required(words[0], 'the text').toLowerCase()
    noMore(words, 1)
    const { outline } = await desk.call('get_screen_outline', windowChoice(options.window))
    const lines = String(outline).split('\n')
    const found = lines.flatMap((line, at) =>
      line.toLowerCase().includes(text) ? [...rowBefore(lines.slice(0, at), line), line] : [],
    )
    const shown = [...new Set(found)].map((line) => line.trim())
    return shown.length === 0 ? 'nothing on the screen contains this text' : shown.join('\n')
  },
  read: async (desk, { words }) => {
    const ref = refOf(words[0])
    noMore(words, 1)
    const { role, name, value, enabled, focused, selected, expanded, description } = await elementOf(desk, ref)
    const states = { enabled, focused, selected, expanded }
    return [
      `role: ${role}`,
      ...(name === '' ? [] : [`name: ${name}`]),
      ...(value === null ? [] : [`value: ${value}`]),
      ...(description === null ? [] : [`description: ${description}`]),
      ...Object.entries(states).flatMap(([state, is]) => (is === undefined ? [] : [`${state}: ${is}`])),
    ].join('\n')
  },
  click: clickWith('click_element', 'click_at', 'clicked'),
  'double-click': clickWith('double_click_element', 'double_click_at', 'double-clicked'),
  'right-click': clickWith('right_click_element', 'right_click_at', 'right-clicked'),
  hover: clickWith('hover_element', 'hover_at', 'hovered over'),
  focus: onElement('focus_element', 'focused'),
  invoke: onElement('invoke_element', 'invoked'),
  check: toggleTo(true),
  uncheck: toggleTo(false),
  type: async (desk, input) => {
    const ref = refOf(input.words[0])
    const text = required(input.words[1], 'the text')
    noMore(input.words, 2)
    await desk.call('focus_element', { element_id: `@${ref}` }, ['type', ref])
    return afterAction(desk, `typed into ${ref}`, await desk.call('type_text', { text }), input)
  },
  fill: onElement('set_value', 'filled', (words) => {
    noMore(words, 1)
    return { value: required(words[0], 'the text') }
  }),
  clear: onElement('clear_text', 'cleared'),
  select: onElement('select_option', 'selected in', (words) => {
    noMore(words, 1)
    return { option_name: required(words[0], 'the name of the option') }
  }),
  press: async (desk, input) => {
    const keys = required(input.words[0], 'the key')
    noMore(input.words, 1)
    const { ref } = input.options
    const result =
      ref === undefined
        ? await desk.call('press_key', { keys })
        : await desk.call('key_into_element', { element_id: `@${refOf(ref)}`, keys })
    return afterAction(desk, `pressed ${keys}`, result, input)
  },
  scroll,
  drag: async (desk, input) => {
    const [from, to] = [refOf(input.words[0]), refOf(input.words[1])]
    noMore(input.words, 2)
    const args = { from: { element_id: `@${from}` }, to: { element_id: `@${to}` } }
    return afterAction(desk, `dragged ${from} to ${to}:`, await desk.call('drag', args), input)
  },
  'focus-window': async (desk, input) => {
    const title = required(input.words[0], 'the title or number of the window')
    noMore(input.words, 1)
    const result = await desk.call('bring_to_foreground', windowChoice(title))
    return afterAction(desk, `raised ${JSON.stringify(result.window)}`, { ...result, changed: true }, input)
  },
  wait,
  screenshot,
  clipboard: async (desk, { words }) => {
    noMore(words, 2)
    const [verb, text] = words
    if (verb === 'get' && text === undefined) return String((await desk.call('get_clipboard')).text ?? '')
    if (verb !== 'set' || text === undefined) throw new UsageError('use clipboard get, or clipboard set TEXT')
    await desk.call('set_clipboard', { text })
    return 'the clipboard is set'
  },
  'webmcp-list': async (desk, { words }) => {
    noMore(words, 0)
    return pageToolsText(await desk.call('webmcp_list'))
  },
  'webmcp-call': async (desk, input) => {
    const { words, options } = input
    const name = required(words[0], 'the name of the tool')
    noMore(words, 1)
    const result = await desk.call('webmcp_call', { name, arguments: recordOf(options.params ?? '{}') })
    const shown = options.snapshot ? `\n${await snapshot(desk, undefined)}` : ''
    return `${pageToolResultText(result)}${shown}`
  },
  status: async (desk, { words }) => {
    noMore(words, 0)
    const { platform, adapter } = await desk.call('get_capabilities')
    const budget = await desk.call('get_budget_status')
    const windows = await windowsOf(desk)
    const { ok, success, step_id, caused_by_step_id, ...limits } = budget
    return [
      `platform: ${String(platform)} (${String(adapter)})`,
      `windows: ${windows.length}`,
      ...(limits.configured === true ? [`budget: ${JSON.stringify(limits)}`] : []),
    ].join('\n')
  },
  finish: async (desk, { words, options }) => {
    noMore(words, 1)
    const status = options.infeasible ? 'infeasible' : 'done'
    await desk.call('finish', { status, ...(words[0] !== undefined && { text: words[0] }) })
    return `the run has ended: ${status}`
  },
}
