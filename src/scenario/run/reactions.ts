import type { Desktop } from '../../desktop/model/desktop.ts'
import type { ScenarioEvent } from './event.ts'
import { allGuardsPass } from './guard.ts'
import { eventValues } from './live-context.ts'
import { appendToLog, type LogEntry } from './log.ts'
import { matchTrigger } from './match-trigger.ts'
import { applyOutcome, drawProbability } from './outcome.ts'
import { isInState, runWith, type ScenarioRun } from './scenario-run.ts'

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
