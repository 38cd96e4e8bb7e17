import type { EnvironmentVariables } from '../base/environment-variables.ts'
import { Fault } from '../base/fault.ts'
import { loadOptional } from '../base/optional.ts'
import type { Computer } from './computer.ts'
import { openRemoteComputer, type RemoteOptions } from './remote/remote.ts'

/** The desktops that are not scenarios: those of a platform, `auto` for that of this machine, and that of another server. */
export type RealAdapter = 'linux' | 'macos' | 'windows' | 'auto' | 'remote'

/** The host: its platform as Node names it, and the environment variables of its session. */
export interface Machine {
  readonly platform: string
  readonly env: EnvironmentVariables
}

export interface RealComputerOptions {
  /** Actions wait until no person has used mouse or keyboard for this long, in milliseconds. */
  readonly yieldToPersonMs?: number | undefined
  /** The other server, for the adapter `remote`. */
  readonly remote?: Pick<RemoteOptions, 'url' | 'token'> | undefined
  /** Receives one line per circumstance that the operator should know. */
  readonly warn?: ((line: string) => void) | undefined
}

type OpenDesktop = (env: EnvironmentVariables, options: RealComputerOptions) => Promise<Computer>

/** The adapters of this machine's own desktop, by the platform that Node reports. */
const OF_PLATFORM: Readonly<Record<string, OpenDesktop>> = {
  linux: async (env, options) => {
    const { openLinuxComputer } = await loadOptional('linux', () => import('./linux/linux.ts'))
    return openLinuxComputer(env, options)
  },
  darwin: async (_, { warn }) => {
    const { openMacComputer } = await loadOptional('macos', () => import('./macos/macos.ts'))
    const computer = openMacComputer()
    if (computer.info.notice !== undefined) warn?.(`the macOS adapter is ${computer.info.notice}`)
    return computer
  },
  win32: async (_, { yieldToPersonMs, warn }) => {
    const { openWindowsComputer } = await loadOptional('windows', () => import('./windows/windows.ts'))
    const computer = await openWindowsComputer({ yieldToPersonMs })
    warn?.(`the Windows adapter is ${computer.info.notice}`)
    return computer
  },
}

/** The platforms of the adapters that are named after one. */
const PLATFORMS: Readonly<Record<Exclude<RealAdapter, 'auto' | 'remote'>, string>> = {
  linux: 'linux',
  macos: 'darwin',
  windows: 'win32',
}

/** The platforms whose own desktop can be driven. */
export const DRIVEN_PLATFORMS: readonly string[] = Object.keys(OF_PLATFORM)

/**
 * Opens a desktop that is not a scenario. Throws `PlatformUnsupported` with the missing prerequisite and its remedy, and `BadRequest`
 * for the adapter `remote` without a usable URL.
 */
export async function openRealComputer(
  adapter: RealAdapter,
  machine: Machine,
  options: RealComputerOptions = {},
): Promise<Computer> {
  if (adapter === 'remote') {
    if (!options.remote) throw new Fault('BadRequest', 'the adapter remote needs the URL of the other server')
    return openRemoteComputer({ ...options.remote, warn: options.warn })
  }
  const isOwn = adapter === 'auto' || PLATFORMS[adapter] === machine.platform
  const open = isOwn ? OF_PLATFORM[machine.platform] : undefined
  if (!open)
    throw new Fault(
      'PlatformUnsupported',
      `--adapter ${adapter} cannot drive desktops of ${machine.platform}; auto drives those of ${DRIVEN_PLATFORMS.join(' and ')}; use --mock for a synthetic one, or --adapter remote for one behind another server`,
      { platform: machine.platform, adapter },
    )
  return open(machine.env, options)
}
