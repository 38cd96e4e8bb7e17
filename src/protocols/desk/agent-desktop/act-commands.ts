import type { Fault } from '../../../base/fault.ts'
import { centerOf } from '../../../desktop/model/geometry.ts'
import type { ToolArguments, ToolResult } from '../../../observer/result.ts'
import {
  callTool,
  chooseWindow,
  commandError,
  type DeskCall,
  type DeskCommand,
  elapsedSince,
  type ListedWindow,
  namedRef,
  nowMs,
  numberArg,
  type ResolvedRef,
  resolveRef,
  textArg,
  treeOf,
  windowId,
} from './desk-call.ts'
import { CommandError, type Delivery, dispositionOf } from './envelope.ts'
import { identify } from './snapshots.ts'
import type { DeskNode } from './tree.ts'

const DEFAULT_TIMEOUT_MS = 5000
/** How long a transient obstacle is waited for between checks. */
const POLL_MS = 250

/** An action on an element: the tools that perform it, in order until one is supported, and what it should have done. */
interface ElementAction {
  /** The action as elements offer it. */
  readonly requires?: string
  readonly tools: (call: DeskCall, node: DeskNode) => readonly (readonly [tool: string, args: ToolArguments])[]
  /** Whether the element is as the action makes it. Undefined if that cannot be told. */
  readonly holds?: (call: DeskCall, after: DeskNode, before: DeskNode) => boolean | undefined
  /** Whether nothing is to be done. */
  readonly isDone?: (node: DeskNode) => boolean
  /** It moves the pointer or synthesizes keys. */
  readonly needsHeaded?: boolean
}

const pressed = (): readonly (readonly [string, ToolArguments])[] => [
  ['invoke_element', {}],
  ['click_element', {}],
]

/** A secret value is shown by its replacement and cannot be compared. */
const showsValue = ({ states }: DeskNode): boolean => !states.includes('secure')
const isChecked = ({ states }: DeskNode): boolean => states.includes('checked')
const isExpanded = ({ states }: DeskNode): boolean => states.includes('expanded')

export const ELEMENT_ACTIONS = {
  click: {
    tools: ({ globals }) => (globals.headed === true ? [['click_element', {}]] : pressed()),
  },
  'right-click': { tools: () => [['right_click_element', {}]] },
  'double-click': { tools: () => [['double_click_element', {}]], needsHeaded: true },
  'triple-click': { tools: () => [['click_element', { count: 3 }]], needsHeaded: true },
  hover: { tools: () => [['hover_element', {}]], needsHeaded: true },
  focus: { tools: () => [['focus_element', {}]], holds: (_, { states }) => states.includes('focused') },
  clear: {
    requires: 'SetValue',
    tools: () => [['clear_text', {}]],
    holds: (_, after) => after.value === '',
  },
  type: {
    requires: 'TypeText',
    tools: (call) => [['set_value', { value: textArg(call, 'text') ?? '', clear_first: false }]],
    holds: (call, after, before) =>
      showsValue(after) ? after.value === `${before.value}${textArg(call, 'text') ?? ''}` : undefined,
  },
  'set-value': {
    requires: 'SetValue',
    tools: (call) => [['set_value', { value: textArg(call, 'value') ?? '' }]],
    holds: (call, after) => (showsValue(after) ? after.value === textArg(call, 'value') : undefined),
  },
  select: {
    tools: (call) => [['select_option', { option_name: textArg(call, 'value') ?? '' }]],
    holds: (call, after) => after.role !== 'combobox' || after.value === textArg(call, 'value'),
  },
  toggle: { requires: 'Toggle', tools: pressed, holds: (_, after, before) => isChecked(after) !== isChecked(before) },
  check: { requires: 'Check', tools: pressed, holds: (_, after) => isChecked(after), isDone: isChecked },
  uncheck: {
    requires: 'Uncheck',
    tools: pressed,
    holds: (_, after) => !isChecked(after),
    isDone: (node) => !isChecked(node),
  },
  expand: { requires: 'Expand', tools: pressed, holds: (_, after) => isExpanded(after), isDone: isExpanded },
  collapse: {
    requires: 'Collapse',
    tools: pressed,
    holds: (_, after) => !isExpanded(after),
    isDone: (node) => !isExpanded(node),
  },
} as const satisfies Readonly<Record<string, ElementAction>>

export type ElementActionName = keyof typeof ELEMENT_ACTIONS

/** A step of an action, as its data lists it. */
interface Step {
  readonly label: string
  readonly outcome: 'attempted' | 'skipped' | 'succeeded'
  readonly mechanism: 'semantic_api' | 'physical_synthetic'
  readonly verified: boolean
}

const mechanismOf = (action: ElementAction): Step['mechanism'] =>
  action.needsHeaded ? 'physical_synthetic' : 'semantic_api'

/** Performs an action on the element of a ref. */
export const actOn =
  (name: ElementActionName): DeskCommand =>
  async (call) => {
    const action: ElementAction = ELEMENT_ACTIONS[name]
    if (action.needsHeaded && call.globals.headed !== true) {
      if (call.args.ref_id !== undefined) namedRef(call, String(call.args.ref_id))
      throw headless(name)
    }
    const resolved = await resolveRef(call, String(call.args.ref_id))
    const before = resolved.node
    if (action.requires !== undefined && !before.actions.includes(action.requires))
      throw new CommandError('ACTION_NOT_SUPPORTED', `The ${before.role} does not support ${action.requires}`, {
        delivery: 'not_delivered',
        details: { checks: [{ check: 'supported_action', status: 'fail', reason: `no ${action.requires}` }] },
      })
    if (action.isDone?.(before)) {
      const skipped: Step = { label: name, outcome: 'skipped', mechanism: 'semantic_api', verified: true }
      return actionData(call, name, 'delivered_verified', before, [skipped], [])
    }
    const { result, steps } = await deliver(call, name, action, resolved)
    const after = await identified(call, resolved)
    const held = after && action.holds?.(call, after, before)
    if (held === false && call.rules.verifiesActions)
      throw new CommandError('ACTION_FAILED', `The ${before.role} is not as ${name} should have made it`, {
        delivery: 'delivered_unverified',
        suggestion: 'Look at the element before you do anything else; do not simply repeat the action',
        details: { kind: 'post_action_verification', observed: after && postState(after) },
      })
    const isVerified = held ?? result.changed === true
    const opened = (result.new_dialogs ?? []) as readonly { readonly window_uid: string; readonly title: string }[]
    const verified = steps.map((step) => ({ ...step, verified: isVerified && step.outcome === 'succeeded' }))
    return actionData(call, name, isVerified ? 'delivered_verified' : 'delivered_unverified', after, verified, opened)
  }

const headless = (name: string): CommandError =>
  new CommandError('POLICY_DENIED', `${name} moves the pointer, which the headless policy does not allow`, {
    delivery: 'not_delivered',
    suggestion: 'Use a semantic command, or pass --headed',
  })

/** Waits until the element can be acted on, and acts. */
async function deliver(
  call: DeskCall,
  name: string,
  action: ElementAction,
  resolved: ResolvedRef,
): Promise<{ readonly result: ToolResult; readonly steps: readonly Step[] }> {
  const { desk } = call
  const startedMs = nowMs(call)
  const timeoutMs = numberArg(call, 'timeout_ms') ?? DEFAULT_TIMEOUT_MS
  const steps: Step[] = []
  let { node } = resolved
  let scrolls = 1
  for (const [tool, args] of action.tools(call, node)) {
    for (;;) {
      const { body, fault } = await desk.attempt(tool, { ...targetOf(node), ...args })
      const step = { label: tool.replace(/_element$/, ''), mechanism: mechanismOf(action), verified: false }
      if (!fault) return { result: body, steps: [...steps, { ...step, outcome: 'succeeded' }] }
      if (fault.code === 'PatternUnsupported') {
        steps.push({ ...step, outcome: 'attempted' })
        break
      }
      const wheel = (fault.context as { readonly scroll?: ToolArguments }).scroll
      if (wheel && scrolls-- > 0) {
        await callTool(desk, 'scroll', wheel, [name])
        steps.push({ label: 'scroll_into_view', outcome: 'succeeded', mechanism: 'semantic_api', verified: false })
      } else if (!isTransient(fault)) throw commandError(fault)
      else if (nowMs(call) - startedMs >= timeoutMs) throw await notActionable(call, name, node, fault, startedMs)
      else await callTool(desk, 'wait', { duration_ms: Math.min(POLL_MS, timeoutMs) })
      node = (await identified(call, resolved)) ?? node
    }
  }
  throw new CommandError('ACTION_NOT_SUPPORTED', `The ${node.role} does not support ${name}`, {
    delivery: 'not_delivered',
    details: { steps },
  })
}

const targetOf = ({ element, windowUid }: DeskNode): ToolArguments => ({
  window_uid: windowUid,
  element_id: element.id,
})

const isTransient = ({ code }: Fault): boolean =>
  code === 'ElementDisabled' || code === 'ElementOccluded' || code === 'WindowOccluded'

/** The element did not become actionable in time. */
async function notActionable(
  call: DeskCall,
  name: string,
  node: DeskNode,
  fault: Fault,
  startedMs: number,
): Promise<CommandError> {
  const isDisabled = fault.code === 'ElementDisabled'
  const occluder = isDisabled ? undefined : await occluderOf(call, fault)
  const failed = isDisabled
    ? { check: 'enabled', status: 'fail', reason: 'the element or its window takes no input' }
    : {
        check: occluder ? 'receives_events' : 'visible',
        status: 'fail',
        reason: occluder ? `occluded by ${occluder.role}` : fault.message,
        ...(occluder && { occluder }),
      }
  const passed = ['visible', 'enabled', 'supported_action', 'policy'].filter((check) => check !== failed.check)
  return new CommandError(
    'TIMEOUT',
    `${name} waited ${elapsedSince(call, startedMs)} ms for the ${node.role}: ${failed.reason}`,
    {
      delivery: 'not_delivered',
      suggestion: isDisabled ? 'Do first what enables it' : 'Close what covers it',
      details: {
        kind: 'actionability_timeout',
        actionable: false,
        checks: [...passed.map((check) => ({ check, status: 'pass' })), failed],
      },
    },
  )
}

/** What covers an element: a notification, or the window in front. */
async function occluderOf(call: DeskCall, fault: Fault) {
  const { covered_by: uid, window_uid: own } = fault.context as {
    readonly covered_by?: string
    readonly window_uid?: string
  }
  const { windows } = await callTool(call.desk, 'list_windows')
  const all = windows as readonly ListedWindow[]
  const over = uid === undefined ? all.find(({ window_uid, focused }) => focused && window_uid !== own) : undefined
  const cover = all.find(({ window_uid }) => window_uid === uid) ?? over
  if (!cover) return undefined
  return { role: uid === undefined ? 'window' : 'alert', name: cover.title, bounds: cover.bounds }
}

/** The element of a ref after an action; undefined if it is gone or not alone any more. */
async function identified(call: DeskCall, { entry }: ResolvedRef): Promise<DeskNode | undefined> {
  try {
    const tree = await treeOf(call, entry.windowUid)
    return tree && identify({ ...entry, value: '' }, tree)
  } catch (error) {
    if (error instanceof CommandError) return undefined
    throw error
  }
}

const postState = ({ role, states, value }: DeskNode) => ({
  role,
  states,
  ...(value !== '' && { value }),
  enabled: !states.includes('disabled'),
  hidden: states.includes('hidden'),
  offscreen: states.includes('offscreen'),
})

const actionData = (
  { rules }: DeskCall,
  action: string,
  delivery: Delivery,
  after: DeskNode | undefined,
  steps: readonly Step[],
  opened: readonly { readonly window_uid: string; readonly title: string }[],
) => ({
  action: action.replaceAll('-', '_'),
  ...(rules.reportsDisposition && { disposition: dispositionOf(delivery) }),
  ...(after && { post_state: postState(after) }),
  steps,
  ...(opened.length > 0 && {
    surfaces: opened.map(({ window_uid, title }) => ({ id: windowId(window_uid), type: 'window', title })),
  }),
})

/** The data of an action without an element. */
const plainData = (call: DeskCall, action: string, { changed }: ToolResult, mechanism: Step['mechanism']) => {
  const isVerified = changed === true
  const step: Step = { label: action, outcome: 'succeeded', mechanism, verified: isVerified }
  return actionData(call, action, isVerified ? 'delivered_verified' : 'delivered_unverified', undefined, [step], [])
}

const DIRECTIONS: Readonly<Record<string, ToolArguments>> = {
  up: { delta_y: -1 },
  down: { delta_y: 1 },
  left: { delta_x: -1 },
  right: { delta_x: 1 },
}
const DEFAULT_AMOUNT = 3

export const scroll: DeskCommand = async (call) => {
  const direction = textArg(call, 'direction') ?? 'down'
  const along = Object.hasOwn(DIRECTIONS, direction) ? DIRECTIONS[direction]! : undefined
  if (!along) throw new CommandError('INVALID_ARGS', `Unknown direction '${direction}'; use up, down, left or right`)
  const { node } = await resolveRef(call, String(call.args.ref_id))
  const amount = numberArg(call, 'amount') ?? DEFAULT_AMOUNT
  const turns = Object.fromEntries(Object.entries(along).map(([axis, sign]) => [axis, Number(sign) * amount]))
  return plainData(
    call,
    'scroll',
    await callTool(call.desk, 'mouse_scroll', { ...turns, ...centerOf(node.bounds) }),
    'semantic_api',
  )
}

export const scrollToRef: DeskCommand = async (call) => {
  const { node } = await resolveRef(call, String(call.args.ref_id))
  const { fault } = await call.desk.attempt('hover_element', { ...targetOf(node), dry_run: true })
  const wheel = (fault?.context as { readonly scroll?: ToolArguments } | undefined)?.scroll
  if (!fault) return plainData(call, 'scroll_to', { changed: true }, 'semantic_api')
  if (wheel) return plainData(call, 'scroll_to', await callTool(call.desk, 'scroll', wheel), 'semantic_api')
  throw new CommandError('ACTION_NOT_SUPPORTED', `The ${node.role} cannot be scrolled into view`, {
    delivery: 'not_delivered',
    details: { kind: 'scroll_into_view_unsupported' },
    platformDetail: fault.code,
  })
}

/** Chords that quit programs, close windows or leave the desktop. */
const DANGEROUS: ReadonlySet<string> = new Set(
  'cmd+q cmd+w cmd+shift+q cmd+option+esc alt+f4 ctrl+alt+delete ctrl+alt+del ctrl+shift+esc win+l cmd+ctrl+q'.split(
    ' ',
  ),
)

export const press: DeskCommand = async (call) => {
  const combo = String(call.args.combo)
  if (DANGEROUS.has(combo.toLowerCase().replaceAll(' ', '')) && call.args.force !== true)
    throw new CommandError('POLICY_DENIED', `'${combo}' may close programs; pass --force`, {
      delivery: 'not_delivered',
    })
  if (textArg(call, 'app') !== undefined || textArg(call, 'window_id') !== undefined) {
    const window = await chooseWindow(call)
    if (!window.focused && call.globals.headed !== true)
      throw new CommandError('POLICY_DENIED', 'The window has no keyboard; run focus-window, or pass --headed', {
        delivery: 'not_delivered',
      })
    if (!window.focused) await callTool(call.desk, 'bring_to_foreground', { window_uid: window.window_uid })
  }
  const keys = combo
    .toLowerCase()
    .replace(/\bcmd\b/, 'meta')
    .replace(/\boption\b/, 'alt')
  return plainData(call, 'press', await callTool(call.desk, 'press_key', { keys }), 'physical_synthetic')
}

const POINT = /^(-?\d{1,6}),(-?\d{1,6})$/

function pointOf(text: string | undefined, option: string): ToolArguments {
  const [, x, y] = POINT.exec(text ?? '') ?? []
  if (x === undefined) throw new CommandError('INVALID_ARGS', `--${option} takes X,Y, such as 400,300`)
  return { x: Number(x), y: Number(y) }
}

const headedOnly = ({ globals }: DeskCall, name: string): void => {
  if (globals.headed !== true) throw headless(name)
}

export const hover: DeskCommand = async (call) => {
  if (call.args.ref_id !== undefined) return actOn('hover')(call)
  headedOnly(call, 'hover')
  return plainData(
    call,
    'hover',
    await callTool(call.desk, 'hover_at', pointOf(textArg(call, 'xy'), 'xy')),
    'physical_synthetic',
  )
}

export const drag: DeskCommand = async (call) => {
  headedOnly(call, 'drag')
  const endOf = async (name: 'from' | 'to'): Promise<ToolArguments> => {
    const ref = textArg(call, name)
    if (ref === undefined) return pointOf(textArg(call, `${name}_xy`), `${name}-xy`)
    return { ...centerOf((await resolveRef(call, ref)).node.bounds) }
  }
  const args = { from: await endOf('from'), to: await endOf('to') }
  return plainData(call, 'drag', await callTool(call.desk, 'drag', args), 'physical_synthetic')
}

export const mouseMove: DeskCommand = async (call) => {
  headedOnly(call, 'mouse-move')
  const at = pointOf(textArg(call, 'xy'), 'xy')
  return plainData(call, 'mouse_move', await callTool(call.desk, 'move_pointer', at), 'physical_synthetic')
}

export const mouseClick: DeskCommand = async (call) => {
  headedOnly(call, 'mouse-click')
  const modifiers = textArg(call, 'modifiers')
  const args = {
    ...pointOf(textArg(call, 'xy'), 'xy'),
    ...(call.args.button !== undefined && { button: call.args.button }),
    ...(call.args.count !== undefined && { count: call.args.count }),
    ...(modifiers !== undefined && { modifiers: modifiers.split(',').map((name) => name.replace('cmd', 'meta')) }),
  }
  return plainData(call, 'mouse_click', await callTool(call.desk, 'mouse_click', args), 'physical_synthetic')
}

const DEFAULT_WHEEL = -3

export const mouseWheel: DeskCommand = async (call) => {
  headedOnly(call, 'mouse-wheel')
  const [x, y] = [numberArg(call, 'x'), numberArg(call, 'y')]
  if (x === undefined || y === undefined) throw new CommandError('INVALID_ARGS', 'mouse-wheel needs --x and --y')
  const turns = { delta_y: -(numberArg(call, 'dy') ?? DEFAULT_WHEEL), delta_x: -(numberArg(call, 'dx') ?? 0) }
  return plainData(
    call,
    'mouse_wheel',
    await callTool(call.desk, 'mouse_scroll', { x, y, ...turns }),
    'physical_synthetic',
  )
}
