import { drawInteger, type Random } from '../../base/random.ts'
import { withFolders } from '../../desktop/files/folder.ts'
import type { Desktop, Window } from '../../desktop/model/desktop.ts'
import { withShell } from '../../desktop/shell/shell.ts'
import { withPopupsPlaced } from '../../desktop/widgets/popup-placement.ts'
import { repairFocus } from '../../desktop/windows/focus.ts'
import { uidInFile } from '../composition/instance.ts'
import type { Scenario } from '../scenario.ts'
import { appendToLog, isInState, type LogEntry, runWith, type ScenarioRun, withDesktop } from '../scenario-run.ts'
import type { Outcome, OutcomeChoice } from '../schema/effect.ts'
import type { EffectContext } from './effects/context.ts'
import { applyEffects } from './effects/effects.ts'
import { liveWindowOf } from './effects/live-windows.ts'
import type { ScenarioEvent } from './event.ts'
import { eventValues } from './event.ts'
import { allGuardsPass } from './guard.ts'
import { enterState, type OpenScene, openScene, saveChanges } from './scene.ts'
import { matchTrigger, startTimers } from './triggers.ts'

/** A run after its reaction, if one handled the input. */
export interface Reacted {
  readonly run: ScenarioRun
  /** The index of the reaction in the file. Undefined if none handled the input. */
  readonly reaction: number | undefined
}

/**
 * Applies the first reaction whose trigger matches an event, whose guards pass and whose probability is drawn. Without
 * one, the run may still have drawn.
 */
export function react(run: ScenarioRun, before: Desktop, events: readonly ScenarioEvent[]): Reacted {
  let current = run
  if (events.length > 0)
    for (const [index, reaction] of run.scenario.reactions.entries()) {
      if (!isInState(reaction.in, run.state)) continue
      for (const event of events) {
        const match = matchTrigger(reaction.on, event)
        if (!match) continue
        const values = run.scenario.program && eventValues(run, event, match.captured)
        if (!allGuardsPass(current, reaction.when, event.window, values)) continue
        const drawn = drawProbability(current, reaction.probability)
        current = drawn.run
        if (!drawn.happens) break
        const context = { captured: match.captured, near: event.window ?? before.active, event: values }
        return { run: applyOutcome(recorded(current, 'reaction', reaction.id), reaction, context), reaction: index }
      }
    }
  return { run: current, reaction: undefined }
}

/** The run with an entry in its log for a reaction or timer that has an id. */
export const recorded = (run: ScenarioRun, kind: LogEntry['kind'], id: string | undefined): ScenarioRun =>
  id === undefined ? run : runWith(run, { log: appendToLog(run.log, { atMs: run.nowMs, kind, name: id }) })

/** Applies the effects of a reaction or timer, those of the choice that is drawn, and the transition. */
export function applyOutcome(run: ScenarioRun, outcome: Outcome, context: EffectContext): ScenarioRun {
  const { choice, run: drawn } = outcome.choose ? drawChoice(run, outcome.choose) : { run, choice: undefined }
  const changed = applyEffects(applyEffects(drawn, outcome.set ?? [], context), choice?.set ?? [], context)
  const valid = withDesktop(changed, withInvariants(changed.desktop, run.scenario))
  const to = choice?.transition_to ?? outcome.transition_to
  return withAnswered(to === undefined ? valid : transitionTo(valid, to))
}

/** The run with what follows the answers that the user, or a permission that is known, gave in the browser. */
function withAnswered(run: ScenarioRun): ScenarioRun {
  const [next, ...answered] = run.questions.answered
  if (!next) return run
  const { outcome, context } = next
  const here = runWith(run, { questions: { ...run.questions, answered } })
  if (!allGuardsPass(here, outcome.when, context.near, context.event)) return withAnswered(here)
  const drawn = drawProbability(here, outcome.probability)
  return drawn.happens ? applyOutcome(drawn.run, outcome, context) : withAnswered(drawn.run)
}

/** Draws whether an outcome with a probability happens. */
export function drawProbability(
  run: ScenarioRun,
  probability: number | undefined,
): { readonly run: ScenarioRun; readonly happens: boolean } {
  if (probability === undefined) return { run, happens: true }
  const [share, chance] = drawShare(run.chance)
  return { run: runWith(run, { chance }), happens: share < probability }
}

function drawChoice(
  run: ScenarioRun,
  choices: readonly OutcomeChoice[],
): { readonly run: ScenarioRun; readonly choice: OutcomeChoice } {
  const weightOf = ({ weight = 1 }: OutcomeChoice) => weight
  const total = choices.reduce((sum, choice) => sum + weightOf(choice), 0)
  const [share, chance] = drawShare(run.chance)
  let left = share * total
  const choice = choices.find((each) => {
    left -= weightOf(each)
    return left < 0
  })
  return { run: runWith(run, { chance }), choice: choice ?? choices.at(-1)! }
}

const STEPS = 2 ** 32

/** Draws a number from 0 to less than 1. */
function drawShare(random: Random): [number, Random] {
  const [drawn, next] = drawInteger(random, 0, STEPS - 1)
  return [drawn / STEPS, next]
}

/** The `transition_to` that returns to the state before, unless a state has this name. */
export const PREVIOUS_STATE = 'previous'

/**
 * Leaves the state and enters another one. Timers of states end; those of the new state start. Windows that effects
 * opened stay.
 */
function transitionTo(run: ScenarioRun, to: string): ScenarioRun {
  const { scenario, desktop } = run
  const name = scenario.states.has(to) ? to : run.previous
  if (name === undefined) return run
  const left = openScene(scenario.states.get(run.state)!, desktop)
  const next = openScene(scenario.states.get(name)!, desktop)
  const isOfItem = (window: Window) =>
    scenario.program !== undefined &&
    uidInFile(window.tree) !== undefined &&
    liveWindowOf(scenario.program, run.state, window) !== undefined
  const kept = saveChanges(run.kept, left, desktop, isOfItem)
  const wasOpened = openedOutside(scenario, left, next, name)
  const entered = withInvariants(enterState(desktop, left, next, kept, wasOpened), scenario)
  const due = run.due.filter(({ timer }) => scenario.timers[timer]?.in === undefined)
  const there = runWith(run, {
    state: name,
    previous: run.state,
    enteredAtMs: run.nowMs,
    desktop: entered,
    kept,
    due,
  })
  return startTimers(there, (timer) => timer.in !== undefined && timer.on === undefined && {})
}

/**
 * Whether a window stays in another state: a notification, a window that an effect opened and neither state has, or one for
 * an item for which the next state has a window too.
 */
function openedOutside(
  { handles, program }: Scenario,
  left: OpenScene,
  next: OpenScene,
  to: string,
): (window: Window) => boolean {
  const isIn = ({ windows }: OpenScene, uid: string) => windows.some((window) => window.uid === uid)
  return (window) => {
    const { uid, tree, notification } = window
    if (uidInFile(tree) !== undefined) return program !== undefined && liveWindowOf(program, to, window) !== undefined
    return notification ?? (handles.has(uid) && !isIn(left, uid) && !isIn(next, uid))
  }
}

/**
 * Restores the invariants after a change: lists of folders show their files, popups that were written as open are
 * placed, and the focus is valid.
 */
export function withInvariants(desktop: Desktop, { isInteractive: live }: Scenario): Desktop {
  const shown = withFolders(desktop)
  return withShell(live ? repairFocus(withPopupsPlaced(shown)) : shown)
}
