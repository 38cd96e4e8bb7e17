import type { FilePlace, Report } from './source-node.ts'

/** The longest text that templates make, and all of them together. */
export const MAX_FILLED_CHARACTERS = 200_000
const MAX_ALL_CHARACTERS = 8_000_000
const MAX_VALUES = 500_000

/** What a scenario may still grow by while it is composed. */
export interface ExpansionBudget {
  values: number
  characters: number
  readonly maxValues: number
  /** Whether a limit was exceeded and reported. Nothing is expanded from then on. */
  isSpent: boolean
}

/** The budget of one scenario. */
export const startExpansion = (maxValues = MAX_VALUES): ExpansionBudget => ({
  values: 0,
  characters: 0,
  maxValues,
  isSpent: false,
})

/** Counts values and characters before they are made. Reports the first that exceed a limit, and returns false from then on. */
export function spend(
  budget: ExpansionBudget,
  { values = 0, characters = 0 }: { readonly values?: number; readonly characters?: number },
  place: FilePlace,
  report: Report,
): boolean {
  if (budget.isSpent) return false
  budget.values += values
  budget.characters += characters
  const excess = excessOf(budget, characters)
  if (excess === undefined) return true
  budget.isSpent = true
  report(place, excess)
  return false
}

function excessOf(budget: ExpansionBudget, length: number): string | undefined {
  if (length > MAX_FILLED_CHARACTERS)
    return `the template makes a text of ${length} characters; at most ${MAX_FILLED_CHARACTERS} are allowed`
  if (budget.characters > MAX_ALL_CHARACTERS)
    return `the texts that templates make grow beyond ${MAX_ALL_CHARACTERS} characters`
  return budget.values > budget.maxValues ? `the scenario grows beyond ${budget.maxValues} values` : undefined
}
