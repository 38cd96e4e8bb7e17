import type { Awaitable } from '../../base/async.ts'
import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import { SEED_RANGE } from '../../base/random.ts'
import { heldOf, withNothingHeld } from '../../desktop/apply/held.ts'
import type { Action } from '../../desktop/input/action.ts'
import {
  changeWindow,
  type Desktop,
  type Monitor,
  type Target,
  windowByUid,
  windowWith,
} from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import { styleMetrics } from '../../desktop/style/style.ts'
import { revealRow, treesWithOtherRows } from '../../desktop/widgets/rows-out-of-view.ts'
import type { ElementArea } from '../../paint/annotations/areas.ts'
import type { Painter } from '../../paint/painter.ts'
import type { Picture } from '../../paint/picture.ts'
import type { ActionExplanation } from '../../scenario/explain-action.ts'
import type { CallDisturbance, ChosenFault, FiredFault } from '../../scenario/faults/fault-kind.ts'
import { countToolCall, disturbCall, withActualTargets } from '../../scenario/run/apply-faults.ts'
import { nextAtMs, runAt } from '../../scenario/run/elapse.ts'
import { withItemsInTree } from '../../scenario/run/show-data.ts'
import { type AffectedElement, elementsAffectedBy, startScenario, stepScenario } from '../../scenario/run/step.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { runWith, type ScenarioRun } from '../../scenario/scenario-run.ts'
import { scenarioFile, scenarioHash, withVariant } from '../../scenario/seeds.ts'
import type { AuthoredChoices, VariantChoices } from '../../scenario/variants/axis.ts'
import { capabilitiesWithout } from '../capabilities.ts'
import type {
  Computer,
  ComputerInfo,
  PerformResult,
  PointerState,
  RunView,
  RunWatcher,
  ScreenshotTarget,
  Simulation,
  TreeOptions,
  WindowInfo,
} from '../computer.ts'
import {
  actionOnDesktop,
  bothWatchers,
  explainOnRun,
  hasSameWindows,
  ObservedTrees,
  picturedView,
  viewHiddenWindows,
  viewMonitors,
  viewOfRun,
  viewPointer,
  viewTree,
  viewWindows,
  watchedRunAt,
} from './observed-screen.ts'
import {
  actionBytes,
  dataBytes,
  desktopBytes,
  HistoryBudget,
  historyBytesOf,
  type RecordedStep,
  replayStep,
} from './step-history.ts'

export interface SyntheticOptions {
  readonly scenario: Scenario
  /** The clock of the scenario's timers. */
  readonly clock: Clock
  /** Defaults to the seed of the scenario. */
  readonly seed?: number | undefined
  /** Faults of the catalogue, beside those of the scenario. */
  readonly faults?: readonly ChosenFault[] | undefined
  /** Created for the first screenshot unless given. */
  readonly painter?: Painter | undefined
  /** The memory limit for steps, which several computers may share. */
  readonly historyBudget?: HistoryBudget | undefined
}

const SYNTHETIC_INFO: ComputerInfo = {
  platform: 'Linux',
  adapter: 'MockAdapter',
  synthetic: true,
  supports: capabilitiesWithout(),
}

/** Creates a computer that runs a scenario. Throws `BadRequest` when the seed is not a whole number. */
export const createSyntheticComputer = (settings: SyntheticOptions): SyntheticComputer => {
  const { scenario, clock, seed = scenario.seed, painter, historyBudget = new HistoryBudget(), faults = [] } = settings
  if (!Number.isSafeInteger(seed)) throw new Fault('BadRequest', `the seed must be ${SEED_RANGE}, not ${seed}`)
  const firstRun = startScenario(scenario, { seed, atMs: clock.now(), faults })
  return new SyntheticComputer({
    clock,
    painter,
    historyBudget,
    seed,
    firstRun,
    run: firstRun,
    steps: [],
    bytes: 0,
    discardedSteps: 0,
    offsetMs: 0,
  })
}

const disturbedIn = ({ faults, log }: ScenarioRun): Pick<RecordedStep, 'disturbed'> =>
  faults ? { disturbed: { faults, log } } : {}

/** At least this many small steps are kept, at most twice as many. A multiple of `STEPS_PER_RUN`, so that the oldest has a run. */
const MIN_STEPS_KEPT = 10_000
const STEPS_PER_RUN = 16

/** The state of a synthetic computer at one moment. */
interface SyntheticState {
  readonly clock: Clock
  readonly painter: Painter | undefined
  readonly historyBudget: HistoryBudget
  readonly seed: number
  readonly firstRun: ScenarioRun
  readonly run: ScenarioRun
  /** The latest steps. Earlier ones are only counted. */
  readonly steps: readonly RecordedStep[]
  /** The memory that the steps need, in bytes. */
  readonly bytes: number
  readonly discardedSteps: number
  /** The time of the run minus the clock. Negative after a rewind. */
  readonly offsetMs: number
}

/** A computer backed by the run of a scenario and its history. Elapsed time is applied to the run before each access. */
export class SyntheticComputer implements Computer, Simulation {
  #clock: Clock
  readonly #painter: Painter | undefined
  /** The painter of the theme and the projection of a scenario. */
  #ownPainter: { readonly scenario: Scenario; readonly painter: Painter } | undefined
  readonly #historyBudget: HistoryBudget
  #seed: number
  #firstRun: ScenarioRun
  #run: ScenarioRun
  #steps: readonly RecordedStep[]
  #discardedSteps: number
  /** The bytes that this computer has added to the history budget. */
  #bytes = 0
  #offsetMs: number
  /** Whether a fork uses the same list of steps. */
  #shared = false
  /** Cached, because one tool call lists the windows several times. */
  #windowList: { readonly desktop: Desktop; readonly windows: readonly WindowInfo[] } | undefined

  readonly #observedTrees = new ObservedTrees()
  #watcher: RunWatcher | undefined

  /** The latest screenshot of the screen. */
  #lastScreenshot: { readonly desktop: Desktop; readonly screen: Picture } | undefined

  constructor({
    clock,
    painter,
    historyBudget,
    seed,
    firstRun,
    run,
    steps,
    bytes,
    discardedSteps,
    offsetMs,
  }: SyntheticState) {
    this.#clock = clock
    this.#painter = painter
    this.#historyBudget = historyBudget
    this.#seed = seed
    this.#firstRun = firstRun
    this.#run = run
    this.#steps = steps
    this.#discardedSteps = discardedSteps
    this.#offsetMs = offsetMs
    this.#count(bytes)
  }

  /** The run at the current time. */
  get run(): ScenarioRun {
    const nowMs = this.#clock.now() + this.#offsetMs
    this.#run = this.#watcher ? watchedRunAt(this.#run, nowMs, this.#watcher) : runAt(this.#run, nowMs)
    // A run that stays behind because too many timers fired continues with its own time.
    if (this.#run.nowMs < nowMs) this.#offsetMs -= nowMs - this.#run.nowMs
    return this.#run
  }

  get desktop(): Desktop {
    return this.run.desktop
  }

  get simulation(): Simulation {
    return this
  }

  get info(): ComputerInfo {
    const { personality, projection } = this.#run.scenario
    const mirrored = projection?.mirror !== undefined
    const { pointer } = styleMetrics(this.desktop.style)
    if (!personality && !mirrored && pointer === 'white') return SYNTHETIC_INFO
    return {
      ...SYNTHETIC_INFO,
      ...(personality && { platform: personality.platform }),
      ...(mirrored && { mirrored }),
      ...(pointer === 'black' && { pointer }),
    }
  }

  monitors(): readonly Monitor[] {
    return viewMonitors(this.desktop, this.#run.scenario)
  }

  windows(): readonly WindowInfo[] {
    const { desktop } = this
    const { scenario } = this.#run
    const last = this.#windowList
    const isSame = last && hasSameWindows(last.desktop, desktop, scenario)
    const windows = isSame ? last.windows : viewWindows(desktop, scenario)
    if (this.#windowList?.desktop !== desktop) this.#windowList = { desktop, windows }
    return windows
  }

  hiddenWindows(): readonly WindowInfo[] {
    return viewHiddenWindows(this.desktop, this.#run.scenario)
  }

  tree(uid: string, { actual, asWritten }: TreeOptions = {}): Element | undefined {
    const { run } = this
    const observed = (actualTree: Element, treeIn: (desktop: Desktop) => Element | undefined) =>
      this.#observedTrees.tree(run, uid, actualTree, treeIn)
    return viewTree(run.desktop, run.scenario, uid, asWritten, run.faults && !actual ? observed : undefined)
  }

  *treesWithOtherRows(uid: string): Iterable<Element> {
    const { run } = this
    const { desktop, scenario } = run
    const window = windowByUid(desktop, uid)
    if (!window || !scenario.isInteractive || window.state === 'minimized') return
    for (const tree of treesWithOtherRows(window.tree)) {
      const other = changeWindow(desktop, uid, (each) => windowWith(each, { tree }))
      yield viewTree(withItemsInTree(run, other, true), scenario, uid)!
    }
  }

  treeWithRowInView(target: Target): Element | undefined {
    const { run } = this
    const scrolled = withItemsInTree(run, revealRow(run.desktop, target))
    return viewTree(scrolled, run.scenario, target.window)
  }

  screenshot(of: ScreenshotTarget): Awaitable<Picture> {
    const desktop = this.#pictured(of)
    const last = this.#lastScreenshot
    if (last && 'screen' in of && last.desktop === desktop) return last.screen
    return this.#paint(of)
  }

  /** Always asynchronous. Of several requested screenshots, each is sent before the next is painted, which is twice as fast. */
  async #paint(of: ScreenshotTarget): Promise<Picture> {
    const painter = await this.#getPainter()
    const desktop = this.#pictured(of)
    const view = picturedView(desktop, this.#run.scenario, of)
    if (view && 'window' in view) return painter.window(desktop, view.window)
    if (view) return painter.area(desktop, view.area)
    const screen = painter.screen(desktop)
    this.#lastScreenshot = { desktop, screen }
    return screen
  }

  async elementAreas(of: ScreenshotTarget): Promise<readonly ElementArea[]> {
    const { visibleAreas } = await import('../../paint/annotations/areas.ts')
    const desktop = this.#pictured(of)
    const { scenario } = this.#run
    return visibleAreas(desktop, { projection: scenario.projection, of: picturedView(desktop, scenario, of) })
  }

  /** The desktop that a picture shows. */
  #pictured({ actual }: ScreenshotTarget): Desktop {
    const { run } = this
    return run.faults && !actual ? this.#observedTrees.desktop(run) : run.desktop
  }

  perform(wanted: Action): PerformResult {
    const before = this.run
    this.#watcher?.onAction(before, wanted)
    const action = actionOnDesktop(before.desktop, before.scenario, wanted)
    const { run, via, note, reactions } = stepScenario(before, { type: 'action', action })
    this.#watcher?.onChange(before, run, { reactions, timers: [] })
    const steps = this.#shared ? [...this.#steps] : (this.#steps as RecordedStep[])
    const number = this.stepCount + 1
    const bytes = actionBytes(action)
    const done = {
      number,
      action,
      via,
      atMs: before.nowMs,
      faultCalls: before.faultCalls,
      bytes,
      ...disturbedIn(before),
    }
    if (steps.length % STEPS_PER_RUN === 0) {
      const last = steps.at(-STEPS_PER_RUN)?.run ?? this.#firstRun
      const changed = desktopBytes(run.desktop, last.desktop) + dataBytes(run.data, last.data)
      steps.push({ ...done, run, bytes: bytes + changed })
    } else steps.push(done)
    this.#count(steps.at(-1)!.bytes)
    this.#shared = false
    this.#run = run
    this.#steps = steps
    this.#drop(steps.length < 2 * MIN_STEPS_KEPT ? this.#surplus() : MIN_STEPS_KEPT)
    return note === undefined ? { via } : { via, note }
  }

  pointer(): PointerState {
    const { desktop } = this
    const { buttons, keys } = heldOf(desktop)
    return { at: viewPointer(desktop, this.#run.scenario), buttons: buttons.map(({ button }) => button), keys }
  }

  /** Releases all buttons and keys. The session refuses further input by itself. */
  abort(): void {
    const { run } = this
    this.#run = runWith(run, { desktop: withNothingHeld(run.desktop) })
  }

  /** Discards the oldest steps. The history must not be shared with a fork. */
  #drop(count: number): void {
    if (count === 0) return
    this.#count(-historyBytesOf((this.#steps as RecordedStep[]).splice(0, count)))
    this.#discardedSteps += count
  }

  /** The number of oldest steps to discard. The step after them, if any, has a kept run. */
  #surplus(): number {
    const surplus = this.#historyBudget.excessBytes(this.#bytes)
    let bytes = 0
    let count = 0
    for (; bytes < surplus; count++) bytes += this.#steps[count]!.bytes
    return Math.min(this.#steps.length, Math.ceil(count / STEPS_PER_RUN) * STEPS_PER_RUN)
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    this.#historyBudget.add(bytes)
  }

  close(): void {
    this.#count(-this.#bytes)
  }

  get scenario(): string {
    return this.#run.scenario.name
  }

  get scenarioHash(): string | undefined {
    return scenarioHash(this.#run.scenario)
  }

  get scenarioFile(): string | undefined {
    return scenarioFile(this.#run.scenario)?.file
  }

  get isComposed(): boolean {
    return scenarioFile(this.#run.scenario)?.isComposed ?? false
  }

  get task(): string | undefined {
    return this.#run.scenario.task
  }

  get loadedScenario(): Scenario {
    return this.#run.scenario
  }

  get firstRun(): ScenarioRun {
    return this.#firstRun
  }

  get state(): string {
    return this.run.state
  }

  get states(): readonly string[] {
    return [...this.#run.scenario.states.keys()]
  }

  get oracles(): Scenario['oracles'] {
    return this.#run.scenario.oracles
  }

  get seed(): number {
    return this.#seed
  }

  get variant(): VariantChoices | undefined {
    return this.#run.scenario.variant
  }

  get variantWarnings(): readonly string[] {
    return this.#run.scenario.variantWarnings ?? []
  }

  /** The latest steps, oldest first. */
  get steps(): readonly RecordedStep[] {
    return this.#steps
  }

  get stepCount(): number {
    return this.#discardedSteps + this.#steps.length
  }

  get nextTimerInMs(): number | undefined {
    const { run } = this
    const atMs = nextAtMs(run)
    return atMs === undefined ? undefined : Math.max(0, atMs - run.nowMs)
  }

  get elapsedMs(): number {
    return this.run.nowMs - this.#firstRun.nowMs
  }

  get clockShiftMs(): number {
    const { scenario, startedAtMs } = this.#firstRun
    return (scenario.startMs ?? startedAtMs) - startedAtMs
  }

  preview(actions: readonly Action[]): readonly AffectedElement[] {
    const affected: AffectedElement[] = []
    const start = this.run
    let run = start.faults ? { ...start, faults: undefined } : start
    try {
      for (const wanted of actions) {
        const seen = actionOnDesktop(run.desktop, run.scenario, wanted)
        const action = start.faults ? withActualTargets({ ...run, faults: start.faults }, seen) : seen
        run = stepScenario(run, { type: 'action', action }, (from, part) => {
          affected.push(...elementsAffectedBy(from, part))
        }).run
      }
    } catch (thrown) {
      // An action that fails here will also be refused when performed, and affects no further elements.
      if (!(thrown instanceof Fault)) throw thrown
    }
    return affected
  }

  watch(watcher: RunWatcher): void {
    const earlier = this.#watcher
    this.#watcher = earlier ? bothWatchers(earlier, watcher) : watcher
  }

  viewAt(run: ScenarioRun): RunView {
    return viewOfRun(run)
  }

  explain(run: ScenarioRun, actions: readonly Action[]): readonly ActionExplanation[] {
    return explainOnRun(run, actions)
  }

  countToolCall(tool: string): Fault | undefined {
    if (this.#run.scenario.faults.length === 0) return undefined
    const { run, fault } = countToolCall(this.run, tool)
    this.#run = run
    return fault
  }

  disturbCall(): CallDisturbance {
    if (!this.#run.faults) return {}
    const { run, ...disturbance } = disturbCall(this.run)
    this.#run = run
    return disturbance
  }

  get chosenFaults(): readonly ChosenFault[] {
    return this.#run.faults?.chosen ?? []
  }

  get faultNames(): readonly string[] {
    return this.#run.faults?.entries.map(({ chosen }) => chosen.fault) ?? []
  }

  get firedFaults(): readonly FiredFault[] {
    return this.#run.faults?.fired ?? []
  }

  startScenario(scenario: Scenario, seed: number = scenario.seed, faults: readonly ChosenFault[] = []): void {
    const firstRun = startScenario(scenario, { seed, atMs: this.#clock.now(), faults })
    this.#seed = seed
    this.#firstRun = firstRun
    this.#run = firstRun
    this.#windowList = undefined
    this.#keep([], 0)
    this.#offsetMs = 0
  }

  reset(seed: number = this.#seed, variant?: AuthoredChoices, chosen?: readonly ChosenFault[]): void {
    const { scenario, nowMs, faults: started } = this.#firstRun
    const wanted = variant ? withVariant(scenario, variant, seed) : scenario
    const faults = chosen ?? started?.chosen ?? []
    // Starts at the original time, so that the run is the same, including its clock.
    if (seed !== this.#seed || wanted !== scenario || chosen)
      this.#firstRun = startScenario(wanted, { seed, atMs: nowMs, faults })
    this.#seed = seed
    this.#windowList = undefined
    this.rewind(0)
  }

  rewind(toStep: number): void {
    this.#run = this.#runAfter(toStep)
    const { steps, discardedSteps } = this.#stepsTo(toStep)
    this.#keep(steps, discardedSteps)
    this.#offsetMs = this.#run.nowMs - this.#clock.now()
  }

  fork({ clock = this.#clock, atStep }: { clock?: Clock; atStep?: number } = {}): SyntheticComputer {
    const run = atStep === undefined ? this.run : this.#runAfter(atStep)
    const { steps, discardedSteps } =
      atStep === undefined ? { steps: this.#steps, discardedSteps: this.#discardedSteps } : this.#stepsTo(atStep)
    const bytes = atStep === undefined ? this.#bytes : historyBytesOf(steps)
    const offsetMs = run.nowMs - clock.now()
    const [painter, historyBudget, seed, firstRun] = [this.#painter, this.#historyBudget, this.#seed, this.#firstRun]
    const other = new SyntheticComputer({
      clock,
      painter,
      historyBudget,
      seed,
      firstRun,
      run,
      steps,
      bytes,
      discardedSteps,
      offsetMs,
    })
    this.#shared = other.#shared = true
    return other
  }

  /** Replaces the history by one that is not shared. */
  #keep(steps: readonly RecordedStep[], discardedSteps: number): void {
    this.#count(historyBytesOf(steps) - this.#bytes)
    this.#steps = steps
    this.#discardedSteps = discardedSteps
    this.#shared = false
  }

  #stepsTo(number: number): Pick<SyntheticState, 'steps' | 'discardedSteps'> {
    const [steps, discardedSteps] = [this.#steps, this.#discardedSteps]
    return {
      steps: steps.slice(0, Math.max(0, number - discardedSteps)),
      discardedSteps: Math.min(discardedSteps, number),
    }
  }

  #runAfter(number: number): ScenarioRun {
    const [steps, discardedSteps] = [this.#steps, this.#discardedSteps]
    if (number === 0) return this.#firstRun
    const wanted = number - discardedSteps - 1
    if (steps[wanted]) {
      const from = wanted - (wanted % STEPS_PER_RUN)
      return steps.slice(from + 1, wanted + 1).reduce(replayStep, steps[from]!.run!)
    }
    throw new Fault('BadRequest', `there is no step ${number}; ${this.#availableSteps()}`, { steps: this.stepCount })
  }

  #availableSteps(): string {
    const [discardedSteps, last] = [this.#discardedSteps, this.stepCount]
    if (discardedSteps === 0) return `the steps are 0 to ${last}`
    return discardedSteps === last ? 'only step 0 is kept' : `the steps are 0 and ${discardedSteps + 1} to ${last}`
  }

  async #getPainter(): Promise<Painter> {
    if (this.#painter) return this.#painter
    const { scenario } = this.#run
    const { createPainter } = await import('../../paint/painter.ts')
    if (this.#ownPainter?.scenario !== scenario) {
      const { theme, projection } = scenario
      this.#ownPainter = { scenario, painter: createPainter({ ...(theme !== undefined && { theme }), projection }) }
    }
    return this.#ownPainter.painter
  }
}
