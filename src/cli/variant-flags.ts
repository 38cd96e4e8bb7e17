import type { Command } from 'commander'
import { Option } from 'commander'
import { DESKTOP_STYLES, PERSONALITY_NAMES, parseVariant, type VariantChoices } from '../compose/variants.ts'
import { seedNumber } from './arguments.ts'

/** The flags that choose a seed and a variant of a scenario. */
export interface VariantFlags {
  readonly seed?: number
  readonly variant?: readonly string[]
  readonly personality?: string
  readonly style?: string
}

/** Adds `--seed`, `--variant`, `--style` and `--personality` to a command. */
export const withVariantFlags = (command: Command): Command =>
  withAxisFlags(command.option('--seed <number>', 'random seed, instead of the scenario’s own', seedNumber)).addOption(
    new Option(
      '--personality <name>',
      'show the accessibility tree as this platform does; short for --variant personality=NAME',
    ).choices(PERSONALITY_NAMES),
  )

/** Adds `--variant` and `--style` to a command that chooses seeds by itself. */
export const withAxisFlags = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--variant <axis=value>',
        'change one axis of the scenario, such as theme=dark or scale=1.5; repeatable',
      ).argParser((choice: string, before: readonly string[] = []) => [...before, choice]),
    )
    .addOption(styleOption())

/** `--style`: the system that desktops look like. */
export const styleOption = (): Option =>
  new Option('--style <name>', 'look of the desktop; short for --variant style=NAME').choices(DESKTOP_STYLES)

/** Adds `--faults` to a command. */
export const withFaultsFlag = (command: Command): Command =>
  command.addOption(
    new Option(
      '--faults <names>',
      'comma-separated list of faults, such as lost-click,late-tree (docs/faults.md)',
    ).argParser((names: string) => names.split(',').map((name) => name.trim())),
  )

/** The chosen axes. Undefined if there are none. Throws `BadRequest` for an unknown axis or value. */
export function chosenVariant({ variant = [], personality, style }: VariantFlags): VariantChoices | undefined {
  const choices = [
    ...variant,
    ...(style === undefined ? [] : [`style=${style}`]),
    ...(personality === undefined ? [] : [`personality=${personality}`]),
  ]
  return choices.length === 0 ? undefined : parseVariant(choices)
}
