import {
  callTool,
  chooseWindow,
  type DeskCall,
  type DeskCommand,
  elapsedSince,
  type ListedWindow,
  listedWindows,
  nameOfApp,
  nowMs,
  numberArg,
  resolveRef,
  textArg,
  treeOf,
} from './desk-call.ts'
import { CommandError } from './envelope.ts'
import { notifications } from './system-commands.ts'
import { type DeskNode, walkNodes } from './tree.ts'

const DEFAULT_TIMEOUT_MS = 30_000
const POLL_MS = 100
/** Later polls are rarer, so that a long wait has few rows in a trace. */
const MAX_POLL_MS = 1000

/** What a predicate saw: `isMet` ends the wait, `observed` is reported. */
interface Observed {
  readonly isMet: boolean
  readonly observed: Readonly<Record<string, unknown>>
}

type Predicate = () => Promise<Observed>

/** Polls a predicate on the clock of the desktop. Throws `TIMEOUT` with what it saw last. */
export async function pollUntil(
  call: DeskCall,
  predicate: Predicate,
  about: Readonly<Record<string, unknown>>,
  timeoutMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  const startedMs = nowMs(call)
  for (let pollMs = POLL_MS; ; pollMs = Math.min(MAX_POLL_MS, pollMs * 2)) {
    const { isMet, observed } = await predicate()
    if (isMet) return { ...observed, elapsed_ms: elapsedSince(call, startedMs) }
    const leftMs = timeoutMs - (nowMs(call) - startedMs)
    if (leftMs <= 0)
      throw new CommandError('TIMEOUT', `The wait ended after ${timeoutMs} ms`, {
        delivery: 'not_delivered',
        details: { kind: 'wait_timeout', timeout_ms: timeoutMs, last_observed: observed, ...about },
      })
    await callTool(call.desk, 'wait', { duration_ms: Math.min(pollMs, leftMs) })
  }
}

export const wait: DeskCommand = async (call) => {
  const { args } = call
  const ms = args.ms === undefined ? undefined : Number(args.ms)
  const timeoutMs = numberArg(call, 'timeout') ?? DEFAULT_TIMEOUT_MS
  if (ms !== undefined) {
    if (!Number.isSafeInteger(ms) || ms < 0) throw new CommandError('INVALID_ARGS', `Invalid time '${String(args.ms)}'`)
    const startedMs = nowMs(call)
    await callTool(call.desk, 'wait', { duration_ms: ms })
    return { waited_ms: ms, elapsed_ms: elapsedSince(call, startedMs) }
  }
  const modes = ['element', 'window', 'text', 'menu', 'menu_closed', 'notification', 'event'].filter(
    (mode) => args[mode] !== undefined,
  )
  // `--window` beside `--event` only narrows it.
  const [mode, ...more] = modes.length === 2 && modes.includes('event') ? ['event'] : modes
  if (mode === undefined || more.length > 0)
    throw new CommandError(
      'INVALID_ARGS',
      'wait needs a time, or one of --element, --window, --text, --menu, --menu-closed, --notification, --event',
    )
  const { predicate, about } = await predicateOf(call, mode)
  return pollUntil(call, predicate, { predicate: mode, ...about }, timeoutMs)
}

interface Waited {
  readonly predicate: Predicate
  readonly about: Readonly<Record<string, unknown>>
}

async function predicateOf(call: DeskCall, mode: string): Promise<Waited> {
  switch (mode) {
    case 'element':
      return elementPredicate(call)
    case 'window': {
      const title = textArg(call, 'window')!.toLowerCase()
      return {
        about: { title },
        predicate: async () => {
          const found = (await listedWindows(call)).find((window) => window.title.toLowerCase().includes(title))
          return { isMet: found !== undefined, observed: found ? { window: found.title } : {} }
        },
      }
    }
    case 'text':
      return textPredicate(call)
    case 'menu':
    case 'menu_closed':
      return {
        about: {},
        predicate: async () => {
          const isOpen = await hasOpenMenu(call)
          return { isMet: isOpen === (mode === 'menu'), observed: { menu_open: isOpen } }
        },
      }
    case 'notification': {
      const before = (await notifications(call)).length
      return {
        about: { baseline_counts: { notifications: before } },
        predicate: async () => {
          const shown = await notifications(call)
          return { isMet: shown.length > before, observed: { count: shown.length } }
        },
      }
    }
    default:
      return eventPredicate(call)
  }
}

const isUsable = ({ states }: DeskNode): boolean => !states.includes('disabled') && !states.includes('offscreen')

const PREDICATES: Readonly<Record<string, (node: DeskNode, call: DeskCall) => boolean>> = {
  exists: () => true,
  enabled: ({ states }) => !states.includes('disabled'),
  visible: ({ states }) => !states.includes('offscreen') && !states.includes('hidden'),
  actionable: isUsable,
  value: ({ value }, call) => value === textArg(call, 'value'),
}

function elementPredicate(call: DeskCall): Waited {
  const ref = textArg(call, 'element')!
  const name = textArg(call, 'predicate') ?? 'exists'
  const holds = Object.hasOwn(PREDICATES, name) ? PREDICATES[name]! : undefined
  if (!holds)
    throw new CommandError('INVALID_ARGS', `Unknown predicate '${name}'; use ${Object.keys(PREDICATES).join(', ')}`)
  if (name === 'value' && textArg(call, 'value') === undefined)
    throw new CommandError('INVALID_ARGS', 'The predicate value needs --value')
  return {
    about: { predicate: name, ref },
    predicate: async () => {
      try {
        const { node } = await resolveRef(call, ref)
        const { role, states, value } = node
        return { isMet: holds(node, call), observed: { predicate: name, ref, role, states, value } }
      } catch (error) {
        // An element that is not there may still come.
        if (!(error instanceof CommandError) || error.code !== 'STALE_REF' || /not in its snapshot/.test(error.message))
          throw error
        return { isMet: false, observed: { predicate: name, ref, last_error: error.code } }
      }
    },
  }
}

async function textPredicate(call: DeskCall): Promise<Waited> {
  const text = textArg(call, 'text')!
  const count = numberArg(call, 'count')
  return {
    about: { text_chars: [...text].length },
    predicate: async () => {
      const window = await chooseWindow(call)
      const tree = await treeOf(call, window.window_uid)
      const found = tree ? [...walkNodes(tree)].filter((node) => hasText(node, text)) : []
      const isMet = count === undefined ? found.length > 0 : found.length === count
      return { isMet, observed: { count: found.length } }
    },
  }
}

const hasText = ({ name, value, description }: DeskNode, text: string): boolean =>
  [name, value, description].some((each) => each.includes(text))

async function hasOpenMenu(call: DeskCall): Promise<boolean> {
  const tree = await treeOf(call, (await chooseWindow(call)).window_uid)
  if (!tree) return false
  return [...walkNodes(tree)].some(
    ({ role, states, children }) => role === 'menuitem' && (states.includes('expanded') || children.length > 0),
  )
}

const EVENTS: Readonly<Record<string, (before: readonly ListedWindow[], now: readonly ListedWindow[]) => boolean>> = {
  'window-opened': (before, now) => now.some((window) => !hasWindow(before, window)),
  'window-closed': (before, now) => before.some((window) => !hasWindow(now, window)),
  'app-launched': (before, now) => now.some((window) => !hasApp(before, window)),
  'app-terminated': (before, now) => before.some((window) => !hasApp(now, window)),
  'focus-changed': (before, now) => focusOf(before) !== focusOf(now),
  'surface-appeared': (before, now) => now.some((window) => !hasWindow(before, window)),
  'surface-dismissed': (before, now) => before.some((window) => !hasWindow(now, window)),
}

const hasWindow = (windows: readonly ListedWindow[], { window_uid: uid }: ListedWindow): boolean =>
  windows.some(({ window_uid }) => window_uid === uid)
const hasApp = (windows: readonly ListedWindow[], window: ListedWindow): boolean =>
  windows.some((each) => nameOfApp(each) === nameOfApp(window))
const focusOf = (windows: readonly ListedWindow[]): string | undefined =>
  windows.find(({ focused }) => focused)?.window_uid

async function eventPredicate(call: DeskCall): Promise<Waited> {
  const event = textArg(call, 'event')!
  const happened = Object.hasOwn(EVENTS, event) ? EVENTS[event]! : undefined
  if (!happened)
    throw new CommandError('INVALID_ARGS', `Unknown event '${event}'; use ${Object.keys(EVENTS).join(', ')}`)
  const before = await listedWindows(call)
  return {
    about: { event, baseline_counts: { windows: before.length } },
    predicate: async () => {
      const now = await listedWindows(call)
      return { isMet: happened(before, now), observed: { event, windows: now.length } }
    },
  }
}

/** A selector of `--wait-for`: `role:text`, `role` or `:text`. */
export function selectorPredicate(call: DeskCall, selector: string, isGone: boolean): Predicate {
  const [role = '', text = ''] = selector.split(/:(.*)/s, 2)
  if (role === '' && text === '')
    throw new CommandError('INVALID_ARGS', `Invalid selector '${selector}'; use ROLE:TEXT`)
  return async () => {
    const windows = await listedWindows(call)
    if (windows.length === 0) return { isMet: isGone, observed: { target_absent: true } }
    const tree = await treeOf(call, (await chooseWindow(call)).window_uid)
    const isThere =
      tree !== undefined &&
      [...walkNodes(tree)].some((node) => (role === '' || node.role === role) && hasText(node, text))
    return { isMet: isThere !== isGone, observed: { matched_selector: selector, ...(isGone && { gone: !isThere }) } }
  }
}
