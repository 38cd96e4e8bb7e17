import { existsSync } from 'node:fs'
import { Fault } from '../base/fault.ts'
import { findScenario } from '../compose/gallery.ts'
import { VERSION } from '../compose/package.ts'
import type { TraceHeader } from './read-trace.ts'

/**
 * The file of the scenario of a trace: the one that the operator names, otherwise the one with the name in the header. A
 * header cannot name a file, because a trace may come from anyone.
 * @throws A `Fault` `BadRequest` when there is none.
 */
export function scenarioFileOf({ scenario }: TraceHeader, given: string | undefined): string {
  if (given !== undefined) return findScenario(given)
  if (scenario === undefined) throw new Fault('BadRequest', 'the trace names no scenario; name one with --scenario')
  const file = /[\\/]/.test(scenario) ? undefined : findScenario(scenario)
  if (file === undefined || !existsSync(file))
    throw new Fault(
      'BadRequest',
      `the trace is of the scenario ${JSON.stringify(scenario.slice(0, 100))}, which is not in the gallery; name its file with --scenario`,
    )
  return file
}

/** A reason why a replay may differ from its trace: another version recorded it. Undefined for this version. */
export const versionNote = ({ version }: TraceHeader): string | undefined =>
  version === undefined || version === VERSION
    ? undefined
    : `version ${version.slice(0, 40)} recorded the trace, and this is version ${VERSION}`
