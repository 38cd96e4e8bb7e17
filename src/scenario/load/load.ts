import type * as z from 'zod'
import type { Element } from '../../desktop/model/element.ts'
import { checkReferences } from '../check/check.ts'
import { warningsOf } from '../check/warnings.ts'
import { type Scenario, WrittenScenario } from '../scenario.ts'
import { buildScenario } from './build.ts'
import {
  inOrder,
  locate,
  problemAt,
  problemsOfSchema,
  type ScenarioProblem,
  scenarioFault,
  type UnlocatedProblem,
} from './problem.ts'
import { type KeyPath, readSource } from './source.ts'

const MAX_CHARACTERS = 2_000_000

export interface ParseOptions {
  /** How the file is called in what is told. */
  readonly file?: string
  /** A text that makes more values than this is refused before it is checked. */
  readonly maxValues?: number
}

/** What else a scenario file is checked against. */
export interface CheckOptions extends ParseOptions {
  /** What the script of the agent is to be; left out, nobody looks into it. */
  readonly script?: z.ZodType
  /** What the arguments of a tool are to be in the solution; left out, nobody looks at more than the names in them. */
  readonly argumentsOf?: (tool: string) => z.ZodType
}

/** Whether this is the text of a scenario rather than its name or path, which have no keys. */
export const isScenarioText = (text: string): boolean => /\n|:\s|^\s*\{/.test(text)

/** A scenario that can be used, and what is probably a mistake in it. */
export interface CheckedScenario {
  readonly scenario: Scenario
  /** In the order of the lines. `seen`: elements that a run of the scenario has shown, which no state may have. */
  warnings(seen: readonly Element[]): readonly ScenarioProblem[]
}

/** Reads a scenario file. Throws `ScenarioInvalid` with everything that is wrong with it, by line and column. */
export const parseScenario = (text: string, options: CheckOptions = {}): Scenario =>
  checkScenario(text, options).scenario

/** The same, with what the author should look at. */
export function checkScenario(
  text: string,
  { file = 'scenario', maxValues, script, argumentsOf }: CheckOptions = {},
): CheckedScenario {
  const fail = (problems: readonly ScenarioProblem[]) => scenarioFault(file, problems)
  const start = { line: 1, column: 1, length: 1 }
  if (text.length > MAX_CHARACTERS)
    throw fail([
      problemAt([], start, `the file has ${text.length} characters; at most ${MAX_CHARACTERS} are allowed`, 'size'),
    ])
  const rows = text.split('\n')
  const source = readSource(text)
  if ('unreadable' in source)
    throw fail(
      source.unreadable.map(({ place, message }) => problemAt(rows, place, `not valid YAML: ${message}`, 'yaml')),
    )
  if (maxValues !== undefined && hasMoreValues(source.value, maxValues))
    throw fail([problemAt([], start, `the file makes more than ${maxValues} values`, 'size')])
  // A file is read once: code made for it, as zod makes for what is read often, would cost more than it saves.
  const parsed = WrittenScenario.safeParse(source.value, { jitless: true })
  if (!parsed.success) {
    const complaints = problemsOfSchema(WrittenScenario, source.value, parsed.error)
    throw fail(complaints.map((complaint) => locate(rows, source, complaint)))
  }
  const complaints = [
    ...checkReferences(parsed.data),
    ...checkScript(parsed.data, script),
    ...checkCalls(parsed.data, argumentsOf),
  ]
  if (complaints.length > 0) throw fail(complaints.map((complaint) => locate(rows, source, complaint)))
  const written = parsed.data
  const scenario = buildScenario(written)
  return {
    scenario,
    warnings: (seen) =>
      inOrder(warningsOf({ written, scenario }, seen).map((complaint) => locate(rows, source, complaint))),
  }
}

/** Whether a value holds more keys and entries than that, counting what aliases repeat. */
function hasMoreValues(value: unknown, most: number): boolean {
  const open = [value]
  let count = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const inside = Object.values(next)
    count += inside.length
    if (count > most) return true
    open.push(...inside.map((each) => each ?? null))
  }
  return false
}

/** What is wrong with the script that is played: the one under `agent`, else the one under `model`. */
function checkScript({ agent, model }: WrittenScenario, schema: z.ZodType | undefined): readonly UnlocatedProblem[] {
  const written = agent ?? model
  if (!schema || written === undefined) return []
  return complaintsBelow([written === agent ? 'agent' : 'model'], schema, written)
}

/** What is wrong with the arguments of the solution's calls. */
const checkCalls = (
  { solution }: WrittenScenario,
  argumentsOf: CheckOptions['argumentsOf'],
): readonly UnlocatedProblem[] =>
  (argumentsOf && solution ? solution : []).flatMap((step, index) =>
    complaintsBelow(['solution', index, 'with'], argumentsOf!(step.call), step.with),
  )

function complaintsBelow(above: KeyPath, schema: z.ZodType, written: unknown): readonly UnlocatedProblem[] {
  const { error } = schema.safeParse(written, { jitless: true })
  if (!error) return []
  return problemsOfSchema(schema, written, error).map((complaint) => ({
    ...complaint,
    path: [...above, ...complaint.path],
  }))
}
