import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { checkFaults } from '../../scenario/faults/catalogue.ts'
import { Predicate } from '../../scenario/predicate.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { PictureContext } from '../desktop-context.ts'
import { evaluatePredicates } from '../oracles.ts'
import {
  FaultsArgument,
  openScenarioFor,
  SCENARIO_ARGUMENTS,
  type ScenarioChoice,
  SeedArgument,
  scenarioArgument,
  VariantArgument,
} from '../scenario-source.ts'
import { defineTool } from '../tool.ts'
import type { ContextOf } from '../tool-context.ts'

/** The parts that read a scenario which a caller names or sends. */
export type ScenarioContext = ContextOf<'folder' | 'admitScenario' | 'scenarioReaders'>

const MAX_PREDICATES = 200

const loadScenarioTool = defineTool({
  name: 'load_scenario',
  kind: 'manage',
  audience: 'harness',
  summary: 'Load another scenario on the synthetic desktop. If it cannot be used, the current one stays.',
  // The document requires path.
  input: z.preprocess(
    (given: { readonly scenario?: unknown; readonly yaml?: unknown }) => {
      const path = given.scenario ?? given.yaml
      return path === undefined ? given : { path, ...given }
    },
    z.object({
      ...SCENARIO_ARGUMENTS,
      path: z.string().min(1).describe(SCENARIO_ARGUMENTS.scenario.description!),
      seed: SeedArgument.optional().describe('The seed of all randomness; by default that of the scenario'),
      variant: VariantArgument.optional(),
      faults: FaultsArgument.optional(),
    }),
  ),
  output: z.object({
    scenario: z.string(),
    state: z.string(),
    states: z.array(z.string()),
    task: z.string().nullable().describe('The task of the agent'),
  }),
  faults: ['ScenarioInvalid'],
  traits: { destructive: true, sequential: true },
  run: async ({ input }, context: ScenarioContext & ContextOf<'computer' | 'onRewind'>) => {
    const { simulation } = context.computer
    if (!simulation)
      throw new Fault('ScenarioInvalid', 'scenarios run on a synthetic desktop only; this one is real', {
        path: input.path,
      })
    const faults = checkFaults(input.faults ?? [])
    simulation.startScenario(await resolveScenario(context, input), input.seed, faults)
    context.onRewind(0)
    return {
      scenario: simulation.scenario,
      state: simulation.state,
      states: [...simulation.states],
      task: simulation.task ?? null,
    }
  },
})

/** Loads the scenario that a call names or sends. Throws `ScenarioInvalid` when it cannot be read or used. */
export async function resolveScenario(
  context: ScenarioContext,
  given: Parameters<typeof scenarioArgument>[0] & ScenarioChoice,
): Promise<Scenario> {
  const scenario = await openScenarioFor(context.folder, scenarioArgument(given) ?? '', given, context.scenarioReaders)
  context.admitScenario(scenario)
  return scenario
}

const PredicateResult = z.object({
  kind: z.string(),
  passed: z.boolean(),
  observed: z.unknown(),
  args: z.record(z.string(), z.unknown()).optional(),
  error_code: z.string().optional(),
  nearest: z.array(z.string()).optional().describe('What is nearest to the element or window that was not found'),
})

/** Accepts any value: an invalid predicate fails instead of refusing the call. */
const Predicates = z
  .array(z.union([Predicate, z.unknown()]))
  .min(1)
  .max(MAX_PREDICATES)

/** Whether a kind looks at the screen, and not at files or the clipboard of a scenario. */
const isOnScreen = (kind: string): boolean => !/^(?:file|clipboard)_/.test(kind)

const predicatesThat = (isListed: (kind: string) => boolean): string =>
  Predicate.options
    .map(({ shape }) => shape.kind.value)
    .filter(isListed)
    .join(', ')

const assertState = defineTool({
  name: 'assert_state',
  kind: 'look',
  audience: 'harness',
  summary: `Evaluate predicates about the screen: ${predicatesThat(isOnScreen)}; on a synthetic desktop also ${predicatesThat((kind) => !isOnScreen(kind))}.`,
  input: z
    .object({
      predicate: Predicates.optional().describe('The predicates, each {kind, …}'),
      predicates: Predicates.optional().describe('Same as predicate'),
    })
    .refine(({ predicate, predicates }) => predicate !== undefined || predicates !== undefined, {
      path: ['predicate'],
      message: 'give a list of predicates, each {kind, …}',
    }),
  output: z.object({ all_passed: z.boolean(), results: z.array(PredicateResult) }),
  faults: ['BadRequest'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input }, context: PictureContext) => {
    const results = await evaluatePredicates(context, input.predicate ?? input.predicates ?? [])
    return { all_passed: results.every(({ passed }) => passed), results }
  },
})

export const scenarioTools = [loadScenarioTool, assertState]
