import type { ScenarioEffect } from '../schema/effect.ts'
import type { EffectContext } from './effects/context.ts'
import { applyEffects } from './effects/effects.ts'
import type { ScenarioRun } from './scenario-run.ts'
import { withDesktop } from './scenario-run.ts'
import { transitionTo, withInvariants } from './transition.ts'

/** What a reaction or timer does. */
interface Outcome {
  readonly set?: readonly ScenarioEffect[] | undefined
  readonly transition_to?: string | undefined
}

/** Applies the effects of a reaction or timer, then its transition. */
export function applyOutcome(run: ScenarioRun, { set, transition_to }: Outcome, context: EffectContext): ScenarioRun {
  const changed = applyEffects(run, set ?? [], context)
  const valid = withDesktop(changed, withInvariants(changed.desktop, run.scenario))
  return transition_to === undefined ? valid : transitionTo(valid, transition_to)
}
