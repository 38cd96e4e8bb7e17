import { Fault } from '../base/fault.ts'
import { type DataValue, isList } from './expression/data-type.ts'
import type { SolutionBranch, SolutionCall, SolutionLoop, SolutionStep } from './schema/solution.ts'
import type { KeyPath } from './source/source.ts'

/** A solution of a scenario: a program whose steps know where they are written. */
export interface Solution {
  /** Undefined for those under `solution` and `obedience`. */
  readonly name: string | undefined
  readonly steps: readonly PlacedStep[]
}

/** Where a step is written. */
interface StepPlace {
  /** The position in its solution, such as `3` or `3.1`. */
  readonly number: string
  readonly line: number
  /** The file, where it is not the scenario's own. */
  readonly file?: string
}

/** A step and its place. */
type PlacedStep =
  | { readonly kind: 'call'; readonly step: SolutionCall; readonly place: StepPlace }
  | {
      readonly kind: 'loop'
      readonly step: SolutionLoop
      readonly body: readonly PlacedStep[]
      readonly place: StepPlace
    }
  | {
      readonly kind: 'branch'
      readonly step: SolutionBranch
      readonly whenTrue: readonly PlacedStep[]
      readonly whenFalse: readonly PlacedStep[]
      readonly place: StepPlace
    }

/** Whether a solution has a step that success does not need. */
export const hasOptionalSteps = ({ steps }: Pick<Solution, 'steps'>): boolean =>
  steps.some(
    (each) =>
      each.step.optional === true ||
      (each.kind === 'loop' && hasOptionalSteps({ steps: each.body })) ||
      (each.kind === 'branch' && hasOptionalSteps({ steps: [...each.whenTrue, ...each.whenFalse] })),
  )

/** The sections of a scenario file that hold steps of agents. */
export interface SolutionSections {
  readonly solution?: readonly SolutionStep[] | null | undefined
  readonly solutions?: Readonly<Record<string, readonly SolutionStep[]>> | null | undefined
  readonly obedience?: readonly SolutionStep[] | null | undefined
}

/** The position of a value in its file. */
export type LocateStep = (path: KeyPath) => { readonly line: number; readonly file?: string }

/** The solutions of a file: the one under `solution`, then those under `solutions`. */
export function solutionsOf({ solution, solutions }: SolutionSections, locate: LocateStep): readonly Solution[] {
  const named = Object.entries(solutions ?? {}).map(([name, steps]) => ({
    name,
    steps: placedSteps(steps, ['solutions', name], '', locate),
  }))
  if (!solution || solution.length === 0) return named
  return [{ name: undefined, steps: placedSteps(solution, ['solution'], '', locate) }, ...named]
}

/** The steps under `obedience`, which are played like a solution. */
export const obedienceOf = ({ obedience }: SolutionSections, locate: LocateStep): Solution | undefined =>
  obedience && obedience.length > 0
    ? { name: undefined, steps: placedSteps(obedience, ['obedience'], '', locate) }
    : undefined

const placedSteps = (
  steps: readonly SolutionStep[],
  path: KeyPath,
  prefix: string,
  locate: LocateStep,
): readonly PlacedStep[] =>
  steps.map((step, index) => placedStep(step, [...path, index], `${prefix}${index + 1}`, locate))

function placedStep(step: SolutionStep, path: KeyPath, number: string, locate: LocateStep): PlacedStep {
  const place = { number, ...locate(path) }
  const inside = (steps: readonly SolutionStep[], key: string) =>
    placedSteps(steps, [...path, key], `${number}.`, locate)
  if ('call' in step) return { kind: 'call', step, place }
  if ('do' in step) return { kind: 'loop', step, place, body: inside(step.do, 'do') }
  return {
    kind: 'branch',
    step,
    place,
    whenTrue: inside(step.then, 'then'),
    whenFalse: inside(step.else ?? [], 'else'),
  }
}

/** Visits every call that a file writes under `solution`, `solutions` and `obedience`. */
export function forEachSolutionCall(
  sections: SolutionSections,
  visit: (call: SolutionCall, path: KeyPath) => void,
): void {
  forEachStep(sections, (step, path) => {
    if ('call' in step) visit(step, path)
  })
}

/** Visits every step that a file writes under `solution`, `solutions` and `obedience`, outer ones first. */
export function forEachStep(
  { solution, solutions, obedience }: SolutionSections,
  visit: (step: SolutionStep, path: KeyPath) => void,
): void {
  const below = (steps: readonly SolutionStep[], path: KeyPath): void => {
    steps.forEach((step, index) => {
      const here = [...path, index]
      visit(step, here)
      if ('do' in step) below(step.do, [...here, 'do'])
      if ('then' in step) {
        below(step.then, [...here, 'then'])
        below(step.else ?? [], [...here, 'else'])
      }
    })
  }
  below(solution ?? [], ['solution'])
  for (const [name, steps] of Object.entries(solutions ?? {})) below(steps, ['solutions', name])
  below(obedience ?? [], ['obedience'])
}

/** A call that a solution makes. */
export interface ProgramCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly place: StepPlace
  /** Success does not need it: its step, or one around it, is optional. */
  readonly isOptional: boolean
}

/** The names of the loops around a step, and their values. */
export type LoopNames = Readonly<Record<string, DataValue>>

/** Evaluates the expressions of a solution on the desktop as it is now. Throws `BadRequest` for one without a value. */
export interface SolutionEvaluator {
  /** The value of an expression. */
  value(expression: string, names: LoopNames): DataValue
  /** A text with its templates filled. */
  fill(text: string, names: LoopNames): DataValue
}

/** The limit of the calls of a solution with all rounds of its loops. */
const MAX_CALLS = 10_000
const MAX_ROUNDS = 1000

/**
 * The calls of a solution, one after another. Expressions are evaluated when their step is reached, so each call must have
 * been made before the next one is asked for.
 * @throws `BadRequest` when an expression has no value, or a solution makes more than 10,000 calls.
 */
export function* callsOf(solution: Solution, evaluator: SolutionEvaluator): Generator<ProgramCall, void> {
  let calls = 0
  for (const call of callsIn(solution.steps, evaluator, {}, false)) {
    if (++calls > MAX_CALLS) throw new Fault('BadRequest', `the solution makes more than ${MAX_CALLS} calls`)
    yield call
  }
}

function* callsIn(
  steps: readonly PlacedStep[],
  evaluator: SolutionEvaluator,
  names: LoopNames,
  isOptional: boolean,
): Generator<ProgramCall, void> {
  for (const step of steps) {
    const optional = isOptional || step.step.optional === true
    if (step.kind === 'call') {
      const args = at(step.place, () => filled(step.step.with, evaluator, names))
      yield {
        tool: step.step.call,
        args: args as Readonly<Record<string, unknown>>,
        place: step.place,
        isOptional: optional,
      }
    } else if (step.kind === 'branch') {
      const condition = at(step.place, () => conditionOf(step.step.if, evaluator, names))
      yield* callsIn(condition ? step.whenTrue : step.whenFalse, evaluator, names, optional)
    } else {
      const rounds = at(step.place, () => roundsOf(step.step.for, evaluator, names))
      for (const [index, value] of rounds.entries()) {
        const inside = { ...names, [step.step.as]: value, [`${step.step.as}_index`]: index }
        yield* callsIn(step.body, evaluator, inside, optional)
      }
    }
  }
}

/** The place of a step in words, such as `step 3.1 at line 41`. */
export const describePlace = ({ number, line, file }: StepPlace): string =>
  `step ${number} at ${file === undefined ? 'line ' : `${file}:`}${line}`

/** Adds the place of a step to the fault of one of its expressions. */
function at<T>(place: StepPlace, work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    throw new Fault(thrown.code, `${describePlace(place)}: ${thrown.message}`)
  }
}

function conditionOf(condition: string | boolean, evaluator: SolutionEvaluator, names: LoopNames): boolean {
  const value = typeof condition === 'string' ? valueWritten(condition, evaluator, names) : condition
  if (typeof value === 'boolean') return value
  throw new Fault('BadRequest', `if: ${JSON.stringify(condition)} is ${shown(value)}; expected true or false`)
}

function roundsOf(
  authored: string | number | readonly unknown[],
  evaluator: SolutionEvaluator,
  names: LoopNames,
): readonly DataValue[] {
  const value = typeof authored === 'string' ? valueWritten(authored, evaluator, names) : (authored as DataValue)
  const list = typeof value === 'number' && Number.isInteger(value) && value >= 0 ? upTo(value) : value
  if (list === null || !isList(list))
    throw new Fault('BadRequest', `for: ${JSON.stringify(authored)} is ${shown(value)}; expected a list or a number`)
  if (list.length > MAX_ROUNDS)
    throw new Fault('BadRequest', `for: the list has ${list.length} values; at most ${MAX_ROUNDS} are allowed`)
  return list
}

const upTo = (count: number): readonly number[] =>
  Array.from({ length: Math.min(count, MAX_ROUNDS + 1) }, (_, index) => index)

const valueWritten = (authored: string, evaluator: SolutionEvaluator, names: LoopNames): DataValue =>
  evaluator.value(authored, names)

function filled(value: unknown, evaluator: SolutionEvaluator, names: LoopNames): unknown {
  if (typeof value === 'string') return value.includes('{{') ? evaluator.fill(value, names) : value
  if (Array.isArray(value)) return value.map((each) => filled(each, evaluator, names))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filled(each, evaluator, names)]))
}

const MAX_SHOWN = 60

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}
