import type { KeyPath } from '../load/source.ts'
import type { SolutionBranch, SolutionCall, SolutionLoop, SolutionStep } from '../schema/solution.ts'

/** A solution of a scenario: a program whose steps know where they are written. */
export interface Solution {
  /** Undefined for the one under `solution`. */
  readonly name: string | undefined
  readonly steps: readonly PlacedStep[]
}

/** Where a step is written. */
export interface StepPlace {
  /** The position in its solution, such as `3` or `3.1`. */
  readonly number: string
  readonly line: number
  /** The file, where it is not the scenario's own. */
  readonly file?: string
}

/** A step and its place. */
export type PlacedStep =
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

/** The sections of a scenario file that hold solutions. */
export interface WrittenSolutionSections {
  readonly solution?: readonly SolutionStep[] | null | undefined
  readonly solutions?: Readonly<Record<string, readonly SolutionStep[]>> | null | undefined
}

/** The position of a value in its file. */
export type LocateStep = (path: KeyPath) => { readonly line: number; readonly file?: string }

/** The solutions of a file: the one under `solution`, then those under `solutions`. */
export function solutionsOf({ solution, solutions }: WrittenSolutionSections, locate: LocateStep): readonly Solution[] {
  const named = Object.entries(solutions ?? {}).map(([name, steps]) => ({
    name,
    steps: placedSteps(steps, ['solutions', name], '', locate),
  }))
  if (!solution || solution.length === 0) return named
  return [{ name: undefined, steps: placedSteps(solution, ['solution'], '', locate) }, ...named]
}

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

/** Visits every call that a file writes under `solution` and `solutions`. */
export function forEachSolutionCall(
  { solution, solutions }: WrittenSolutionSections,
  visit: (call: SolutionCall, path: KeyPath) => void,
): void {
  forEachStep({ solution, solutions }, (step, path) => {
    if ('call' in step) visit(step, path)
  })
}

/** Visits every step that a file writes under `solution` and `solutions`, outer ones first. */
export function forEachStep(
  { solution, solutions }: WrittenSolutionSections,
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
}
