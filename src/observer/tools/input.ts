import { z } from 'zod'
import type { WindowInfo } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import type { Action, Modifier } from '../../desktop/action.ts'
import { type Element, nodeAt } from '../../desktop/element.ts'
import { centerOf, contains, type Point } from '../../desktop/geometry.ts'
import { hitTree } from '../../desktop/hit.ts'
import { selectorOf } from '../../desktop/select.ts'
import { confirm, focusedElement, isStale, newWindows, pass } from '../receipt.ts'
import type { Session } from '../session.ts'
import { chooseWindow, findElement, listWindows, reach, treeOf, WindowChoice } from '../target.ts'
import { type Answer, defineTool } from '../tool.ts'
import { MouseButton } from './elements.ts'

const NOTE = 'Mock adapter — no real OS action performed'
const TEXT_MOST = 100_000

const Done = z.looseObject({
  action: z.string(),
  dry_run: z.boolean(),
  changed: z.boolean(),
  new_dialogs: z.array(z.object({ window_uid: z.string(), title: z.string() })),
  duration_ms: z.number(),
  via: z.string(),
  note: z.string().optional(),
  scenario_reaction: z.boolean().optional(),
})

const Gates = z.object({
  dry_run: z.boolean().default(false).describe('Check only, do nothing'),
  confirm_token: z.string().optional().describe('From propose_action, when the operator asks for confirmation'),
})
const X = z.int().describe('Absolute screen x in pixels')
const Y = z.int().describe('Absolute screen y in pixels')

interface Doing {
  readonly session: Session
  /** The tool's name, for confirmation. */
  readonly name: string
  readonly input: z.infer<typeof Gates>
  readonly perform: Action
  /** What the answer repeats of the request. */
  readonly echo: Answer
  readonly lastsMs?: number
}

/** Does something that names no element: asks the gates about the element it will meet, acts, tells what changed. */
async function actAnywhere(doing: Doing): Promise<Answer> {
  const { session, input, perform } = doing
  const startedMs = session.clock.now()
  const met = await meets(session, perform)
  if (!input.dry_run) for (const hit of met) await confirm(session, doing.name, hit, input.confirm_token)
  const before = await screenState(session)
  const stale = before.trees.some(([uid, tree]) => tree !== undefined && isStale(session, uid, tree))
  const performed = input.dry_run ? undefined : await session.computer.perform(perform)
  if (!input.dry_run) await pass(session, doing.lastsMs ?? 0)
  const after = input.dry_run ? before : await screenState(session)
  const reaction = performed?.via === 'reaction'
  const synthetic = session.computer.about.synthetic
  return {
    ...doing.echo,
    dry_run: input.dry_run,
    changed: !sameScreen(before, after),
    new_dialogs: newWindows(before.windows, after.windows),
    duration_ms: session.clock.now() - startedMs,
    via: performed?.via ?? 'nothing',
    ...(reaction && { scenario_reaction: true }),
    ...(synthetic && !reaction && { note: NOTE }),
    ...(stale && { stale_observation: true }),
  }
}

interface ScreenState {
  readonly windows: readonly WindowInfo[]
  readonly trees: readonly (readonly [string, Element | undefined])[]
}

/** The list of windows and the trees of the ones that were observed, or of the focused one. */
async function screenState(session: Session): Promise<ScreenState> {
  const windows = await listWindows(session)
  const watched = windows.filter((window) => window.focused || session.trees.latest(window.uid) !== undefined)
  const trees = await Promise.all(watched.map(async ({ uid }) => [uid, await session.computer.tree(uid)] as const))
  return { windows, trees }
}

const sameScreen = (before: ScreenState, after: ScreenState): boolean =>
  before.windows.length === after.windows.length &&
  before.windows.every(
    ({ uid, title }, index) => after.windows[index]?.uid === uid && after.windows[index]?.title === title,
  ) &&
  before.trees.every(([uid, tree], index) => after.trees[index]?.[0] === uid && after.trees[index]?.[1] === tree)

interface Met {
  readonly window: string
  readonly element: string
  readonly selector: string
}

/** The elements that an action will meet: what lies at its points, or what has the keyboard. Empty without rules. */
async function meets(session: Session, action: Action): Promise<readonly Met[]> {
  if (!session.confirmation.configured) return []
  if (action.type === 'click' || action.type === 'hover') return meetsAt(session, action.at)
  if (action.type === 'drag') return [...(await meetsAt(session, action.from)), ...(await meetsAt(session, action.to))]
  if (action.type !== 'type' && action.type !== 'key') return []
  const window = (await session.bare.windows()).find((each) => each.focused)
  const tree = window && (await session.bare.tree(window.uid))
  const focused = tree && focusedElement(tree)
  return window && focused ? [{ window: window.uid, element: focused.id, selector: '(focused element)' }] : []
}

/** Front to back; a popup that sticks out of its window counts as well. */
export async function meetsAt(session: Session, at: Point): Promise<readonly Met[]> {
  for (const { uid } of await session.bare.windows()) {
    const tree = await session.bare.tree(uid)
    const path = tree && hitTree(tree, at)
    const element = path && nodeAt(tree, path)
    if (path && element) return [{ window: uid, element: element.id, selector: selectorOf(tree, path) }]
  }
  return []
}

/** Throws `BadRequest` when a point lies on no monitor. */
async function onScreen(session: Session, point: Point, field: string): Promise<Point> {
  const monitors = await session.computer.monitors()
  if (monitors.some((monitor) => contains(monitor.bounds, point))) return point
  const screens = monitors.map(({ bounds: { x, y, width, height } }) => `${width}x${height} at ${x},${y}`)
  throw new Fault('BadRequest', `${field}: (${point.x}, ${point.y}) is on no monitor; there is ${screens.join(', ')}`, {
    field,
    point,
  })
}

const clickAt = defineTool({
  name: 'click_at',
  kind: 'act',
  summary:
    'Click at an absolute screen coordinate. Take it from the bounds of an element: x + width div 2, y + height div 2.',
  input: Gates.extend({
    x: X,
    y: Y,
    button: MouseButton,
    double: z.boolean().default(false).describe('Double-click'),
  }),
  output: Done,
  faults: ['BadRequest', 'ConfirmationRequired', 'ConfirmationInvalid'],
  run: async ({ input, session }) => {
    const at = await onScreen(session, { x: input.x, y: input.y }, 'x')
    const { x, y, button, double } = input
    const perform: Action = { type: 'click', at, button, count: double ? 2 : 1 }
    return actAnywhere({
      session,
      name: 'click_at',
      input,
      perform,
      echo: { action: 'click_at', x, y, button, double },
    })
  },
})

const rightClickAt = defineTool({
  name: 'right_click_at',
  kind: 'act',
  summary: 'Click with the right button at an absolute screen coordinate.',
  input: Gates.extend({ x: X, y: Y }),
  output: Done,
  faults: ['BadRequest', 'ConfirmationRequired', 'ConfirmationInvalid'],
  run: async ({ input, session }) => {
    const at = await onScreen(session, { x: input.x, y: input.y }, 'x')
    const perform: Action = { type: 'click', at, button: 'right', count: 1 }
    const echo = { action: 'right_click_at', x: at.x, y: at.y }
    return actAnywhere({ session, name: 'right_click_at', input, perform, echo })
  },
})

const doubleClickAt = defineTool({
  name: 'double_click_at',
  kind: 'act',
  summary: 'Double-click at an absolute screen coordinate.',
  input: Gates.extend({ x: X, y: Y }),
  output: Done,
  faults: ['BadRequest', 'ConfirmationRequired', 'ConfirmationInvalid'],
  run: async ({ input, session }) => {
    const at = await onScreen(session, { x: input.x, y: input.y }, 'x')
    const perform: Action = { type: 'click', at, button: 'left', count: 2 }
    const echo = { action: 'double_click_at', x: at.x, y: at.y }
    return actAnywhere({ session, name: 'double_click_at', input, perform, echo })
  },
})

const hoverAt = defineTool({
  name: 'hover_at',
  kind: 'act',
  summary: 'Rest the pointer at an absolute screen coordinate.',
  input: Gates.extend({
    x: X,
    y: Y,
    hover_ms: z.int().min(0).max(60_000).default(250).describe('How long, in milliseconds'),
  }),
  output: Done,
  faults: ['BadRequest', 'ConfirmationRequired', 'ConfirmationInvalid'],
  run: async ({ input, session }) => {
    const at = await onScreen(session, { x: input.x, y: input.y }, 'x')
    const { hover_ms } = input
    const perform: Action = { type: 'hover', at, forMs: hover_ms }
    const echo = { action: 'hover_at', x: at.x, y: at.y, hover_ms }
    return actAnywhere({ session, name: 'hover_at', input, perform, echo, lastsMs: hover_ms })
  },
})

const scroll = defineTool({
  name: 'scroll',
  kind: 'act',
  summary: 'Turn the wheel: positive clicks scroll up, negative down. Without x and y where the pointer is.',
  input: Gates.extend({
    clicks: z.int().min(-1000).max(1000).default(3).describe('Wheel steps'),
    x: X.optional(),
    y: Y.optional(),
  }),
  output: Done,
  faults: ['BadRequest'],
  run: async ({ input, session }) => {
    const { x, y, clicks } = input
    if ((x === undefined) !== (y === undefined))
      throw new Fault('BadRequest', `${x === undefined ? 'x' : 'y'}: give both x and y, or neither`, {
        field: x === undefined ? 'x' : 'y',
      })
    const at = x === undefined || y === undefined ? undefined : await onScreen(session, { x, y }, 'x')
    const perform: Action = { type: 'scroll', clicks, ...(at && { at }) }
    return actAnywhere({ session, name: 'scroll', input, perform, echo: { action: 'scroll', clicks, ...at } })
  },
})

export const typeText = defineTool({
  name: 'type_text',
  kind: 'act',
  summary: 'Type text into the focused element. For key combinations use press_key.',
  input: Gates.extend({ text: z.string().max(TEXT_MOST).describe('Text to type') }),
  output: Done,
  faults: ['BadRequest', 'ConfirmationRequired', 'ConfirmationInvalid'],
  run: ({ input, session }) =>
    actAnywhere({
      session,
      name: 'type_text',
      input,
      perform: { type: 'type', text: input.text },
      echo: { action: 'type', length: [...input.text].length },
    }),
})

export const pressKey = defineTool({
  name: 'press_key',
  kind: 'act',
  summary: "Press a key or chord; modifiers first, joined with '+': enter, tab, ctrl+s, alt+f4, ctrl+shift+n.",
  input: Gates.extend({ keys: z.string().min(1).describe('Key or chord') }),
  output: Done,
  faults: ['BadRequest', 'ConfirmationRequired', 'ConfirmationInvalid'],
  run: ({ input, session }) =>
    actAnywhere({
      session,
      name: 'press_key',
      input,
      perform: { type: 'key', keys: input.keys },
      echo: { action: 'key', value: input.keys },
    }),
})

const End = z
  .object({
    x: X.optional(),
    y: Y.optional(),
    selector: z.string().optional(),
    element_id: z.string().optional(),
  })
  .describe('{x, y}, {selector} or {element_id}')
type End = z.infer<typeof End>

const drag = defineTool({
  name: 'drag',
  kind: 'act',
  summary: 'Press the left button at one place, move to another and let go.',
  input: Gates.extend(WindowChoice.shape).extend({
    from: End,
    to: End,
    modifiers: z
      .array(z.enum(['ctrl', 'shift', 'alt', 'meta']))
      .default([])
      .describe('Keys held meanwhile'),
    duration_s: z.number().min(0).max(60).default(0.5).describe('How long the move takes, in seconds'),
  }),
  output: Done,
  faults: [
    'BadRequest',
    'WindowGone',
    'ElementNotFound',
    'ElementOccluded',
    'ConfirmationRequired',
    'ConfirmationInvalid',
  ],
  run: async ({ input, session }) => {
    const from = await endOf(session, input.from, input, 'from')
    const to = await endOf(session, input.to, input, 'to')
    const modifiers: readonly Modifier[] = input.modifiers
    const durationMs = Math.round(input.duration_s * 1000)
    const path = [from.at, centerOf({ ...from.at, width: to.at.x - from.at.x, height: to.at.y - from.at.y }), to.at]
    return actAnywhere({
      session,
      name: 'drag',
      input,
      perform: {
        type: 'drag',
        from: from.at,
        to: to.at,
        modifiers,
        durationMs,
        ...(from.target && { fromTarget: from.target }),
        ...(to.target && { toTarget: to.target }),
      },
      echo: {
        action: 'drag',
        from: [from.at.x, from.at.y],
        to: [to.at.x, to.at.y],
        modifiers,
        path: path.map(({ x, y }) => [x, y]),
        duration_s: input.duration_s,
      },
      lastsMs: durationMs,
    })
  },
})

async function endOf(session: Session, end: End, choice: WindowChoice, field: string) {
  if (end.x !== undefined && end.y !== undefined)
    return { at: await onScreen(session, { x: end.x, y: end.y }, field), target: undefined }
  if (end.selector === undefined && end.element_id === undefined)
    throw new Fault('BadRequest', `${field}: give {x, y}, {selector} or {element_id}`, { field })
  const { window } = await chooseWindow(session, choice)
  const tree = await treeOf(session, window)
  const found = findElement(tree, { selector: end.selector, element_id: end.element_id }, window.uid)
  const at = await reach(session, window, tree, found)
  return { at, target: { window: window.uid, element: found.element.id } }
}

export const inputTools = [clickAt, typeText, pressKey, scroll, hoverAt, rightClickAt, doubleClickAt, drag]
