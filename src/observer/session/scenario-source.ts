import * as z from 'zod'
import { Fault } from '../../base/fault.ts'
import { countNodes } from '../../desktop/model/element.ts'
import { loadCachedScenario } from '../../scenario/load/cache.ts'
import { isScenarioText } from '../../scenario/load/load.ts'
import { withoutFrames } from '../../scenario/load/problem.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import type { Folder } from '../../stores/folder.ts'

/** A text that a caller sends is refused beyond this before it is parsed. */
const MAX_TEXT_LENGTH = 131_072
/** Keys and entries that such a text makes; aliases multiply them. */
const MAX_VALUES = 20_000

/** The ways to say which scenario is meant; one of them is given. */
export const SCENARIO_ARGUMENTS = {
  scenario: z
    .string()
    .optional()
    .describe('A name of the gallery, a path below the folders this server may read, or the YAML text itself'),
  path: z.string().optional().describe('The same as scenario'),
  yaml: z.string().optional().describe('The YAML text of a scenario'),
}

type Given = { readonly [Key in keyof typeof SCENARIO_ARGUMENTS]?: string | undefined }

/** The name, path or text that is given, if any. Throws `BadRequest` when different ones are. */
export function scenarioArgument({ scenario, path, yaml }: Given): string | undefined {
  const given = [...new Set([scenario, path, yaml])].filter((each) => each !== undefined)
  if (given.length > 1) throw new Fault('BadRequest', 'give one of scenario, path and yaml', { field: 'scenario' })
  return given[0]
}

/** The scenario of a name, a path or a text. Throws `ScenarioInvalid` when it may not be read or cannot be used. */
export async function openScenarioFor(folder: Folder, given: string): Promise<Scenario> {
  if (isScenarioText(given)) return readSent(given)
  let text: string
  try {
    text = await folder.readText(given, 'scenario')
  } catch (thrown) {
    throw new Fault('ScenarioInvalid', Fault.from(thrown).message, { path: given })
  }
  return loadCachedScenario(text, { file: given })
}

/** The number of elements in all states of a scenario whose text a caller has sent; files are the operator's own. */
export interface SentScenario {
  readonly elements: number
}

const sent = new WeakMap<Scenario, SentScenario>()

/** The size of a scenario whose text a caller has sent; undefined for any other. */
export const sentScenarioOf = (scenario: Scenario | undefined): SentScenario | undefined =>
  scenario && sent.get(scenario)

/** Throws `Busy` when the texts that callers have sent would take too much room beside those that play already. */
export function assertScenarioFits(next: Scenario, playing: Iterable<SentScenario>, maxElements: number): void {
  const size = sent.get(next)
  if (!size) return
  let total = 0
  for (const { elements } of new Set([size, ...playing])) total += elements
  if (total > maxElements)
    throw new Fault(
      'Busy',
      `the scenarios that were sent as texts would hold ${total} elements, and ${maxElements} is the limit; close sessions, or use files`,
    )
}

function readSent(text: string): Scenario {
  if (text.length > MAX_TEXT_LENGTH)
    throw new Fault(
      'ScenarioInvalid',
      `the text has ${text.length} characters; at most ${MAX_TEXT_LENGTH} are read, so save it below a folder that this server may read`,
      { length: text.length },
    )
  try {
    const scenario = loadCachedScenario(text, { file: 'scenario', maxValues: MAX_VALUES })
    sent.set(scenario, { elements: countElements(scenario) })
    return scenario
  } catch (thrown) {
    throw withoutFrames(Fault.from(thrown))
  }
}

const countElements = ({ states }: Scenario): number =>
  [...states.values()].reduce((sum, { windows }) => windows.reduce((sum, { tree }) => sum + countNodes(tree), sum), 0)
