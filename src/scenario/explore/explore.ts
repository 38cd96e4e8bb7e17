import type { Awaitable } from '../../base/async.ts'
import { Fault } from '../../base/fault.ts'
import type { Action } from '../../desktop/input/action.ts'
import { filesOf } from '../../desktop/model/desktop.ts'
import { type Element, memoize } from '../../desktop/model/element.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import { matchingReactions } from '../explain-action.ts'
import { nextAtMs } from '../run/elapse.ts'
import { allGuardsPass } from '../run/guard.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'
import { applyBehaviour, startScenario, stepScenario } from '../run/step.ts'
import type { Scenario } from '../scenario.ts'
import { type ActionHints, actionHintsOf, type CandidateAction, candidateActions } from './candidate-actions.ts'

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
  readonly applied: Set<number>
  readonly fired: Set<number>
  readonly rivals: Map<string, { first: number; second: number; label: string }>
  readonly pressed: Map<string, { label: string; changed: boolean }>
  actions: number
}

/**
 * Searches the screens of a scenario, breadth first.
 * @param scenario The scenario.
 * @param options The bound, and how screens are judged.
 */
export async function searchScenario(scenario: Scenario, options: ExploreOptions): Promise<ScreenSearch> {
  const state: SearchState = {
    options,
    hints: actionHintsOf(scenario),
    screens: [],
    byKey: new Map(),
    applied: new Set(),
    fired: new Set(),
    rivals: new Map(),
    pressed: new Map(),
    actions: 0,
  }
  await screenOf(state, startScenario(scenario, { atMs: 0 }))
  await followExamples(state)
  let next = 0
  for (; next < state.screens.length; next++) {
    if (next >= options.maxScreens || options.isExpired?.()) break
    await expand(state, state.screens[next]!)
    options.onProgress?.({ explored: next + 1, found: state.screens.length, actions: state.actions })
  }
  return {
    scenario: state.screens[0]!.run.scenario,
    screens: state.screens,
    isComplete: next === state.screens.length,
    actions: state.actions,
    appliedReactions: state.applied,
    firedTimers: state.fired,
    rivals: state.rivals,
    pressed: state.pressed,
  }
}

async function screenOf(state: SearchState, run: ScenarioRun): Promise<ExploredScreen> {
  const key = screenKey(run)
  const known = state.byKey.get(key)
  if (known) return known
  const verdict = await state.options.judge(run)
  const screen: ExploredScreen = { index: state.screens.length, run, verdict, isExpanded: false, steps: [] }
  state.byKey.set(key, screen)
  state.screens.push(screen)
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
  { input, label, pressed }: CandidateAction,
): Promise<ExploredScreen> {
  state.actions++
  let next = run
  try {
    const step = input.type === 'tick' ? { run: waited(state, run), reactions: [] } : stepScenario(run, input)
    next = step.run
    if (step.reactions.length > 0) {
      for (const reaction of step.reactions) state.applied.add(reaction)
      if (input.type === 'action') noteRivals(state, run, input.action, label)
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
  const [first, ...others] = matchingReactions(applyBehaviour(run, action))
  for (const second of others) {
    const key = `${first} ${second}`
    if (!state.rivals.has(key)) state.rivals.set(key, { first: first!, second, label })
  }
}

/** Higher counts of an event count as equal, since screens would differ forever. */
const MAX_COUNT = 3

/** Runs with equal keys show the same screen and continue in the same way, apart from the focus, the pointer and the time. */
export function screenKey({ state, desktop, due, data, log, restedAtMs }: ScenarioRun): string {
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
