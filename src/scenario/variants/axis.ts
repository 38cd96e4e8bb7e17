import type { Random } from '../../base/random.ts'
import { didYouMean } from '../../base/strings.ts'
import type { DateNames } from '../../desktop/model/desktop.ts'
import type { RunData } from '../data/run-data.ts'
import type { AuthoredScenario } from '../scenario-file.ts'

/** A way in which a scenario can look different while its task stays the same. */
export interface VariantAxis {
  readonly name: string
  /** What it changes, in a sentence, for the documentation. */
  readonly about: string
  /** The values that it takes, for messages and the documentation. */
  readonly values: string
  /** Whether it applies only to scenarios that draw parameters. */
  readonly needsParameters?: boolean
  /** Why it takes no such value, with the values that it takes. Undefined if it does. */
  problem(value: string): string | undefined
  /** Why the value changes nothing in this scenario. Undefined if it applies. */
  obstacle(authored: AuthoredScenario, value: string): string | undefined
  /** The values among which samples of this scenario choose. */
  samples(authored: AuthoredScenario): readonly string[]
  apply(subject: VariedScenario, value: string, random: Random): VariedScenario
}

/** A field of an element or a window that changes with the data. */
export interface BoundField {
  readonly window: string
  /** Undefined: of the window. */
  readonly element: string | undefined
  readonly field: string
  /** The live template that it shows. Undefined for a field that is bound to a variable. */
  readonly text?: string
}

/** A scenario file with the axes that were applied so far. */
export interface VariedScenario {
  readonly authored: AuthoredScenario
  /** Pixels per written pixel, by text size and display scale. */
  readonly ratio: number
  /** The part of the ratio that monitors report. */
  readonly scale: number
  readonly isMirrored: boolean
  /** The fields that show live templates, and those that are bound to variables. */
  readonly bound: readonly BoundField[]
  /** The initial values of the variables. */
  readonly data: RunData
  /** The expressions of the computed names, as the file has them. */
  readonly computed: readonly string[]
  /** The text that a live template has in the variant. */
  readonly retext: (text: string) => string
  /** The expression of a computed name in the variant. */
  readonly recompute: (text: string) => string
  /** How a shown text with live values is written. Undefined: as it is. */
  readonly formatText?: ((text: string) => string) | undefined
  /** How calendars and the clock name months and weekdays. Undefined: in English. */
  readonly dateNames?: DateNames | undefined
  /** The language of the texts that the desktop makes. Undefined: English. */
  readonly language?: string | undefined
  /** The name of the personality. Undefined if the tree is that of the scenario. */
  readonly personality?: string
  /** What could not be done. */
  readonly warnings: readonly string[]
}

/** An axis with a fixed list of values, the first of which is that of most scenarios. */
export function choiceAxis(
  axis: Pick<VariantAxis, 'name' | 'about' | 'apply'> & {
    readonly choices: readonly string[]
    readonly obstacle?: VariantAxis['obstacle']
  },
): VariantAxis {
  const { choices, obstacle = () => undefined } = axis
  const values = listed(choices)
  return {
    ...axis,
    values,
    obstacle,
    problem: (value) => (choices.includes(value) ? undefined : `expected ${values}${didYouMean(value, choices)}`),
    samples: (authored) => choices.filter((value) => obstacle(authored, value) === undefined),
  }
}

/** An axis with a number as its value. */
export function numberAxis(
  axis: Pick<VariantAxis, 'name' | 'about' | 'apply'> & {
    readonly least: number
    readonly most: number
    readonly sampled: readonly string[]
  },
): VariantAxis {
  const { least, most, sampled } = axis
  const values = `a number from ${least} to ${most}`
  return {
    ...axis,
    values,
    obstacle: () => undefined,
    problem: (value) => {
      const number = Number(value)
      return value.trim() !== '' && number >= least && number <= most ? undefined : `expected ${values}`
    },
    samples: () => sampled,
  }
}

/** `a, b or c`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

/** The subject with another file. */
export const withAuthored = (subject: VariedScenario, authored: AuthoredScenario): VariedScenario => ({
  ...subject,
  authored,
})

/** The subject with more warnings. */
export const warned = (subject: VariedScenario, warnings: readonly string[]): VariedScenario =>
  warnings.length === 0 ? subject : { ...subject, warnings: [...subject.warnings, ...warnings] }

/** The value of each chosen axis, by its name. */
export type VariantChoices = Readonly<Record<string, string>>

/** Choices as callers write them. */
export type AuthoredChoices = Readonly<Record<string, string | number | boolean>>
