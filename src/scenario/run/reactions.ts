import type { Desktop } from '../../desktop/model/desktop.ts'
import { matchTrigger, type ScenarioEvent } from './event.ts'
import { allGuardsPass } from './guard.ts'
import { applyOutcome } from './outcome.ts'
import { isInState, type ScenarioRun } from './scenario-run.ts'

/** A reaction that handled an input. */
export interface AppliedReaction {
  readonly run: ScenarioRun
  readonly via: 'reaction'
  /** The index of the reaction in the file. */
  readonly reaction: number
}

/** Applies the first reaction whose trigger matches an event and whose guards pass. Undefined if there is none. */
export function react(
  run: ScenarioRun,
  before: Desktop,
  events: readonly ScenarioEvent[],
): AppliedReaction | undefined {
  if (events.length === 0) return undefined
  const { reactions } = run.scenario
  for (const [index, reaction] of reactions.entries()) {
    if (!isInState(reaction.in, run.state)) continue
    for (const event of events) {
      const match = matchTrigger(reaction.on, event)
      if (!match || !allGuardsPass(run, reaction.when, event.window)) continue
      return {
        run: applyOutcome(run, reaction, { captured: match.captured, near: event.window ?? before.active }),
        via: 'reaction',
        reaction: index,
      }
    }
  }
  return undefined
}
