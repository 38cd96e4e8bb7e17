import * as z from 'zod'
import type { Fault } from '../../base/fault.ts'
import type { Random } from '../../base/random.ts'
import type { Action } from '../../desktop/input/action.ts'
import type { Desktop } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { ScenarioEffect } from '../schema/effect.ts'
import type { PageTool } from '../schema/sites.ts'

/** The desktop and the draws of one firing of a fault. */
export interface FaultMoment<Params> {
  readonly desktop: Desktop
  readonly params: Params
  /** The same in every replay of this firing. */
  readonly random: Random
}

/** A tree that a fault changes before it is seen. */
export interface TreeMoment<Params> extends FaultMoment<Params> {
  readonly tree: Element
  /** The tree of the same window before the action at which the fault fired. Undefined if the window was not open. */
  readonly before: Element | undefined
}

/** A tree that shows what an action tried, although nothing performed it. */
export interface AttemptMoment<Params> extends TreeMoment<Params> {
  readonly action: Action
  /** The tree as the action would have left it. Undefined if it would have closed the window. */
  readonly attempted: Element | undefined
}

/** What becomes of an action: it is dropped, or performed in another form after some effects. */
export type AlteredAction =
  | 'dropped'
  | { readonly action?: Action | undefined; readonly effects?: readonly ScenarioEffect[] }

/** Where a fault takes effect. A fault has one hook. */
export type FaultHook<Params> =
  | {
      /** Before an action, with a chance at each that it applies to. */
      readonly on: 'action'
      readonly applies: (action: Action) => boolean
      readonly alter: (moment: FaultMoment<Params>, action: Action) => AlteredAction
      /** What trees show for `for_ms` after an action that was dropped. */
      readonly tree?: (moment: AttemptMoment<Params>) => Element
    }
  | {
      /** On what is seen: from the start on if `constant`, else with a chance at each action, for `for_ms`. */
      readonly on: 'observation'
      readonly constant?: true
      readonly tree?: (moment: TreeMoment<Params>) => Element
      /** The tools of a page, as agents are shown them. */
      readonly tools?: (tools: readonly PageTool[], params: Params) => readonly PageTool[]
      /** Pictures show the desktop before the action. */
      readonly pictureBefore?: true
      /** The desktop that pictures show. */
      readonly picture?: (moment: FaultMoment<Params>) => Desktop
      /** The id of the element that is shown with the id `shown`. */
      readonly actualId?: (moment: FaultMoment<Params>, tree: Element, shown: string) => string
    }
  | {
      /** Once, after one step. */
      readonly on: 'step'
      readonly effects: (moment: FaultMoment<Params>) => readonly ScenarioEffect[]
    }
  | {
      /** On calls of the tools of agents, with a chance at each. */
      readonly on: 'call'
      readonly outcome: (params: Params, random: Random) => CallDisturbance
    }

/** What happens to a call before it is made. */
export interface CallDisturbance {
  readonly fault?: Fault
  /** Virtual time that passes before the call. */
  readonly delayMs?: number
}

/** A fault of the catalogue. */
export interface FaultKind {
  readonly id: string
  /** What an agent experiences, in a sentence. */
  readonly describe: string
  /** Checks the fault as a scenario or a caller writes it, and fills in the defaults. */
  readonly schema: z.ZodType<ChosenFault>
  readonly hook: FaultHook<never>
}

/** A fault of a run with its parameters. */
export interface ChosenFault {
  readonly fault: string
  readonly [parameter: string]: unknown
}

/** Defines a fault of the catalogue. */
export function defineFault<Shape extends z.ZodRawShape>(kind: {
  readonly id: string
  readonly describe: string
  readonly params: Shape
  readonly hook: FaultHook<z.infer<z.ZodObject<Shape>>>
}): FaultKind {
  const { id, describe, params, hook } = kind
  const schema = z.strictObject({ fault: z.literal(id).describe(describe), ...params })
  return { id, describe, schema: schema as unknown as z.ZodType<ChosenFault>, hook: hook as FaultHook<never> }
}

const MAX_CHANCES = 1_000_000
const MAX_FIRINGS = 1000
const MAX_DURATION_MS = 86_400_000

/** The parameters of a fault that fires by chance. */
export const chances = ({ probability, times }: { readonly probability: number; readonly times: number }) => ({
  probability: z
    .number()
    .min(0)
    .max(1)
    .describe('The probability that it fires each time it could')
    .meta({ examples: [probability] })
    .default(probability),
  times: z
    .int()
    .min(1)
    .max(MAX_FIRINGS)
    .describe('How often it fires at most')
    .meta({ examples: [times] })
    .default(times),
  after: z
    .int()
    .min(0)
    .max(MAX_CHANCES)
    .describe('How often it could fire but does not at first')
    .meta({ examples: [2] })
    .default(0),
})

/** The parameter for how long a fault lasts. */
export const lasting = (ms: number) => ({
  for_ms: z
    .int()
    .min(1)
    .max(MAX_DURATION_MS)
    .describe('How long it lasts, in milliseconds of the desktop clock')
    .meta({ examples: [ms] })
    .default(ms),
})

/** The parameter for the step after which a fault fires. */
export const atStep = {
  step: z
    .int()
    .min(0)
    .max(MAX_CHANCES)
    .describe('It fires after this many actions, 0 being the start; drawn from the seed between 1 and 4 by default')
    .meta({ examples: [2] })
    .optional(),
}

/** The faults of a run: a part of its state, so that forks, rewinds and replays have the same. */
export interface FaultRun {
  /** The faults that were chosen for the run, without those of the scenario. */
  readonly chosen: readonly ChosenFault[]
  readonly entries: readonly FaultEntry[]
  /** The number of actions performed. */
  readonly steps: number
  /** The time of the start, in milliseconds since the epoch. */
  readonly startMs: number
  /** In the order of firing. */
  readonly fired: readonly FiredFault[]
}

/** The state of one fault. */
export interface FaultEntry {
  readonly chosen: ChosenFault
  readonly random: Random
  /** How often it could have fired. */
  readonly chances: number
  readonly firings: number
  /** The step after which it fires, for faults of a step. */
  readonly atStep: number
  /** Set while it changes what is seen. */
  readonly active: ActiveObservation | undefined
}

/** A firing of a fault that changes what is seen. */
export interface ActiveObservation {
  readonly untilMs: number
  /** The desktop before the action at which it fired. */
  readonly before: Desktop
  readonly random: Random
  /** The action that was dropped, and the desktop as it would have left it. Set for faults of actions. */
  readonly attempt?: { readonly action: Action; readonly desktop: Desktop }
  /** The firing before, if trees still showed what it tried. They then go on as long as this one lasts. */
  readonly earlier?: ActiveObservation | undefined
}

/** A firing of a fault. */
export interface FiredFault {
  readonly fault: string
  /** The number of actions performed, including the one that it fired at. */
  readonly step: number
  /** The virtual time since the start, in milliseconds. */
  readonly elapsedMs: number
}
