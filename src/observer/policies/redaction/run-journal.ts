import type { RunView, Simulation, WindowInfo } from '../../../adapters/computer.ts'
import { Fault } from '../../../base/fault.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { type Element, nodeById } from '../../../desktop/model/element.ts'
import { focusedRef } from '../../../desktop/tree/element-ref.ts'
import { type DescribedFiring, describeChange, describeReaction, describeTimer } from '../../../scenario/describe.ts'
import type { ActionExplanation } from '../../../scenario/explain-action.ts'
import { stepScenario } from '../../../scenario/run/step.ts'
import type { ScenarioRun } from '../../../scenario/scenario-run.ts'
import type { FiredEntry } from '../../../viewer/model/recording.ts'
import { secretFieldValues, withoutSecrets } from './tree.ts'

/** Actions with the run before each of them. */
const MAX_ACTIONS = 64
/** What happened between two calls. */
const MAX_FIRED = 200

/** What a journal shows of texts and trees. */
interface JournalRedaction {
  /** Replaces what the operator's text patterns match. */
  readonly scrub: (text: string) => string
  readonly redactWindow: (window: WindowInfo) => WindowInfo
  readonly redactTree: (tree: Element, window: WindowInfo | undefined) => Element
  readonly hidesElements: boolean
}

interface JournalAction {
  readonly run: ScenarioRun
  readonly action: Action
}

/** The desktop before an action, redacted, and the action. */
export interface ActionScene {
  readonly action: Action
  readonly view: RunView
}

/**
 * What a simulation did lately: the actions with the run before each, and what fired. It reveals nothing that is hidden, and no
 * property of it leads to a run.
 */
export class RunJournal {
  readonly #simulation: Simulation
  readonly #redaction: JournalRedaction
  readonly #actions: JournalAction[] = []
  /** The number of actions so far. */
  #count = 0
  #fired: FiredEntry[] = []

  constructor(simulation: Simulation, redaction: JournalRedaction) {
    this.#simulation = simulation
    this.#redaction = redaction
    simulation.watch({
      onAction: (run, action) => {
        this.#actions.push({ run, action })
        this.#count++
        if (this.#actions.length > MAX_ACTIONS) this.#actions.shift()
      },
      onChange: (before, after, fired) => this.#addFired(describeChange(before, after, fired), after),
    })
  }

  /** The number of actions so far. The actions of a call are those since it began. */
  get actionCount(): number {
    return this.#count
  }

  /** What happened since it was last taken, oldest first. Of many entries, the latest. */
  takeFired(): readonly FiredEntry[] {
    const fired = this.#fired
    if (fired.length > 0) this.#fired = []
    return fired
  }

  /** What happened since it was last taken. */
  get fired(): readonly FiredEntry[] {
    return this.#fired
  }

  /** An action by its number, counted from 0, with the desktop before it. Undefined for one that is no longer kept. */
  scene(number: number): ActionScene | undefined {
    const kept = this.#kept(number)
    if (!kept) return undefined
    const { windows, tree } = this.#simulation.viewAt(kept.run)
    const { redactTree, redactWindow } = this.#redaction
    const redacted = (uid: string) => {
      const unredacted = tree(uid)
      return (
        unredacted &&
        redactTree(
          unredacted,
          windows.find((window) => window.uid === uid),
        )
      )
    }
    return { action: kept.action, view: { windows: windows.map(redactWindow), tree: redacted } }
  }

  /** Whether all actions of a call are kept. */
  holds(from: number, to: number): boolean {
    return from === to || (this.#kept(from) !== undefined && to <= this.#count)
  }

  /** Explains the actions of a call, by their numbers. Throws `PermissionDenied` while elements are hidden. */
  explainCall(from: number, to: number): readonly ActionExplanation[] {
    this.#assertShown()
    const numbers = Array.from({ length: to - from }, (_, index) => from + index)
    return numbers.flatMap((number) => {
      const kept = this.#kept(number)
      return kept ? this.#explain(kept.run, [kept.action]) : []
    })
  }

  /** Explains actions on the desktop as it is now. Throws `PermissionDenied` while elements are hidden. */
  explainNow(actions: readonly Action[]): readonly ActionExplanation[] {
    this.#assertShown()
    return this.#explain(this.#simulation.run, actions)
  }

  /** What the reactions and timers of the scenario wait for, in a few words each. */
  get entries(): { readonly reactions: readonly string[]; readonly timers: readonly string[] } {
    const { reactions, timers } = this.#simulation.loadedScenario
    return { reactions: reactions.map(describeReaction), timers: timers.map(describeTimer) }
  }

  #kept(number: number): JournalAction | undefined {
    return this.#actions[this.#actions.length - (this.#count - number)]
  }

  #explain(run: ScenarioRun, actions: readonly Action[]): readonly ActionExplanation[] {
    const secrets = new Set([
      ...secretFieldValues(run.desktop),
      ...actions.flatMap((action) => this.#secretText(run, action)),
    ])
    const shown = (text: string) => this.#redaction.scrub(withoutSecrets(text, secrets))
    return this.#simulation.explain(run, actions).map(({ refused, ...each }) => ({
      ...each,
      refused: refused && shown(refused),
      events: each.events.map(shown),
      reactions: each.reactions.map((reaction) => ({ ...reaction, reasons: reaction.reasons.map(shown) })),
      timers: each.timers.map((timer) => ({ ...timer, reasons: timer.reasons.map(shown) })),
    }))
  }

  /** The text that an action gives to a secret field. */
  #secretText(run: ScenarioRun, action: Action): readonly string[] {
    if (action.type === 'type') return secretTexts(run, action)
    if (action.type !== 'set_value') return []
    const tree = this.#simulation.viewAt(run).tree(action.target.window)
    return tree && nodeById(tree, action.target.element)?.traits?.secret ? [action.value] : []
  }

  #assertShown(): void {
    if (this.#redaction.hidesElements)
      throw new Fault('PermissionDenied', 'the operator hides elements, and an explanation may contain hidden text')
  }

  #addFired(fired: readonly DescribedFiring[], { desktop }: ScenarioRun): void {
    if (fired.length === 0) return
    const secrets = fired.some(({ kind }) => kind === 'log') ? secretFieldValues(desktop) : NO_SECRETS
    for (const { kind, text } of fired)
      if (kind !== 'log') this.#add(kind, text)
      else this.#add(kind, this.#redaction.hidesElements ? WITHHELD : withoutSecrets(text, secrets))
  }

  #add(kind: FiredEntry['kind'], text: string): void {
    this.#fired.push({ kind, text: this.#redaction.scrub(text) })
    if (this.#fired.length > MAX_FIRED) this.#fired.shift()
  }
}

/** The parts of a typed text that secret fields get. A key in it may move the focus. */
function secretTexts(run: ScenarioRun, action: Action): readonly string[] {
  const texts: string[] = []
  try {
    stepScenario(run, { type: 'action', action }, ({ desktop }, part) => {
      if (part.type === 'type' && focusedRef(desktop)?.element.traits?.secret) texts.push(part.text)
    })
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
  }
  return texts
}

const NO_SECRETS: ReadonlySet<string> = new Set()
const WITHHELD = '(withheld, since it may contain hidden text)'
