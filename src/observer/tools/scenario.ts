import { basename } from 'node:path'
import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { Predicate } from '../../scenario/oracle.ts'
import { judge } from '../oracles.ts'
import type { Session } from '../session.ts'
import { defineTool } from '../tool.ts'

const PREDICATES_MOST = 200

const loadScenarioTool = defineTool({
  name: 'load_scenario',
  kind: 'manage',
  audience: 'harness',
  summary:
    'Put another scenario on the synthetic desktop. A scenario that cannot be used leaves the old one as it was.',
  input: z.object({ path: z.string().min(1).describe('A YAML file below the folders this server may read') }),
  output: z.object({ scenario: z.string(), state: z.string(), states: z.array(z.string()) }),
  faults: ['ScenarioInvalid'],
  traits: { destructive: true, inTurn: true },
  run: async ({ input, session }) => {
    const { stage } = session.computer
    if (!stage)
      throw new Fault('ScenarioInvalid', 'scenarios play on a synthetic desktop only; this one is real', {
        path: input.path,
      })
    stage.load(await readScenario(session, input.path), basename(input.path))
    session.wentBack(0)
    return { scenario: stage.scenario, state: stage.state, states: [...stage.states] }
  },
})

/** The text of a scenario file. Throws `ScenarioInvalid` when it may not or cannot be read. */
export async function readScenario(session: Session, path: string): Promise<string> {
  try {
    return await session.folder.readText(path)
  } catch (thrown) {
    throw new Fault('ScenarioInvalid', Fault.from(thrown).message, { path })
  }
}

const Verdict = z.object({
  kind: z.string(),
  passed: z.boolean(),
  observed: z.unknown(),
  args: z.record(z.string(), z.unknown()).optional(),
  error_code: z.string().optional(),
})

/** Anything is judged: what is no predicate has not passed, but is no bad request. */
const Predicates = z
  .array(z.union([Predicate, z.unknown()]))
  .min(1)
  .max(PREDICATES_MOST)

const assertState = defineTool({
  name: 'assert_state',
  kind: 'look',
  audience: 'harness',
  summary:
    'Judge predicates about the screen: element_exists, element_absent, value_equals, value_matches, text_visible, window_focused, window_exists, tree_hash_equals, screenshot_similar; on a synthetic desktop also file_exists, file_absent, file_equals, clipboard_equals.',
  input: z
    .object({
      predicate: Predicates.optional().describe('What must hold, each {kind, …}'),
      predicates: Predicates.optional().describe('The same under its other name'),
    })
    .refine(({ predicate, predicates }) => predicate !== undefined || predicates !== undefined, {
      path: ['predicate'],
      message: 'give a list of predicates, each {kind, …}',
    }),
  output: z.object({ all_passed: z.boolean(), results: z.array(Verdict) }),
  faults: ['BadRequest'],
  traits: { untrusted: true, idempotent: true },
  run: async ({ input, session }) => {
    const results = await judge(session, input.predicate ?? input.predicates ?? [])
    return { all_passed: results.every(({ passed }) => passed), results }
  },
})

export const scenarioTools = [loadScenarioTool, assertState]
