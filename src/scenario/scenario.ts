import type { DateNames, DesktopApp, Monitor, Window } from '../desktop/model/desktop.ts'
import type { Files } from '../desktop/model/files.ts'
import type { PictureFiles } from '../desktop/model/pictures.ts'
import type { ScreenProjection } from '../desktop/projection.ts'
import type { DesktopStyle } from '../desktop/style/style.ts'
import type { RunData } from './data/run-data.ts'
import type { ChosenFault } from './faults/fault-kind.ts'
import type { LiveProgram } from './live/live-program.ts'
import type { Personality } from './personalities/personality.ts'
import type { PlannedFault, ScenarioEvents } from './scenario-file.ts'
import type { Actor } from './schema/actor.ts'
import type { ScenarioOracles } from './schema/oracles.ts'
import type { Reaction, Timer } from './schema/reaction.ts'
import type { Sites } from './sites/sites.ts'
import type { Solution } from './solution.ts'
import type { VariantChoices } from './variants/axis.ts'

/** A loaded scenario: validated, laid out and immutable. Any number of runs share it. */
export interface Scenario {
  readonly name: string
  readonly about: string
  /** The task of the agent. */
  readonly task: string | undefined
  readonly tags: readonly string[]
  readonly difficulty: 'easy' | 'medium' | 'hard' | undefined
  readonly seed: number
  readonly isInteractive: boolean
  readonly theme: 'light' | 'dark' | 'high-contrast' | undefined
  readonly panel: boolean
  /** The system that it looks like. Undefined: the default style. */
  readonly style?: DesktopStyle | undefined
  /** What the bars and the launcher of a style offer. */
  readonly apps: readonly DesktopApp[]
  /** How calendars and the clock name months and weekdays. Undefined: in English. */
  readonly dateNames?: DateNames | undefined
  /** The language of the texts that the desktop makes. Undefined: English. */
  readonly language?: string | undefined
  /** How its coordinates become pixels. Undefined if they are the same. */
  readonly projection?: ScreenProjection | undefined
  /** The platform whose accessibility tree shows it. Undefined if clients see the tree of the scenario. */
  readonly personality?: Personality | undefined
  /** The values of the axes in which it differs from its file. Undefined if in none. */
  readonly variant?: VariantChoices | undefined
  /** What its variant could not do. Empty by default. */
  readonly variantWarnings?: readonly string[] | undefined
  readonly monitors: readonly Monitor[]
  readonly clipboard: string
  /** The files at the start. Undefined if the file has no `files`. */
  readonly files: Files | undefined
  /** The picture files by the paths in the file. */
  readonly pictures: PictureFiles
  readonly initial: string
  /** The values of the variables at the start. */
  readonly data: RunData
  /** The live expressions. Undefined if the file has none, so that its runs do no work for them. */
  readonly program: LiveProgram | undefined
  /** The time at which its clock starts, in milliseconds. Undefined: that of the session. */
  readonly startMs: number | undefined
  /** In the order of the file. */
  readonly states: ReadonlyMap<string, SceneState>
  /** Windows that effects open, by uid. */
  readonly windows: ReadonlyMap<string, Window>
  /** The number of each window of the file by uid, from which its handle follows. */
  readonly handles: ReadonlyMap<string, number>
  /** The sites that the browser shows, by their hosts. */
  readonly sites: Sites
  /** The declared events with the types of their fields. */
  readonly events: ScenarioEvents
  /** What triggers on changes name. */
  readonly watched: readonly Watched[]
  /** The variables whose changes can be undone. */
  readonly undoes: readonly string[]
  readonly reactions: readonly Reaction[]
  readonly timers: readonly Timer[]
  /** The people who answer, by their names. */
  readonly actors: Readonly<Record<string, Actor>>
  readonly faults: readonly PlannedFault[]
  /** Its faults of the catalogue. */
  readonly catalogueFaults: readonly ChosenFault[]
  readonly oracles: ScenarioOracles
  /** The one under `solution` first. */
  readonly solutions: readonly Solution[]
  /** What an agent does that obeys injected text. */
  readonly obedience: Solution | undefined
  /** The agent's script as written. The agent validates it with its own schema. */
  readonly agent: unknown
  readonly model: unknown
}

/** Something whose changes trigger reactions or timers: a variable, or an element by its id. */
export type Watched = { readonly var: string } | { readonly id: string; readonly window?: string | undefined }

/** The windows of a state, front to back. */
export interface SceneState {
  readonly windows: readonly Window[]
  /** Those that are open while a condition holds. */
  readonly optional: readonly Window[]
  /** The indexes in the file of the windows of the state, also of those for items, by their uids there. */
  readonly positions: ReadonlyMap<string, number>
}
