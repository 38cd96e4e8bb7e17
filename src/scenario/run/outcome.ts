import { drawInteger, type Random } from '../../base/random.ts'
import type { Outcome, OutcomeChoice } from '../schema/effect.ts'
import type { EffectContext } from './effects/context.ts'
import { applyEffects } from './effects/effects.ts'
import { runWith, type ScenarioRun, withDesktop } from './scenario-run.ts'
import { transitionTo, withInvariants } from './transition.ts'

/** Applies the effects of a reaction or timer, those of the choice that is drawn, and the transition. */
export function applyOutcome(run: ScenarioRun, outcome: Outcome, context: EffectContext): ScenarioRun {
  const { choice, run: drawn } = outcome.choose ? drawChoice(run, outcome.choose) : { run, choice: undefined }
  const changed = applyEffects(applyEffects(drawn, outcome.set ?? [], context), choice?.set ?? [], context)
  const valid = withDesktop(changed, withInvariants(changed.desktop, run.scenario))
  const to = choice?.transition_to ?? outcome.transition_to
  return to === undefined ? valid : transitionTo(valid, to)
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
