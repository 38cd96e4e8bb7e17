import { NO_DATA } from '../data/run-data.ts'
import { createScope, type LiveScope } from '../data/scope.ts'
import type { ScenarioRun } from '../run/scenario-run.ts'

const EMPTY_SCOPE = createScope({ initial: NO_DATA })

/** The names of the expressions of a run, also of a scenario without variables. */
export const scopeOf = ({ scenario: { program } }: ScenarioRun): LiveScope => program?.scope ?? EMPTY_SCOPE
