import { Fault } from '../../base/fault.ts'
import type { MemorySession } from '../../compose/memory-session.ts'
import { isAction } from '../../compose/verify/recorded-solution.ts'
import { hitTest } from '../../desktop/hit.ts'
import type { Modifier } from '../../desktop/input/action.ts'
import { type Chord, modifierOf, parseChord, parseKey } from '../../desktop/input/keys.ts'
import { type Element, nodeAt, nodeById, walk } from '../../desktop/model/element.ts'
import type { Point } from '../../desktop/model/geometry.ts'
import { roleKind, rolesWith } from '../../desktop/model/role.ts'
import { WHEEL_STEP } from '../../desktop/widgets/scrolling.ts'
import { call } from '../../observer/call.ts'
import type { ToolArguments } from '../../observer/result.ts'
import { visibleRegionsOf } from '../../observer/targets/window-lookup.ts'
import { type ElementTarget, findActionTarget } from '../../observer/tools/elements.ts'
import type { ProgramCall } from '../../scenario/solution.ts'
import { takesText } from '../adversaries/controls.ts'

/** What a person does with the pointer, the keyboard and time. Positive clicks of the wheel scroll up. */
export type PointerAct =
  | {
      readonly kind: 'click'
      readonly at: Point
      readonly button: 'left' | 'right'
      readonly count: 1 | 2
      readonly modifiers: readonly Modifier[]
    }
  | { readonly kind: 'move'; readonly at: Point }
  | { readonly kind: 'drag'; readonly from: Point; readonly to: Point }
  | { readonly kind: 'wheel'; readonly at: Point; readonly clicks: number }
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'keys'; readonly chord: Chord }
  | { readonly kind: 'wait'; readonly ms: number }

/** Carries out acts on the desktop. Throws a `Fault` when one is refused. */
type CarryOut = (acts: readonly PointerAct[]) => Promise<void>

/** An element in view, and the point at which the pointer acts on it. */
interface ReachedElement {
  readonly window: string
  readonly element: Element
  readonly at: Point
}

/** Scrolling, opening and raising for one element end after so many acts. */
const MAX_CORRECTIONS = 80
const WAIT_MS = 1000

/**
 * Makes the calls of a solution with the pointer and the keyboard alone: it looks for an element in the trees, scrolls to it,
 * raises its window, and clicks and types. A call that has no equal is made as it is, and named in `untranslated`.
 */
export class PointerHands {
  readonly untranslated: string[] = []
  readonly #desktop: MemorySession
  readonly #carryOut: CarryOut
  readonly #held = new Set<Modifier>()

  constructor(desktop: MemorySession, carryOut: CarryOut) {
    this.#desktop = desktop
    this.#carryOut = carryOut
  }

  /** Makes a call of a solution. Throws a `Fault` when it is refused, or when the element cannot be reached. */
  async make(planned: ProgramCall): Promise<void> {
    const translate = TRANSLATIONS[planned.tool]
    if (translate) {
      if ((await translate(this, planned.args)) === 'no equal') await this.#leave(planned)
    } else if (isAction(planned)) await this.#leave(planned)
    // The turn of an agent ends by its words, which the program around its model passes on.
    else if (planned.tool === 'finish') await this.#call(planned.tool, planned.args)
  }

  act(...acts: readonly PointerAct[]): Promise<void> {
    return this.#carryOut(acts)
  }

  click(at: Point, { button = 'left', count = 1 }: Partial<Extract<PointerAct, { kind: 'click' }>> = {}): PointerAct {
    return { kind: 'click', at, button, count, modifiers: [...this.#held] }
  }

  /** Scrolls, opens menus, waits for notifications and raises windows until an element can be clicked. */
  async reach(args: ToolArguments): Promise<ReachedElement> {
    let isAtTop = false
    for (let corrections = 0; ; corrections++) {
      try {
        const { window, tree, found, reveals, at } = await findActionTarget(
          this.#desktop.session.context,
          args as ElementTarget,
        )
        if (!reveals) return { window, element: found.element, at }
        if (corrections >= MAX_CORRECTIONS)
          throw new Fault('ElementOccluded', `the wheel does not bring ${found.selector} into view`)
        await this.#turnTo(window, tree, found.path, isAtTop)
        isAtTop = true
      } catch (thrown) {
        if (!(thrown instanceof Fault) || corrections >= MAX_CORRECTIONS) throw thrown
        await this.#correct(thrown)
      }
    }
  }

  /** Brings a window to the front: by a click on a part of it that does nothing, else by the keyboard. */
  async raise(uid: string): Promise<boolean> {
    const { computer, session } = this.#desktop
    const window = computer.windows().find((each) => each.uid === uid)
    if (!window) return false
    if (window.focused) return true
    const regions = await visibleRegionsOf(session.context, window)
    const points = regions.flatMap(({ x, y, width, height }) =>
      [8, 20, height >> 1].flatMap((down) =>
        [4, width >> 2, width >> 1].map((right) => ({
          x: x + Math.min(right, width - 1),
          y: y + Math.min(down, height - 1),
        })),
      ),
    )
    const place = points.find((point) => isInert(this.#desktop, uid, point))
    if (place) await this.act(this.click(place))
    else await this.act({ kind: 'keys', chord: parseChord('alt+tab') })
    return computer.windows().some((each) => each.uid === uid && each.focused)
  }

  hold(key: Modifier): void {
    this.#held.add(key)
  }

  release(key: Modifier): void {
    this.#held.delete(key)
  }

  /** Whether a condition of `wait_for` holds now. */
  async holds(args: ToolArguments): Promise<boolean> {
    const { fault } = await call(this.#desktop.session, 'wait_for', { ...args, timeout_ms: 1 } as never)
    return fault === undefined
  }

  /** The element with an id as it is now. */
  elementNow(window: string, id: string): Element | undefined {
    const tree = this.#desktop.computer.tree(window)
    return tree && nodeById(tree, id)
  }

  async pointer(): Promise<Point> {
    return (await this.#desktop.computer.pointer()).at
  }

  async #leave({ tool, args, place: { number } }: ProgramCall): Promise<void> {
    this.untranslated.push(`${tool} in step ${number}`)
    await this.#call(tool, args)
  }

  async #call(tool: string, args: ToolArguments): Promise<void> {
    const { fault } = await call(this.#desktop.session, tool, args as never)
    if (fault) throw fault
  }

  /** Turns the wheel over the list that has a row out of view: first to its start, then down by what is in view. */
  async #turnTo(window: string, shown: Element, path: readonly number[], isAtTop: boolean): Promise<void> {
    for (let depth = path.length - 1; depth >= 0; depth--) {
      const list = this.elementNow(window, nodeAt(shown, path.slice(0, depth))!.id)
      if (!list) continue
      const { at, element } = await this.reach({ window_uid: window, element_id: list.id })
      const page = Math.max(1, Math.floor(element.bounds.height / WHEEL_STEP) - 1)
      return this.act({ kind: 'wheel', at, clicks: isAtTop ? -page : MAX_WHEEL })
    }
    throw new Fault('ElementOccluded', 'the row is in no list')
  }

  /** Does what the fault of an element out of reach asks for. Throws the fault when nothing helps. */
  async #correct(fault: Fault): Promise<void> {
    const { code, context } = fault
    const { scroll, opened_by, covered_by, window_uid } = context as {
      readonly scroll?: Point & { readonly clicks: number }
      readonly opened_by?: string
      readonly covered_by?: string
      readonly window_uid?: string
    }
    if (code !== 'ElementOccluded' && code !== 'WindowOccluded') throw fault
    if (scroll) return this.act({ kind: 'wheel', at: { x: scroll.x, y: scroll.y }, clicks: scroll.clicks })
    if (opened_by && window_uid) {
      const { at } = await this.reach({ window_uid, element_id: opened_by })
      return this.act(this.click(at))
    }
    if (covered_by) return this.act({ kind: 'wait', ms: WAIT_MS })
    const isBehind = this.#desktop.computer.windows().some(({ uid, focused }) => uid === window_uid && !focused)
    if (!window_uid || !isBehind || !(await this.raise(window_uid))) throw fault
  }
}

const MAX_WHEEL = 1000

const PRESSABLE = rolesWith('pressed')
const INERT: ReadonlySet<string> = new Set(['window', 'titlebar', 'pane', 'text', 'heading', 'statusbar', 'toolbar'])

/** Whether a click at a point only raises the window. */
function isInert({ computer }: MemorySession, uid: string, point: Point): boolean {
  const hit = hitTest(computer.desktop, point)
  if (!hit || hit.window.uid !== uid) return false
  if ('part' in hit) return true
  const kind = roleKind(hit.element.role)
  return INERT.has(kind) && !PRESSABLE.has(kind)
}

/** Translates a call. Its result is 'no equal' where the pointer and the keyboard cannot do the same. */
type Translation = (hands: PointerHands, args: ToolArguments) => Promise<unknown>

const CHOICES = rolesWith('choice')

const clickElement =
  (options: Partial<Extract<PointerAct, { kind: 'click' }>>): Translation =>
  async (hands, args) => {
    if (args.count === 3 || args.button === 'middle') return 'no equal'
    const { at } = await hands.reach(args)
    const button = args.button === 'right' ? 'right' : options.button
    const count = args.count === 2 ? 2 : options.count
    await hands.act(hands.click(at, { ...(button && { button }), ...(count && { count }) }))
  }

const clickPlace =
  (options: Partial<Extract<PointerAct, { kind: 'click' }>>): Translation =>
  async (hands, args) => {
    if (args.coordinate_space !== undefined) return 'no equal'
    await hands.act(hands.click(pointIn(args), options))
  }

const pointIn = ({ x, y }: ToolArguments): Point => ({ x: Number(x), y: Number(y) })

const press = (keys: string): PointerAct => ({ kind: 'keys', chord: parseChord(keys) })

const setValue: Translation = async (hands, args) => {
  const { element, at } = await hands.reach(args)
  const text = String(args.value ?? '')
  // A day is typed as a whole, and cannot be cleared by keys.
  if (roleKind(element.role) === 'date' && text !== '') return hands.act(hands.click(at), { kind: 'type', text })
  if (!takesText({ element })) return 'no equal'
  const before = args.clear_first === false ? press('ctrl+end') : press('ctrl+a')
  await hands.act(hands.click(at), before, text === '' ? press('delete') : { kind: 'type', text })
}

const selectOption: Translation = async (hands, args) => {
  const { window, element, at } = await hands.reach(args)
  if (roleKind(element.role) === 'combo' && element.expanded !== true) await hands.act(hands.click(at))
  const options = [...walk(hands.elementNow(window, element.id) ?? element)].filter(
    (each) => each !== element && CHOICES.has(roleKind(each.role)),
  )
  const option =
    args.option_name === undefined
      ? options[Number(args.option_index)]
      : options.find(({ name }) => name === args.option_name)
  if (!option) return 'no equal'
  const reached = await hands.reach({ window_uid: window, element_id: option.id })
  await hands.act(hands.click(reached.at))
}

const drag: Translation = async (hands, { from, to, window_uid }) => {
  const ends: Point[] = []
  for (const end of [from, to] as readonly ToolArguments[])
    ends.push(end.x === undefined ? (await hands.reach({ ...end, window_uid })).at : pointIn(end))
  await hands.act({ kind: 'drag', from: ends[0]!, to: ends[1]! })
}

const waitFor: Translation = async (hands, args) => {
  const endMs = Number(args.timeout_ms ?? 5000)
  for (let waitedMs = 0; !(await hands.holds(args)); waitedMs += WAIT_MS) {
    if (waitedMs >= endMs)
      throw new Fault('Timeout', `nothing of ${JSON.stringify(args.any_of)} came within ${endMs} ms`)
    await hands.act({ kind: 'wait', ms: WAIT_MS })
  }
}

const holdKey =
  (change: 'hold' | 'release'): Translation =>
  async (hands, args) => {
    const key = modifierOf(parseKey(String(args.key)))
    if (!key) return 'no equal'
    hands[change](key)
  }

/** The tools of solutions that have an equal. A new translation is one row. */
const TRANSLATIONS: Readonly<Record<string, Translation>> = {
  click_element: clickElement({}),
  click_element_and_observe: clickElement({}),
  invoke_element: clickElement({}),
  double_click_element: clickElement({ count: 2 }),
  right_click_element: clickElement({ button: 'right' }),
  click_at: clickPlace({}),
  double_click_at: clickPlace({ count: 2 }),
  right_click_at: clickPlace({ button: 'right' }),
  hover_element: async (hands, args) => hands.act({ kind: 'move', at: (await hands.reach(args)).at }),
  hover_at: (hands, args) => hands.act({ kind: 'move', at: pointIn(args) }),
  focus_element: async (hands, args) => {
    const { element, at } = await hands.reach(args)
    if (!takesText({ element })) return 'no equal'
    await hands.act(hands.click(at))
  },
  set_value: setValue,
  clear_text: (hands, args) => setValue(hands, { ...args, value: '' }),
  select_option: selectOption,
  drag,
  scroll: async (hands, { x, y, clicks = 3 }) => {
    const at = x === undefined ? await hands.pointer() : pointIn({ x, y })
    await hands.act({ kind: 'wheel', at, clicks: Number(clicks) })
  },
  type_text: (hands, { text }) => hands.act({ kind: 'type', text: String(text) }),
  type_and_observe: (hands, { text }) => hands.act({ kind: 'type', text: String(text) }),
  press_key: (hands, { keys }) => hands.act(press(String(keys))),
  press_key_and_observe: (hands, { keys }) => hands.act(press(String(keys))),
  key_into_element: async (hands, { keys, ...args }) => {
    const { at } = await hands.reach(args)
    await hands.act(hands.click(at), press(String(keys)))
  },
  key_down: holdKey('hold'),
  key_up: holdKey('release'),
  bring_to_foreground: async (hands, { window_uid }) =>
    typeof window_uid === 'string' && (await hands.raise(window_uid)) ? undefined : 'no equal',
  wait: (hands, { duration_ms }) => hands.act({ kind: 'wait', ms: Number(duration_ms) }),
  wait_for: waitFor,
}
