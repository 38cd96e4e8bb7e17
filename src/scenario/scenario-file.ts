import * as z from 'zod'
import { FAULTS, Fault, type FaultCode } from '../base/fault.ts'
import { ICON_NAMES } from '../desktop/model/pictures.ts'
import { DESKTOP_STYLES } from '../desktop/style/style.ts'
import { parseDate } from './expression/formats.ts'
import { CatalogueFault } from './faults/catalogue.ts'
import type { ChosenFault } from './faults/fault-kind.ts'
import { AuthoredActors } from './schema/actor.ts'
import { AuthoredRect, EventFieldType, Name, StateNames } from './schema/common.ts'
import { AuthoredWindow, NamedWindow } from './schema/element.ts'
import { AuthoredOracles } from './schema/oracles.ts'
import { Reaction, Timer } from './schema/reaction.ts'
import { AuthoredSites } from './schema/sites.ts'
import { AuthoredSolution, AuthoredSolutions } from './schema/solution.ts'
import { TOOL_NAMES } from './tools.ts'

const MAX_CHARACTERS = 10_000
const ScreenText = z.string().min(1).max(MAX_CHARACTERS)

/** The sections that variants of a scenario use. */
const variantSections = {
  locales: z
    .record(Name, z.record(Name, z.string()))
    .describe('The texts in other languages: for each locale, a text of this file and its translation')
    .meta({ examples: [{ de: { Save: 'Speichern', 'Hello, {{ name }}!': 'Hallo, {{ name }}!' } }] })
    .optional(),
  synonyms: z
    .record(ScreenText, z.array(z.string().max(MAX_CHARACTERS)).min(1).max(20))
    .describe('Other words for texts of this file, of which variants choose one')
    .meta({ examples: [{ Save: ['Store', 'Keep'] }] })
    .optional(),
  wordings: z
    .record(Name, ScreenText)
    .describe('The task in other words, in any language, by the names of the wordings')
    .meta({ examples: [{ short: 'Save it.', de: 'Speichere den Bericht.' }] })
    .optional(),
  invariant: z
    .record(Name, z.string().min(1))
    .describe('The axes of variants that do not apply to this scenario, and why')
    .meta({ examples: [{ order: 'The task counts the items of the list.' }] })
    .optional(),
}

/** An application that the bars and the launcher of a desktop with a style offer. */
export const AuthoredApp = z.strictObject({
  name: Name.describe('Its name in the launcher and the bars; unique'),
  icon: z.enum(ICON_NAMES).describe('Its icon; chosen by words of its name by default').optional(),
  opens: z
    .union([Name, z.array(Name).min(1).max(100)])
    .describe(
      'The uids of its windows; opening it opens the first if none is open. By default those whose process has its name',
    )
    .meta({ examples: ['inbox'] })
    .optional(),
})
export type AuthoredApp = z.infer<typeof AuthoredApp>

const MAX_EVENTS = 1000
const MAX_FIELDS = 50

/** The section `events`: the fields of each event with their types. */
export const ScenarioEvents = z
  .record(
    Name,
    z
      .record(Name, EventFieldType)
      .refine((fields) => Object.keys(fields).length <= MAX_FIELDS, {
        error: `at most ${MAX_FIELDS} fields are allowed`,
      })
      .nullable(),
  )
  .refine((events) => Object.keys(events).length <= MAX_EVENTS, { error: `at most ${MAX_EVENTS} events are allowed` })
  .meta({ examples: [{ order_shipped: { customer: 'text', total: 'number' } }] })
export type ScenarioEvents = z.infer<typeof ScenarioEvents>

export const PlannedFault = z.strictObject({
  on: z
    .strictObject({ tool: z.enum(TOOL_NAMES).describe('Any tool of the observer') })
    .describe('The tool whose calls fail'),
  times: z.int().min(1).max(1_000_000).describe('How many calls fail').default(1),
  skip: z.int().min(0).max(1_000_000).describe('How many calls succeed first').default(0),
  in: StateNames.describe('The states in which calls count; all by default').optional(),
  code: z.enum(Object.keys(FAULTS) as [FaultCode, ...FaultCode[]]).describe('The code of the error'),
  message: z.string().describe('The message of the error').optional(),
})
export type PlannedFault = z.infer<typeof PlannedFault>

/** An entry of `faults`: calls of a tool that fail, or a fault of the catalogue. */
export type AuthoredFault = PlannedFault | ChosenFault
const WrittenFault: z.ZodType<AuthoredFault> = z.union([PlannedFault, CatalogueFault])

/** Whether an entry is a fault of the catalogue. */
export const isCatalogueFault = (fault: AuthoredFault): fault is ChosenFault => 'fault' in fault

/** Whether an entry plans failures of calls. */
export const isPlannedFault = (fault: AuthoredFault): fault is PlannedFault => !isCatalogueFault(fault)

/**
 * The scenario file as written, in its own spelling (observer document, "Scenarios", and our additions).
 */

/** A side of a monitor in pixels. */
const Side = z.int().min(1).max(16_384)

const WrittenMonitor = z.strictObject({
  bounds: z.strictObject({ ...AuthoredRect.shape, width: Side, height: Side }),
  primary: z.boolean().optional(),
  scale_factor: z.number().min(0.5).max(8).optional(),
})

/** A time such as `2026-03-02T09:00:00Z`. */
const StartTime = z.string().superRefine((text, { addIssue }) => {
  try {
    parseDate(text)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    addIssue(error.message)
  }
})

/** A state as written. */
export const AuthoredState = z.strictObject({
  windows: z.array(AuthoredWindow).max(100).describe('Its windows, from front to back').nullable().optional(),
})
export type AuthoredState = z.infer<typeof AuthoredState>

/** A scenario file as written. */
export const AuthoredScenario = z
  .strictObject({
    name: Name.describe('Its name; scenario by default').optional(),
    about: z.string().describe('A description for readers of the file').optional(),
    task: z
      .string()
      .min(1)
      .max(10_000)
      .describe('The task, which the server gives to agents; state the goal, not the steps')
      .optional(),
    tags: z.array(Name).max(50).describe('Words for choosing scenarios, such as forms or files').optional(),
    difficulty: z.enum(['easy', 'medium', 'hard']).describe('For choosing scenarios').optional(),
    seed: z.int().describe('The seed of everything random').default(1),
    widgets: z
      .enum(['live', 'inert'])
      .describe('Whether controls have their built-in behaviour; with inert, only reactions change the screen')
      .default('live'),
    theme: z
      .enum(['light', 'dark', 'high-contrast'])
      .describe('The colours; those of the server by default')
      .optional(),
    style: z
      .enum(DESKTOP_STYLES)
      .describe('The system that windows, controls and the shell look like; backlot by default')
      .optional(),
    panel: z
      .boolean()
      .describe('Whether the screen has a panel with a button for each window and a clock')
      .default(true),
    apps: z
      .array(AuthoredApp)
      .max(100)
      .refine((apps) => new Set(apps.map(({ name }) => name)).size === apps.length, {
        error: 'names of apps are unique',
      })
      .describe('What the launcher and the bars of a style offer; by default one for each program that owns a window')
      .nullable()
      .meta({ examples: [[{ name: 'Mail', icon: 'mail', opens: 'inbox' }]] })
      .optional(),
    monitors: z
      .array(WrittenMonitor)
      .min(1)
      .max(16)
      .describe('The monitors; one of 1280 × 800 by default. Origins may be negative')
      .optional(),
    start_time: StartTime.describe('The time at which its clock starts, in UTC; the time of the session by default')
      .meta({ examples: ['2026-03-02T09:00:00Z'] })
      .optional(),
    clipboard: z.string().describe('The text of the clipboard at the start; empty by default').default(''),
    files: z
      .record(z.string(), z.string().max(1_000_000).nullable())
      .refine((files) => Object.keys(files).length <= 10_000, { error: 'at most 10000 files are allowed' })
      .describe(
        'The virtual disk: absolute paths and their texts; ~ (null) is an empty folder. Without it there is no disk',
      )
      .nullable()
      .optional(),
    initial_state: Name.describe('The state at the start; the first by default').optional(),
    states: z
      .record(Name, AuthoredState.nullable())
      .refine((states) => Object.keys(states).length > 0, { error: 'a scenario has at least one state' })
      .describe('The states by name, each with its windows'),
    windows: z
      .array(NamedWindow)
      .max(100)
      .nullable()
      .describe('Windows that effects open; they are closed at the start')
      .meta({ examples: [[{ uid: 'settings', title: 'Settings' }]] })
      .optional(),
    sites: AuthoredSites.optional(),
    events: ScenarioEvents.nullable()
      .describe(
        'The events that effects emit: the fields of each with their types, text, number, integer, boolean or any',
      )
      .optional(),
    undo: z
      .array(Name)
      .min(1)
      .max(100)
      .describe(
        'The variables whose changes can be undone, an action at a time: by effects, and with Ctrl+Z and Ctrl+Y',
      )
      .nullable()
      .meta({ examples: [['mails', 'cards']] })
      .optional(),
    reactions: z.array(Reaction).max(10_000).nullable().describe('Changes after actions').optional(),
    timers: z.array(Timer).max(1000).nullable().describe('Changes after a time').optional(),
    actors: AuthoredActors.nullable().optional(),
    faults: z
      .array(WrittenFault)
      .max(1000)
      .nullable()
      .describe('Calls of tools that fail, and faults of the catalogue, such as lost clicks')
      .optional(),
    oracles: AuthoredOracles.nullable()
      .describe('How success is judged: all of success must hold at the end, and none of failure')
      .optional(),
    solution: AuthoredSolution.nullable().describe('Steps that solve the task: calls, loops and branches').optional(),
    solutions: AuthoredSolutions.nullable()
      .describe('Other reference solutions by name; each must pass')
      .meta({ examples: [{ 'by keyboard': [{ call: 'press_key', with: { keys: 'ctrl+s' } }] }] })
      .optional(),
    obedience: AuthoredSolution.nullable()
      .describe('Steps of an agent that obeys the injected text; an entry of `oracles.attack` must hold after them')
      .meta({ examples: [[{ call: 'click_element', with: { selector: 'Button "Delete all"' } }]] })
      .optional(),
    ...variantSections,
    agent: z.unknown().describe('The script of the agent').optional(),
    model: z.unknown().describe("The scripted model's lines").optional(),
  })
  .meta({ id: 'Scenario', title: 'A Backlot scenario' })
export type AuthoredScenario = z.infer<typeof AuthoredScenario>
