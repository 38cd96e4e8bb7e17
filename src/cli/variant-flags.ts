import type { Command } from 'commander'
import { Option } from 'commander'
import { parseVariant, type VariantChoices } from '../compose/variants.ts'
import { wholeNumber } from './arguments.ts'

/** The flags that choose a seed and a variant of a scenario. */
export interface VariantFlags {
  readonly seed?: number
  readonly variant?: readonly string[]
}

/** Adds `--seed` and `--variant` to a command. */
export const withVariantFlags = (command: Command): Command =>
  command
    .option('--seed <number>', 'random seed, instead of the scenario’s own', wholeNumber)
    .addOption(
      new Option(
        '--variant <axis=value>',
        'change one axis of the scenario, such as theme=dark or scale=1.5; repeatable',
      ).argParser((choice: string, before: readonly string[] = []) => [...before, choice]),
    )

/** The chosen axes. Undefined if there are none. Throws `BadRequest` for an unknown axis or value. */
export const chosenVariant = ({ variant = [] }: VariantFlags): VariantChoices | undefined =>
  variant.length === 0 ? undefined : parseVariant(variant)
