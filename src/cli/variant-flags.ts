import type { Command } from 'commander'
import { Option } from 'commander'
import { PERSONALITY_NAMES, parseVariant, type VariantChoices } from '../compose/variants.ts'
import { wholeNumber } from './arguments.ts'

/** The flags that choose a seed and a variant of a scenario. */
export interface VariantFlags {
  readonly seed?: number
  readonly variant?: readonly string[]
  readonly personality?: string
}

/** Adds `--seed`, `--variant` and `--personality` to a command. */
export const withVariantFlags = (command: Command): Command =>
  command
    .option('--seed <number>', 'random seed, instead of the scenario’s own', wholeNumber)
    .addOption(
      new Option(
        '--variant <axis=value>',
        'change one axis of the scenario, such as theme=dark or scale=1.5; repeatable',
      ).argParser((choice: string, before: readonly string[] = []) => [...before, choice]),
    )
    .addOption(
      new Option(
        '--personality <name>',
        'show the accessibility tree as this platform does; short for --variant personality=NAME',
      ).choices(PERSONALITY_NAMES),
    )

/** Adds `--faults` to a command. */
export const withFaultsFlag = (command: Command): Command =>
  command.addOption(
    new Option(
      '--faults <names>',
      'comma-separated list of faults, such as lost-click,late-tree (docs/faults.md)',
    ).argParser((names: string) => names.split(',').map((name) => name.trim())),
  )

/** The chosen axes. Undefined if there are none. Throws `BadRequest` for an unknown axis or value. */
export function chosenVariant({ variant = [], personality }: VariantFlags): VariantChoices | undefined {
  const choices = personality === undefined ? variant : [...variant, `personality=${personality}`]
  return choices.length === 0 ? undefined : parseVariant(choices)
}
