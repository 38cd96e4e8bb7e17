import type { Simulation, SimulationControl } from '../../../adapters/computer.ts'
import { filePathsBelow, isFile, isFolder, readFile } from '../../../desktop/files/files.ts'
import { filesOf } from '../../../desktop/model/desktop.ts'
import type { RunData } from '../../../scenario/data/run-data.ts'
import { type DataValue, isList } from '../../../scenario/expression/data-type.ts'
import { runFindings, successAtStart } from '../../../scenario/oracles/on-run.ts'
import type { OracleView } from '../../../scenario/oracles/predicate.ts'
import type { RunFindings } from '../../../scenario/oracles/report.ts'
import { secretFieldValues, withoutSecrets } from './secret-texts.ts'

/** The members that control a simulation. The others lead to unredacted data. */
const CONTROL_MEMBERS: Readonly<Record<keyof SimulationControl, true>> = {
  scenario: true,
  scenarioHash: true,
  scenarioFile: true,
  isComposed: true,
  task: true,
  state: true,
  states: true,
  oracles: true,
  seed: true,
  variant: true,
  variantWarnings: true,
  stepCount: true,
  elapsedMs: true,
  clockShiftMs: true,
  nextTimerInMs: true,
  countToolCall: true,
  chosenFaults: true,
  faultNames: true,
  firedFaults: true,
  disturbCall: true,
  startScenario: true,
  reset: true,
  rewind: true,
}

/** The control of a simulation as an object of its own, from which the data of the simulation cannot be reached. */
export function controlOf(simulation: Simulation): SimulationControl {
  const control = {}
  for (const name of Object.keys(CONTROL_MEMBERS) as (keyof SimulationControl)[]) {
    const member = simulation[name]
    if (typeof member === 'function') Object.defineProperty(control, name, { value: member.bind(simulation) })
    else Object.defineProperty(control, name, { get: () => simulation[name] })
  }
  return control as SimulationControl
}

/** Files, clipboard and run of a simulation, as its oracles read them. */
export type Storage = Pick<OracleView, 'file' | 'clipboard'> &
  RunFindings &
  StartListing &
  DiskListing &
  VariableListing

/** The start of a simulation. */
interface StartListing {
  /** Whether each success entry of the oracles held at the start. */
  readonly successAtStart: () => readonly boolean[]
}

/** The variables of a simulation. */
interface VariableListing {
  /** The values by name. A value that a secret field holds is `<filled>`. */
  readonly variables: () => RunData
}

/** The files of a simulation. */
interface DiskListing {
  /** The paths below a folder, at any depth, each with whether it is a folder and its size in bytes. */
  readonly filesBelow: (folder: string) => readonly DiskEntry[]
}

export interface DiskEntry {
  readonly path: string
  readonly isFolder: boolean
  readonly bytes: number
}

/** Reads files and clipboard without what `scrub` replaces. */
export const storageOf = (simulation: Simulation, scrub: (text: string) => string): Storage => ({
  file: (path) => {
    const files = filesOf(simulation.desktop)
    if (isFile(files, path)) return scrub(readFile(files, path))
    return isFolder(files, path) ? null : undefined
  },
  filesBelow: (folder) => {
    const files = filesOf(simulation.desktop)
    return filePathsBelow(files, folder).map((path) => {
      const text = isFile(files, path) ? scrub(readFile(files, path)) : undefined
      return {
        path: scrub(path),
        isFolder: text === undefined,
        bytes: text === undefined ? 0 : Buffer.byteLength(text),
      }
    })
  },
  clipboard: () => scrub(simulation.desktop.clipboard),
  variables: () => {
    const { data, desktop } = simulation.run
    const secrets = secretFieldValues(desktop)
    return withTexts(data, (text) => scrub(withoutSecrets(text, secrets))) as RunData
  },
  successAtStart: () => successAtStart(simulation.firstRun),
  ...runFindings(() => simulation.run),
})

/** A value with other texts in it, at any depth. */
function withTexts(value: DataValue, change: (text: string) => string): DataValue {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (isList(value)) return value.map((each) => withTexts(each, change))
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withTexts(each, change)]))
}
