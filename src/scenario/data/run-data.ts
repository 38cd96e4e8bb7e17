import type { DataValue } from '../expression/data-type.ts'

/** The values of the variables of a run by name. Immutable: a change makes another record. */
export type RunData = Readonly<Record<string, DataValue>>

/** The data of a scenario without variables. */
export const NO_DATA: RunData = Object.freeze({})

/** The names of the variables whose values differ. */
export const changedVars = (before: RunData, after: RunData): readonly string[] =>
  before === after
    ? []
    : [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name])
