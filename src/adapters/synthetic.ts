import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import type { Action } from '../desktop/action.ts'
import { type Desktop, type Monitor, windowByUid } from '../desktop/desktop.ts'
import type { Element } from '../desktop/element.ts'
import { monitorOf } from '../desktop/windowing.ts'
import type { Painter } from '../paint/painter.ts'
import type { Picture } from '../paint/picture.ts'
import { loadScenario } from '../scenario/load.ts'
import { meetFault, type Run, startRun, step } from '../scenario/run.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { About, Computer, Performed, Shot, Stage, WindowInfo } from './computer.ts'

export interface SyntheticSettings {
  readonly scenario: Scenario
  /** Time as the scenario's timers see it. */
  readonly clock: Clock
  /** The scenario's own one when left out. */
  readonly seed?: number | undefined
  /** Made when the first picture is asked for, unless given. */
  readonly painter?: Painter | undefined
}

/** One action that was done, and what came of it. */
export interface Step {
  /** Counts from 1. */
  readonly number: number
  readonly action: Action
  readonly via: Performed['via']
  /** The run after it. */
  readonly run: Run
}

const ABOUT: About = {
  platform: 'Linux',
  adapter: 'MockAdapter',
  synthetic: true,
  supports: { accessibilityTree: true, nativeInvoke: true, occlusion: true, drag: true },
}

/** The computer on which a scenario plays. */
export const syntheticComputer = (settings: SyntheticSettings): SyntheticComputer => {
  const { scenario, clock, seed = scenario.seed, painter } = settings
  const first = startRun(scenario, { seed, atMs: clock.now() })
  return new SyntheticComputer({ clock, painter, seed, first, run: first, steps: [], offsetMs: 0 })
}

/** What makes up a synthetic computer at one moment. */
interface Moment {
  readonly clock: Clock
  readonly painter: Painter | undefined
  readonly seed: number
  readonly first: Run
  readonly run: Run
  readonly steps: readonly Step[]
  /** What the run's time is ahead of the clock; rewinding makes it fall behind. */
  readonly offsetMs: number
}

/** A computer that is a scenario's run and its history. Time is folded into the run before anything is asked of it. */
export class SyntheticComputer implements Computer, Stage {
  readonly about = ABOUT
  #moment: Moment
  /** Whether the list of steps is also another computer's. */
  #shared = false

  constructor(moment: Moment) {
    this.#moment = moment
  }

  /** The run as it is now. */
  get run(): Run {
    const { run, clock, offsetMs } = this.#moment
    const ticked = step(run, { type: 'tick', nowMs: clock.now() + offsetMs }).run
    if (ticked !== run) this.#moment = { ...this.#moment, run: ticked }
    return ticked
  }

  get desktop(): Desktop {
    return this.run.desktop
  }

  get stage(): Stage {
    return this
  }

  monitors(): readonly Monitor[] {
    return this.desktop.monitors
  }

  windows(): readonly WindowInfo[] {
    const { desktop } = this
    return desktop.windows
      .filter((window) => window.state !== 'minimized')
      .map(({ uid, handle, title, process, pid, bounds }) => {
        const monitor = monitorOf(desktop, bounds)
        return {
          uid,
          handle,
          title,
          process,
          pid,
          bounds,
          focused: uid === desktop.active,
          ...(monitor && { monitorIndex: monitor.index, scaleFactor: monitor.scaleFactor }),
        }
      })
  }

  tree(uid: string): Element | undefined {
    const window = windowByUid(this.desktop, uid)
    return window && window.state !== 'minimized' ? window.tree : undefined
  }

  async screenshot(of: Shot): Promise<Picture> {
    const painter = await this.#painter()
    if ('window' in of) {
      if (!this.tree(of.window))
        throw new Fault('WindowGone', `there is no window "${of.window}" to be seen`, { window_uid: of.window })
      return painter.window(this.desktop, of.window)
    }
    return 'area' in of ? painter.area(this.desktop, of.area) : painter.screen(this.desktop)
  }

  perform(action: Action): Performed {
    const { run, via } = step(this.run, { type: 'action', action })
    const steps = this.#shared ? [...this.#moment.steps] : (this.#moment.steps as Step[])
    steps.push({ number: steps.length + 1, action, via, run })
    this.#shared = false
    this.#moment = { ...this.#moment, run, steps }
    return { via }
  }

  close(): void {}

  get scenario(): string {
    return this.#moment.run.scenario.name
  }

  get state(): string {
    return this.run.state
  }

  get states(): readonly string[] {
    return [...this.#moment.run.scenario.states.keys()]
  }

  get oracles(): Scenario['oracles'] {
    return this.#moment.run.scenario.oracles
  }

  get seed(): number {
    return this.#moment.seed
  }

  get steps(): readonly Step[] {
    return this.#moment.steps
  }

  meetFault(tool: string): Fault | undefined {
    const { run, fault } = meetFault(this.run, tool)
    this.#moment = { ...this.#moment, run }
    return fault
  }

  load(text: string, file: string): void {
    this.play(loadScenario(text, { file }))
  }

  play(scenario: Scenario, seed: number = scenario.seed): void {
    const { clock } = this.#moment
    const first = startRun(scenario, { seed, atMs: clock.now() })
    this.#moment = { ...this.#moment, seed, first, run: first, steps: [], offsetMs: 0 }
    this.#shared = false
  }

  reset(seed?: number): void {
    this.play(this.#moment.run.scenario, seed ?? this.#moment.seed)
  }

  rewind(toStep: number): void {
    const { clock, steps } = this.#moment
    const run = this.#runAfter(toStep)
    this.#moment = { ...this.#moment, run, steps: steps.slice(0, toStep), offsetMs: run.nowMs - clock.now() }
    this.#shared = false
  }

  fork({ clock = this.#moment.clock, atStep }: { clock?: Clock; atStep?: number } = {}): SyntheticComputer {
    const run = atStep === undefined ? this.run : this.#runAfter(atStep)
    const steps = atStep === undefined ? this.#moment.steps : this.#moment.steps.slice(0, atStep)
    const other = new SyntheticComputer({ ...this.#moment, clock, run, steps, offsetMs: run.nowMs - clock.now() })
    this.#shared = other.#shared = true
    return other
  }

  #runAfter(number: number): Run {
    if (number === 0) return this.#moment.first
    const { steps } = this.#moment
    const found = steps[number - 1]
    if (found) return found.run
    throw new Fault('BadRequest', `there is no step ${number}; the steps are 0 to ${steps.length}`, {
      steps: steps.length,
    })
  }

  async #painter(): Promise<Painter> {
    const { painter } = this.#moment
    if (painter) return painter
    const { createPainter } = await import('../paint/painter.ts')
    const { theme } = this.#moment.run.scenario
    const made = createPainter(theme === undefined ? {} : { theme })
    this.#moment = { ...this.#moment, painter: made }
    return made
  }
}
