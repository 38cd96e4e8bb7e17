import type { EnvironmentVariables } from '../base/environment-variables.ts'
import { Fault } from '../base/fault.ts'
import { loadOptional } from '../base/optional.ts'
import type { Computer } from './computer.ts'

/** The real desktops that can be driven, and `auto` for the one of this machine. */
export type RealAdapter = 'linux' | 'auto'

/** The host: its platform as Node names it, and the environment variables of its session. */
export interface Machine {
  readonly platform: string
  readonly env: EnvironmentVariables
}

export interface RealComputerOptions {
  /** Actions wait until no person has used mouse or keyboard for this long, in milliseconds. */
  readonly yieldToPersonMs?: number | undefined
}

/** Opens the real desktop of a machine. Throws `PlatformUnsupported` with the missing prerequisite and its remedy. */
export async function openRealComputer(
  adapter: RealAdapter,
  machine: Machine,
  options: RealComputerOptions = {},
): Promise<Computer> {
  if (machine.platform !== 'linux')
    throw new Fault(
      'PlatformUnsupported',
      `desktops of ${machine.platform} cannot be driven, only those of linux; use --mock for a synthetic one`,
      { platform: machine.platform, adapter },
    )
  const { openLinuxComputer } = await loadOptional('linux', () => import('./linux/linux.ts'))
  return openLinuxComputer(machine.env, options)
}
