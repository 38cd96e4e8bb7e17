import type { Awaitable } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import { type Desktop, filesOf, type Window } from '../../desktop/model/desktop.ts'
import { type Element, memoize, type Path, pathOf, walk } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { roleKind, rolesWhere, rolesWith } from '../../desktop/model/role.ts'
import { chainTo } from '../../desktop/tree/element-ref.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { isBehindDialog } from '../../desktop/tree/modal.ts'
import { revealedIds, shownBounds } from '../../desktop/visible-bounds.ts'
import { blockerOf } from '../../desktop/windows/stacking.ts'
import { matchingReactions } from '../explain-action.ts'
import { nextAtMs } from '../run/elapse.ts'
import type { ScenarioEvent } from '../run/event.ts'
import { allGuardsPass } from '../run/guard.ts'
import { applyBehaviour, type RunInput, startScenario, stepScenario } from '../run/step.ts'
import { distanceToNamed } from '../run/triggers.ts'
import type { Scenario } from '../scenario.ts'
import type { ScenarioRun } from '../scenario-run.ts'

/** What a search may take, and how screens are judged. */
export interface ExploreOptions {
  readonly maxScreens: number
  /** Ends the search early. */
  readonly isExpired?: () => boolean
  /** How a screen is judged by the oracles of the scenario. */
  readonly judge: (run: ScenarioRun) => Awaitable<'solved' | 'failed' | 'open'>
  /** Runs and actions to begin with, such as those of the solutions; the last of each has no action. */
  readonly examples?: readonly { readonly run: ScenarioRun; readonly action?: Action }[]
  readonly onProgress?: (progress: ExploreProgress) => void
}

export interface ExploreProgress {
  readonly explored: number
  readonly found: number
  readonly actions: number
}

/** A screen that a search found. */
export interface ExploredScreen {
  readonly index: number
  readonly run: ScenarioRun
  readonly verdict: 'solved' | 'failed' | 'open'
  /** Whether its actions were tried. */
  isExpanded: boolean
  readonly steps: ExploredStep[]
}

/** An action that leads from a screen to another. */
export interface ExploredStep {
  readonly to: number
  readonly label: string
}

/** What a search saw. */
export interface ScreenSearch {
  readonly scenario: Scenario
  readonly screens: readonly ExploredScreen[]
  readonly isComplete: boolean
  readonly actions: number
  readonly appliedReactions: ReadonlySet<number>
  readonly firedTimers: ReadonlySet<number>
  /** Pairs of reactions that match one action: the index of the one that applies and of another, and the action. */
  readonly rivals: ReadonlyMap<string, { readonly first: number; readonly second: number; readonly label: string }>
  /** Controls that were pressed, as `window element`, and whether that ever changed anything. */
  readonly pressed: ReadonlyMap<string, { readonly label: string; readonly changed: boolean }>
}

interface SearchState {
  readonly options: ExploreOptions
  readonly hints: ActionHints
  readonly screens: ExploredScreen[]
  readonly byKey: Map<string, ExploredScreen>
  /** The screens whose actions were not tried yet: those with a control that no screen before had, and the others. */
  readonly fresh: ExploredScreen[]
  readonly others: ExploredScreen[]
  /** The controls of all screens. */
  readonly controls: Set<string>
  readonly applied: Set<number>
  readonly fired: Set<number>
  readonly rivals: Map<string, { first: number; second: number; label: string }>
  readonly pressed: Map<string, { label: string; changed: boolean }>
  actions: number
}

/**
 * Searches the screens of a scenario, breadth first, but those with new controls before others.
 * @param scenario The scenario.
 * @param options The bound, and how screens are judged.
 */
export async function searchScenario(scenario: Scenario, options: ExploreOptions): Promise<ScreenSearch> {
  const state: SearchState = {
    options,
    hints: actionHintsOf(scenario),
    screens: [],
    byKey: new Map(),
    fresh: [],
    others: [],
    controls: new Set(),
    applied: new Set(),
    fired: new Set(),
    rivals: new Map(),
    pressed: new Map(),
    actions: 0,
  }
  await screenOf(state, startScenario(scenario, { atMs: 0 }))
  await followExamples(state)
  let explored = 0
  for (let next = nextScreen(state); next; next = nextScreen(state)) {
    if (explored >= options.maxScreens || options.isExpired?.()) break
    await expand(state, next)
    explored++
    options.onProgress?.({ explored, found: state.screens.length, actions: state.actions })
  }
  return {
    scenario: state.screens[0]!.run.scenario,
    screens: state.screens,
    isComplete: explored === state.screens.length,
    actions: state.actions,
    appliedReactions: state.applied,
    firedTimers: state.fired,
    rivals: state.rivals,
    pressed: state.pressed,
  }
}

/** The next screen whose actions are tried: one with a control that no screen before had, otherwise the first one found. */
function nextScreen({ fresh, others }: SearchState): ExploredScreen | undefined {
  return fresh.shift() ?? others.shift()
}

/** The controls of a tree, by the ids that the file has for them, and whether they can be used. */
const controlsIn = memoize((element: Element): readonly string[] => {
  const own = PRESSED.has(roleKind(element.role))
    ? [`${element.traits?.instance?.id ?? element.id} ${element.enabled}`]
    : []
  return [...new Set([...own, ...element.children.flatMap(controlsIn)])]
})

/** Whether a screen has a control that none before had. Remembers its controls. */
function hasNewControl({ controls }: SearchState, { state, desktop }: ScenarioRun): boolean {
  const count = controls.size
  for (const { uid, tree } of desktop.windows)
    for (const each of controlsIn(tree)) controls.add(`${state} ${uid} ${each}`)
  return controls.size > count
}

async function screenOf(state: SearchState, run: ScenarioRun): Promise<ExploredScreen> {
  const key = screenKey(run)
  const known = state.byKey.get(key)
  if (known) return known
  const verdict = await state.options.judge(run)
  const screen: ExploredScreen = { index: state.screens.length, run, verdict, isExpanded: false, steps: [] }
  state.byKey.set(key, screen)
  state.screens.push(screen)
  ;(hasNewControl(state, run) ? state.fresh : state.others).push(screen)
  return screen
}

async function followExamples(state: SearchState): Promise<void> {
  let before: ExploredScreen | undefined
  for (const { run, action } of state.options.examples ?? []) {
    const screen = await screenOf(state, run)
    if (before && before !== screen) addStep(before, screen, 'wait')
    if (!action) {
      before = undefined
      continue
    }
    before = await tryAction(state, screen, run, { input: { type: 'action', action }, label: describe(action) })
  }
}

const describe = (action: Action): string =>
  'target' in action && action.target ? `${action.type} ${action.target.element}` : action.type

async function expand(state: SearchState, screen: ExploredScreen): Promise<void> {
  for (const candidate of candidateActions(screen.run, state.hints))
    await tryAction(state, screen, screen.run, candidate)
  screen.isExpanded = true
}

/** Performs an action on a screen. Returns the screen that it leads to. */
async function tryAction(
  state: SearchState,
  screen: ExploredScreen,
  run: ScenarioRun,
  { input, focus, label, pressed }: CandidateAction,
): Promise<ExploredScreen> {
  state.actions++
  let next = run
  try {
    const from = focus ? stepScenario(run, { type: 'action', action: focus }).run : run
    const step = input.type === 'tick' ? { run: waited(state, from), reactions: [] } : stepScenario(from, input)
    next = step.run
    if (step.reactions.length > 0) {
      for (const reaction of step.reactions) state.applied.add(reaction)
      if (input.type === 'action') noteRivals(state, from, input.action, label)
    }
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
  }
  const to = next === run ? screen : await screenOf(state, next)
  if (to !== screen) addStep(screen, to, label)
  if (pressed !== undefined) {
    const known = state.pressed.get(pressed)
    state.pressed.set(pressed, { label, changed: (known?.changed ?? false) || to !== screen })
  }
  return to
}

function addStep(from: ExploredScreen, to: ExploredScreen, label: string): void {
  if (!from.steps.some((step) => step.to === to.index && step.label === label)) from.steps.push({ to: to.index, label })
}

/** The most firings of timers that one wait passes. */
const MAX_FIRINGS = 1000

/** The run at the next timer that changes the screen. Timers without effect are passed until each has fired once. */
function waited(state: SearchState, run: ScenarioRun): ScenarioRun {
  const key = screenKey(run)
  const lastMs = Math.max(...run.due.map(({ atMs }) => atMs), nextAtMs(run) ?? 0)
  let current = run
  for (let firings = 0; firings < MAX_FIRINGS; firings++) {
    const atMs = nextAtMs(current)
    if (atMs === undefined || atMs > lastMs) return current
    noteTimers(state, current, atMs)
    current = stepScenario(current, { type: 'tick', nowMs: atMs }).run
    if (screenKey(current) !== key) return current
  }
  return current
}

/** Notes the timers that fire until a time and whose guards hold now. */
function noteTimers(state: SearchState, run: ScenarioRun, untilMs: number): void {
  for (const { timer, atMs, near } of run.due) {
    const entry = run.scenario.timers[timer]
    if (atMs <= untilMs && entry && allGuardsPass(run, entry.when, near)) state.fired.add(timer)
  }
}

function noteRivals(state: SearchState, run: ScenarioRun, action: Action, label: string): void {
  if (run.scenario.reactions.length < 2) return
  const behaved = applyBehaviour(run, action)
  const [first, ...others] = matchingReactions(behaved)
  for (const second of others) {
    if (behaved.events.some((event) => isForOuter(run.scenario, event, first!, second))) continue
    const key = `${first} ${second}`
    if (!state.rivals.has(key)) state.rivals.set(key, { first: first!, second, label })
  }
}

/** Whether one reaction is for an element inside the one that another is for, such as a button and its card. */
function isForOuter({ reactions }: Scenario, event: ScenarioEvent, inner: number, outer: number): boolean {
  const [near, far] = [inner, outer].map((index) => distanceToNamed(reactions[index]!.on, event))
  return near !== undefined && far !== undefined && near < far
}

/** Higher counts of an event count as equal, since screens would differ forever. */
const MAX_COUNT = 3

/** Runs with equal keys show the same screen and continue in the same way, apart from the focus, the pointer and the time. */
export function screenKey({ state, desktop, due, data, log, restedAtMs, history }: ScenarioRun): string {
  const windows = desktop.windows.map((window) => {
    const { uid, title, bounds, busy, tree } = window
    return [uid, window.state, title, bounds, busy ?? false, treeHash(tree), stateOf(tree)]
  })
  const counts = [...log.counts].map(([name, count]) => [name, Math.min(count, MAX_COUNT)])
  const timers = due.map(({ timer }) => timer).sort()
  return JSON.stringify([
    state,
    desktop.active,
    windows,
    filesOf(desktop),
    desktop.clipboard,
    data,
    counts,
    timers,
    restedAtMs !== undefined,
    ...(history.undo.length + history.redo.length > 0 ? [history.undo.length > 0, history.redo.length > 0] : []),
  ])
}

/** The state of the elements that the tree hash leaves out. */
const stateOf = memoize((element: Element): string => {
  const { selected, expanded, valueNow, description, traits, children, id } = element
  const { hidden, placeholder, readOnly, icon, chart, picture, rich, rows } = traits ?? {}
  const { look, avatar, badge, subtitle, unread, terminal } = traits ?? {}
  const looks = [icon, chart, picture?.hash, rich?.spans, look, avatar, badge, subtitle, unread, terminal?.spans]
  const fields = [selected, expanded, valueNow, description, hidden, placeholder, readOnly, ...looks, rows?.selected]
  const own = fields.some((each) => each !== undefined && each !== null && each !== false) ? JSON.stringify(fields) : ''
  const below = children.map(stateOf).join('')
  return own === '' ? below : `${id}:${own};${below}`
})

/** Something that an agent might do on a screen. */
interface CandidateAction {
  readonly input: RunInput
  /** The element that gets the focus before. */
  readonly focus?: Action
  /** In words, such as `click Button "Save"`. */
  readonly label: string
  /** The element that it presses, as `window element`. */
  readonly pressed?: string
}

/** Words and keys of a scenario that actions use. */
export interface ActionHints {
  /** Texts by the id of the field that a guard compares with them. */
  readonly textsOf: ReadonlyMap<string, readonly string[]>
  readonly texts: readonly string[]
  readonly keys: readonly string[]
  /** Keys by the id of the element that has to have the focus for them. */
  readonly keysOf: ReadonlyMap<string, readonly string[]>
  /** The words in oracles and solutions, which name items by their ids, names and keys. */
  readonly named: ReadonlySet<string>
  /** Tools that triggers name, beside pressing and typing. */
  readonly tools: ReadonlySet<string>
}

const MAX_TEXTS = 8
/** Of the items of one list, only the first are tried. Of those of a `repeat` over data, the first, the last and named ones. */
const MAX_ITEMS = 12
const EXPLORED = { elements: 200, items: MAX_ITEMS }
const OTHER_TEXT = 'something else'

/** Collects the texts of guards, oracles and the solution, and the keys and tools of triggers. */
export function actionHintsOf(scenario: Scenario): ActionHints {
  const textsOf = new Map<string, Set<string>>()
  const texts = new Set<string>()
  const keys = new Set<string>()
  const keysOf = new Map<string, Set<string>>()
  const tools = new Set<string>()
  visit([scenario.reactions, scenario.timers], (entry) => {
    if (typeof entry.id === 'string')
      for (const text of [entry.value, literalOf(entry.value_regex)])
        if (typeof text === 'string') textsOf.set(entry.id, (textsOf.get(entry.id) ?? new Set()).add(text))
    if (typeof entry.keys === 'string')
      if (typeof entry.target_id === 'string')
        keysOf.set(entry.target_id, (keysOf.get(entry.target_id) ?? new Set()).add(entry.keys))
      else keys.add(entry.keys)
    if (typeof entry.tool !== 'string') return
    tools.add(entry.tool)
    const text = literalOf(entry.text_regex)
    if (text !== undefined) (entry.tool === 'press_key' ? keys : texts).add(text)
  })
  visit(scenario.solutions, ({ text, value, keys: chord }) => {
    for (const each of [text, value]) if (typeof each === 'string' && !each.includes('{{')) texts.add(each)
    if (typeof chord === 'string') keys.add(chord)
  })
  visit(scenario.oracles, ({ expected }) => {
    if (typeof expected === 'string') texts.add(expected)
  })
  return {
    textsOf: new Map([...textsOf].map(([id, found]) => [id, [...found]])),
    texts: [...texts],
    keys: [...keys],
    keysOf: new Map([...keysOf].map(([id, found]) => [id, [...found]])),
    tools,
    named: wordsOf([scenario.oracles, scenario.solutions]),
  }
}

/** The texts of a part of a scenario, and the words in them: what stands in quotes, ids, names and keys. */
function wordsOf(part: unknown): ReadonlySet<string> {
  const words = new Set<string>()
  visit(part, (entry) => {
    // The place of a step names nothing.
    if ('line' in entry) return
    for (const [key, value] of Object.entries(entry)) {
      words.add(key)
      for (const each of [value].flat()) {
        if (typeof each !== 'string') continue
        words.add(each)
        for (const [word, quoted] of each.matchAll(/"([^"]*)"|[\p{L}\p{N}_-]+/gu)) words.add(quoted ?? word)
      }
    }
  })
  return words
}

/** A pattern that is a plain text. */
const literalOf = (pattern: unknown): string | undefined =>
  typeof pattern === 'string' && /^[\p{L}\p{N} _+@-]+$/u.test(pattern) ? pattern : undefined

function visit(value: unknown, see: (entry: Readonly<Record<string, unknown>>) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, see)
  else if (typeof value === 'object' && value !== null) {
    see(value as Readonly<Record<string, unknown>>)
    for (const part of Object.values(value)) visit(part, see)
  }
}

/** The actions to try on a screen, in the order of its windows and elements. */
function candidateActions(run: ScenarioRun, hints: ActionHints): readonly CandidateAction[] {
  const { desktop } = run
  const actions: CandidateAction[] = []
  for (const window of operableWindows(desktop)) {
    actions.push(...actionsIn(window, hints))
    if (hints.tools.has('close_window'))
      actions.push(candidate({ type: 'window', window: window.uid, to: 'close' }, `close ${window.title}`))
    if (desktop.active !== window.uid)
      actions.push(candidate({ type: 'activate', window: window.uid }, `activate ${window.title}`))
  }
  for (const keys of hints.keys) actions.push(candidate({ type: 'key', keys }, `press ${keys}`))
  const atMs = nextAtMs(run)
  if (atMs !== undefined)
    actions.push({ input: { type: 'tick', nowMs: atMs }, label: `wait ${Math.max(0, atMs - run.nowMs)} ms` })
  return actions
}

const candidate = (action: Action, label: string, pressed?: string): CandidateAction => ({
  input: { type: 'action', action },
  label,
  ...(pressed !== undefined && { pressed }),
})

const PRESSED = rolesWhere(({ focus, item }) => focus !== 'never' || item !== 'none')
const SHOWN = rolesWith('showsName')
const TEXTS = rolesWhere(({ text }) => text !== 'none')
const VALUES = rolesWhere(({ is, text }) => text === 'none' && (is.includes('typed') || is.includes('stepped')))

function actionsIn(window: Window, hints: ActionHints): readonly CandidateAction[] {
  return operableElements(window, hints, EXPLORED).flatMap(({ element, path }) =>
    actionsOn(window, element, path, hints),
  )
}

/** An element that takes input, and where it is in the tree of its window. */
export interface OperableElement {
  readonly element: Element
  readonly path: Path
  /** The element, then those around it. */
  readonly chain: readonly Element[]
}

/** The windows that take input. */
export const operableWindows = (desktop: Desktop): readonly Window[] =>
  desktop.windows.filter((window) => window.state !== 'minimized' && !window.busy && !blockerOf(desktop, window))

/**
 * The enabled elements of a window that are neither hidden nor folded away, in document order. Of the items of a `repeat`, the
 * first, the last and those that the hints name.
 * @param window The window.
 * @param hints What oracles and solutions name.
 * @param limits The most elements, and the most children of one parent that are no buttons.
 */
export function operableElements(
  window: Window,
  hints: ActionHints,
  limits: { readonly elements: number; readonly items: number },
): readonly OperableElement[] {
  const revealed = revealedIds(window.tree)
  const found: OperableElement[] = []
  const passed = itemsToPass(window.tree, revealed, hints)
  const items = new Map<Element, number>()
  for (const element of walk(window.tree)) {
    if (!revealed.has(element.id) || found.length >= limits.elements) continue
    const path = pathOf(window.tree, element.id)
    if (!path || path.length === 0 || isBehindDialog(window.tree, path)) continue
    const chain = chainTo(window.tree, path)
    if (!chain.every(({ enabled }) => enabled) || chain.some((each) => passed.has(each))) continue
    const parent = chain[1]
    const place = (parent && items.get(parent)) ?? 0
    if (parent) items.set(parent, place + 1)
    if (roleKind(element.role) !== 'button' && place >= limits.items) continue
    found.push({ element, path, chain })
  }
  return found
}

/** The items of each `repeat` over data that are not tried: all but the first and the last in view, and those that are named. */
function itemsToPass(tree: Element, revealed: ReadonlySet<string>, { named }: ActionHints): ReadonlySet<Element> {
  const lists = new Map<unknown, Element[]>()
  for (const element of walk(tree)) {
    const instance = element.traits?.instance
    if (!instance?.item || !revealed.has(element.id)) continue
    const list = `${instance.id} ${instance.item.name}`
    lists.set(list, [...(lists.get(list) ?? []), element])
  }
  const isNamed = ({ id, name, traits }: Element) =>
    [id, name, traits!.instance!.item!.key].some((each) => each !== '' && named.has(each))
  return new Set([...lists.values()].flatMap((items) => items.slice(1, -1).filter((item) => !isNamed(item))))
}

function actionsOn(window: Window, element: Element, path: Path, hints: ActionHints): readonly CandidateAction[] {
  const kind = roleKind(element.role)
  const target = { window: window.uid, element: element.id }
  const shown = shownBounds(window.tree, path)
  const at = centerOf(shown ?? element.bounds)
  const name = element.name === '' ? `${element.role} ${element.id}` : `${element.role} "${element.name}"`
  const actions: CandidateAction[] = []
  const pressed = `${window.uid} ${element.id}`
  for (const keys of hints.keysOf.get(element.traits?.instance?.id ?? element.id) ?? [])
    actions.push({
      ...candidate({ type: 'key', keys }, `press ${keys} in ${name}`),
      focus: { type: 'focus', target, at },
    })
  if (TEXTS.has(kind) || VALUES.has(kind)) {
    if (element.traits?.readOnly) return actions
    const texts = [
      ...(hints.textsOf.get(element.id) ?? []),
      ...hints.texts,
      ...(TEXTS.has(kind) ? ['', OTHER_TEXT] : []),
    ]
    for (const value of [...new Set(texts)].slice(0, MAX_TEXTS))
      if (value !== element.value)
        actions.push(candidate({ type: 'set_value', target, at, value, clearFirst: true }, `set ${name} to "${value}"`))
  }
  if (kind === 'combo')
    element.children.slice(0, MAX_ITEMS).forEach((option, index) => {
      if (option.name !== element.value)
        actions.push(candidate({ type: 'select', target, at, option: { index } }, `select "${option.name}" in ${name}`))
    })
  if ((PRESSED.has(kind) || SHOWN.has(kind) || kind === 'menuitem') && !TEXTS.has(kind)) {
    const click: Action = shown
      ? { type: 'click', at, button: 'left', count: 1, target }
      : { type: 'invoke', target, at }
    actions.push(candidate(click, `click ${name}`, pressed))
  } else if (hints.tools.has('click_element') && shown)
    actions.push(candidate({ type: 'click', at, button: 'left', count: 1, target }, `click ${name}`))
  if (!shown) return actions
  if (hints.tools.has('double_click_element') || kind === 'listitem')
    actions.push(candidate({ type: 'click', at, button: 'left', count: 2, target }, `double-click ${name}`))
  for (const button of ['right', 'middle'] as const)
    if (hints.tools.has(`${button}_click_element`))
      actions.push(candidate({ type: 'click', at, button, count: 1, target }, `${button}-click ${name}`))
  if (hints.tools.has('hover_element'))
    actions.push(candidate({ type: 'hover', at, forMs: 0, target }, `hover over ${name}`))
  if (hints.tools.has('focus_element')) actions.push(candidate({ type: 'focus', target, at }, `focus ${name}`))
  return actions
}
