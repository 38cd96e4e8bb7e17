import { memorySession } from '../compose/memory-session.ts'
import { playSolution } from '../compose/play-solution.ts'
import { findTool } from '../observer/registry.ts'
import { screenKey } from '../scenario/explore/explore.ts'
import type { ScenarioRun } from '../scenario/run/scenario-run.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ElementPlace } from '../viewer/model/element.ts'
import { watchActions } from './watch-actions.ts'

/** A call of the solution that acts on an element. */
interface GuideStep {
  readonly tool: string
  /** The screen before it. */
  readonly screen: string
  readonly hit: ElementPlace
}

/** Knows what the first solution does next at each place of a run. */
export interface SolutionGuide {
  /** The element that the solution acts on next on this screen. Undefined where the run has left its way. */
  next(run: ScenarioRun): ElementPlace | undefined
  /** Notes a call of the run. */
  took(tool: string, hit: ElementPlace | undefined): void
}

/** Plays the first solution of a scenario on a desktop of its own, to guide a run through it. */
export async function guideOf(scenario: Scenario, seed: number): Promise<SolutionGuide> {
  const steps = await stepsOfSolution(scenario, seed)
  /** The number of the solution's steps that the run has taken. */
  let taken = 0
  return {
    next: (run) => {
      const screen = screenKey(run)
      if (steps[taken]?.screen !== screen) {
        const there = steps.findIndex((step, index) => index > taken && step.screen === screen)
        const before = there < 0 ? steps.findIndex((step) => step.screen === screen) : there
        if (before < 0) return undefined
        taken = before
      }
      return steps[taken]!.hit
    },
    took: (tool, hit) => {
      const planned = steps[taken]
      if (planned && planned.tool === tool && isSamePlace(planned.hit, hit)) taken++
    },
  }
}

async function stepsOfSolution(scenario: Scenario, seed: number): Promise<readonly GuideStep[]> {
  const desktop = memorySession(scenario, { seed })
  const takeActions = watchActions(desktop.computer)
  const steps: GuideStep[] = []
  let screen = screenKey(desktop.computer.run)
  for await (const { tool, fault } of playSolution(desktop, scenario.solutions[0])) {
    const hit = takeActions().find((action) => action.hit)?.hit
    if (!fault && hit && findTool(tool)?.kind === 'act') steps.push({ tool, screen, hit })
    screen = screenKey(desktop.computer.run)
  }
  await desktop.session.close()
  return steps
}

const isSamePlace = (a: ElementPlace, b: ElementPlace | undefined): boolean =>
  b !== undefined && a.window === b.window && a.element === b.element
