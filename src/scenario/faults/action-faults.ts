import * as z from 'zod'
import { FAULTS, Fault, type FaultCode } from '../../base/fault.ts'
import { drawInteger, type Random } from '../../base/random.ts'
import type { Action } from '../../desktop/input/action.ts'
import { windowByUid } from '../../desktop/model/desktop.ts'
import { changeAt, type Element, focusedElement, nodeById, pathOf, withFields } from '../../desktop/model/element.ts'
import { atStep, chances, defineFault, type FaultKind, lasting } from './fault-kind.ts'

const isTyping = ({ type }: Action): boolean => type === 'type'

/** Types a text in which the letter at a drawn position is replaced. */
function retyped(action: Action, random: Random, replace: (letter: string) => string): { readonly action: Action } {
  if (action.type !== 'type') return { action }
  const letters = [...action.text]
  if (letters.length === 0) return { action }
  const [at] = drawInteger(random, 0, letters.length - 1)
  return { action: { ...action, text: letters.with(at, replace(letters[at]!)).join('') } }
}

export const droppedKeys = defineFault({
  id: 'dropped-keys',
  describe: 'One character of a typed text is missing.',
  params: chances({ probability: 0.5, times: 3 }),
  hook: { on: 'action', applies: isTyping, alter: ({ random }, action) => retyped(action, random, () => '') },
})

export const doubledKeys = defineFault({
  id: 'doubled-keys',
  describe: 'One character of a typed text arrives twice.',
  params: chances({ probability: 0.5, times: 3 }),
  hook: {
    on: 'action',
    applies: isTyping,
    alter: ({ random }, action) => retyped(action, random, (letter) => letter + letter),
  },
})

export const lostClick = defineFault({
  id: 'lost-click',
  describe: 'A click reaches no element, although its receipt says ok.',
  params: chances({ probability: 0.3, times: 3 }),
  hook: { on: 'action', applies: ({ type }) => type === 'click', alter: () => 'dropped' },
})

export const silentNoOp = defineFault({
  id: 'silent-no-op',
  describe: 'An action of any kind does nothing, although its receipt says ok.',
  params: chances({ probability: 0.2, times: 3 }),
  hook: { on: 'action', applies: () => true, alter: () => 'dropped' },
})

const ENTERS: ReadonlySet<Action['type']> = new Set(['set_value', 'clear_text', 'select', 'type'])

const ENTERED = ['value', 'valueNow', 'selected'] as const

/** An element, and its parts, with the values that were tried, wherever the program still has those of before. */
function withEntered(element: Element, before: Element, attempted: Element): Element {
  const entered = ENTERED.filter((key) => element[key] === before[key] && attempted[key] !== before[key])
  const children = element.children.map((child) => {
    const [was, tried] = [before, attempted].map((parent) => parent.children.find(({ id }) => id === child.id))
    return was && tried ? withEntered(child, was, tried) : child
  })
  return withFields(element, { ...Object.fromEntries(entered.map((key) => [key, attempted[key]])), children })
}

export const echo = defineFault({
  id: 'echo',
  describe: 'The trees show a value that was entered, although the program never took it.',
  params: { ...chances({ probability: 0.5, times: 3 }), ...lasting(3_600_000) },
  hook: {
    on: 'action',
    applies: ({ type }) => ENTERS.has(type),
    alter: () => 'dropped',
    tree: ({ tree, before, attempted, action }) => {
      if (!before || !attempted) return tree
      const id = 'target' in action && action.target ? action.target.element : focusedElement(before)?.id
      const [path, was, tried] =
        id === undefined ? [] : [pathOf(tree, id), nodeById(before, id), nodeById(attempted, id)]
      return path && was && tried ? changeAt(tree, path, (element) => withEntered(element, was, tried)) : tree
    },
  },
})

function scaled(element: Element, factor: number): Element {
  const { x, y, width, height } = element.bounds
  const by = (length: number) => Math.round(length * factor)
  return withFields(element, {
    bounds: { x: by(x), y: by(y), width: by(width), height: by(height) },
    children: element.children.map((child) => scaled(child, factor)),
  })
}

export const wrongCoordinates = defineFault({
  id: 'wrong-coordinates',
  describe: 'The bounds in trees are off by a factor, as when a program ignores the scale of the monitor.',
  params: {
    factor: z
      .number()
      .min(0.25)
      .max(4)
      .describe('The factor of all coordinates in trees')
      .meta({ examples: [1.25] })
      .default(1.25),
  },
  hook: { on: 'observation', constant: true, tree: ({ tree, params }) => scaled(tree, params.factor) },
})

/** A click at a point, as a pointer makes it: it does not follow the element. */
const atPoint = (action: Action): Action =>
  action.type === 'click' ? { ...action, target: undefined as never } : action

export const screenShift = defineFault({
  id: 'screen-shift',
  describe: 'The active window moves between the look and the click, so that the click hits another place.',
  params: {
    ...chances({ probability: 0.3, times: 1 }),
    by: z
      .int()
      .min(1)
      .max(2000)
      .describe('The largest shift in each direction, in pixels')
      .meta({ examples: [120] })
      .default(120),
  },
  hook: {
    on: 'action',
    applies: ({ type }) => type === 'click',
    alter: ({ desktop, params, random }, action) => {
      const window = windowByUid(desktop, desktop.active ?? '')
      if (!window) return {}
      const [dx, next] = drawInteger(random, Math.ceil(params.by / 2), params.by)
      const [dy] = drawInteger(next, Math.ceil(params.by / 2), params.by)
      const { x, y } = window.bounds
      return { action: atPoint(action), effects: [{ move: window.uid, x: x + dx, y: y + dy }] }
    },
  },
})

const MAX_DELAY_MS = 600_000

const delay = (what: string, ms: number) =>
  z
    .int()
    .min(1)
    .max(MAX_DELAY_MS)
    .describe(what)
    .meta({ examples: [ms] })
    .default(ms)

/** A draw of the standard normal distribution: the sum of twelve uniform ones. */
function normal(random: Random): number {
  let sum = 0
  let next = random
  for (let draw = 0; draw < 12; draw++) {
    const [part, after] = drawInteger(next, 0, 999_999)
    sum += part / 1_000_000
    next = after
  }
  return sum - 6
}

/** Calls that take longer, in the time of the desktop. */
export const latencies: readonly FaultKind[] = [
  defineFault({
    id: 'latency',
    describe: 'Each call of an agent takes longer, always the same time of the desktop clock.',
    params: { ...chances({ probability: 1, times: 1000 }), delay_ms: delay('The delay, in milliseconds', 500) },
    hook: { on: 'call', outcome: ({ delay_ms }) => ({ delayMs: delay_ms }) },
  }),
  defineFault({
    id: 'latency-lognormal',
    describe: 'Each call of an agent takes longer, mostly a little and now and then much longer.',
    params: {
      ...chances({ probability: 1, times: 1000 }),
      median_ms: delay('The median of the delays, in milliseconds', 300),
      sigma: z
        .number()
        .min(0)
        .max(3)
        .describe('The spread of the logarithm of the delays')
        .meta({ examples: [0.8] })
        .default(0.8),
    },
    hook: {
      on: 'call',
      outcome: ({ median_ms, sigma }, random) => ({
        delayMs: Math.min(MAX_DELAY_MS, Math.max(1, Math.round(median_ms * Math.exp(sigma * normal(random))))),
      }),
    },
  }),
]

export const errorCode = defineFault({
  id: 'error-code',
  describe: 'A call of an agent returns an error instead of a result, and does nothing.',
  params: {
    ...chances({ probability: 0.2, times: 3 }),
    code: z
      .enum(Object.keys(FAULTS) as [FaultCode, ...FaultCode[]])
      .describe('The code of the error')
      .meta({ examples: ['Timeout'] })
      .default('Timeout'),
  },
  hook: { on: 'call', outcome: ({ code }) => ({ fault: new Fault(code) }) },
})

export const hungWindow = defineFault({
  id: 'hung-window',
  describe: 'After a step the active window takes no input for a while.',
  params: { ...atStep, ...lasting(3000) },
  hook: {
    on: 'step',
    effects: ({ desktop, params }) => {
      const { active } = desktop
      if (active === undefined) return []
      return [
        { window: active, busy: true },
        { schedule: { after_ms: params.for_ms, set: [{ window: active, busy: false }] } },
      ]
    },
  },
})
