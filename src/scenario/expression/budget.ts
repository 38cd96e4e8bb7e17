import { Fault } from '../../base/fault.ts'
import { listDifference } from '../../base/lists.ts'
import { createMatchBudget, type MatchBudget } from '../../base/pattern.ts'

/** Operations of one evaluation: about 200 ms at worst. */
const MAX_STEPS = 1_000_000
const MAX_TEXT_LENGTH = 200_000
/** A longer list ends an evaluation. */
export const MAX_LIST_ITEMS = 100_000

/** What one evaluation may still spend. */
export interface EvaluationBudget {
  steps: number
  readonly matching: MatchBudget
}

const startBudget = (steps: number): EvaluationBudget => ({ steps, matching: createMatchBudget() })

/** What all expressions of one input may spend together: about 250 ms at worst. */
const MAX_SHARED_STEPS = 2_000_000
let shared: EvaluationBudget | undefined

/** Runs something whose expressions share a budget, such as a step of a scenario with all of its templates and conditions. */
export function withinBudget<Given extends readonly unknown[], T>(run: (...given: Given) => T, ...given: Given): T {
  if (shared) return run(...given)
  shared = startBudget(MAX_SHARED_STEPS)
  try {
    return run(...given)
  } finally {
    shared = undefined
  }
}

/** A result that is kept, and the steps that it takes to compute it. */
export interface KeptResult<T> {
  readonly value: T
  readonly steps: number
  /** The shared budget that it was charged to last. */
  charged: EvaluationBudget | undefined
}

/** Computes a result that is kept. */
export function computeKept<T>(compute: () => T): KeptResult<T> {
  return withinBudget(() => {
    const before = shared!.steps
    const value = compute()
    return { value, steps: before - shared!.steps, charged: shared }
  })
}

/**
 * The value of a result that was kept. Each shared budget is charged once, as if it were computed in it, so that what an input
 * may spend does not depend on what was computed before it.
 */
export function recall<T>(kept: KeptResult<T>): T {
  if (!shared || kept.charged === shared) return kept.value
  if (shared.steps < kept.steps) {
    shared.steps = 0
    throw beyondShared()
  }
  shared.steps -= kept.steps
  kept.charged = shared
  return kept.value
}

const beyondShared = (): Fault =>
  new Fault(
    'BadRequest',
    `the expressions that are evaluated at once take more than ${MAX_SHARED_STEPS} steps together`,
  )

/** The budget of the next evaluation: its own, and no more than what is left of a shared one. */
export function openBudget(): { readonly budget: EvaluationBudget; readonly close: () => void } {
  const whole = shared
  if (!whole) return { budget: startBudget(MAX_STEPS), close: () => {} }
  if (whole.steps <= 0) throw beyondShared()
  const steps = Math.min(MAX_STEPS, whole.steps)
  const budget: EvaluationBudget = { steps: steps - 1, matching: whole.matching }
  return {
    budget,
    close: () => {
      whole.steps -= steps - Math.max(0, budget.steps)
    },
  }
}

/** Charges an operation and the size of its operand or result, and returns that. Throws `BadRequest` beyond a limit. */
export function charge<T>(budget: EvaluationBudget, value: T): T {
  if (typeof value === 'string') checkTextLength(value.length)
  if (Array.isArray(value)) checkListLength(value.length)
  spendSteps(budget, sizeOf(value))
  return value
}

/** Takes steps from a budget. Throws `BadRequest` beyond its limit. */
export function spendSteps(budget: EvaluationBudget, steps: number): void {
  budget.steps -= steps
  if (budget.steps < 0) throw new Fault('BadRequest', `the expression takes more than ${MAX_STEPS} steps`)
}

/** Throws `BadRequest` for a text that is too long, before it is made. */
export function checkTextLength(length: number): void {
  if (length > MAX_TEXT_LENGTH)
    throw new Fault(
      'BadRequest',
      `the expression makes a text of ${length} characters; at most ${MAX_TEXT_LENGTH} are allowed`,
    )
}

function checkListLength(length: number): void {
  if (length > MAX_LIST_ITEMS)
    throw new Fault(
      'BadRequest',
      `the expression makes a list of ${length} items; at most ${MAX_LIST_ITEMS} are allowed`,
    )
}

const CHARACTERS_PER_STEP = 100
/** Smaller values are counted again each time, which is faster than remembering them. */
const MIN_KNOWN_SIZE = 20
const sizes = new WeakMap<object, number>()

/** How many values a value holds, at any depth; what comparing it costs. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / CHARACTERS_PER_STEP)
  if (typeof value !== 'object' || value === null) return 1
  const known = sizes.get(value)
  if (known !== undefined) return known
  const parts: readonly unknown[] = Array.isArray(value)
    ? value
    : [...(value instanceof Map ? value.values() : Object.values(value))]
  const size = parts.reduce<number>((sum, part) => sum + sizeOf(part), 1)
  if (size >= MIN_KNOWN_SIZE) sizes.set(value, size)
  return size
}

/** Measures a list by what differs from an earlier one that was measured. */
export function carryCharge(before: readonly unknown[], after: readonly unknown[]): void {
  const known = sizes.get(before)
  if (known === undefined || sizes.has(after)) return
  const { start, removed, inserted } = listDifference(before, after)
  const sum = (list: readonly unknown[], count: number) =>
    list.slice(start, start + count).reduce<number>((total, item) => total + sizeOf(item), 0)
  sizes.set(after, known - sum(before, removed) + sum(after, inserted))
}
