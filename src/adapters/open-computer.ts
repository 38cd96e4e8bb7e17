import { Fault } from '../base/fault.ts'
import type { EnvironmentVariables } from '../base/host.ts'
import { loadOptional, type OptionalFeature } from '../base/optional.ts'
import { type Capabilities, capabilitiesWithout, type DoctorCheck, type RepairOptions } from './capabilities.ts'
import type { Computer } from './computer.ts'
import type { GnomeInput, LinuxSession } from './linux/capabilities.ts'
import { checkRemote } from './remote/doctor.ts'
import { REMOTE_LIMITS, remoteCapabilities } from './remote/hello.ts'
import { openRemoteComputer, type RemoteOptions } from './remote/remote.ts'

export { GNOME_INPUTS, type GnomeInput, LINUX_SESSIONS, type LinuxSession } from './linux/capabilities.ts'

/** The host: its platform as Node names it, and the environment variables of its session. */
export interface Machine {
  readonly platform: string
  readonly env: EnvironmentVariables
}

export interface RealComputerOptions {
  /** Actions wait until no person has used mouse or keyboard for this long, in milliseconds. */
  readonly yieldToPersonMs?: number | undefined
  /** The session that the adapter `linux` drives. By default Wayland where its compositor can be driven, else X11. */
  readonly session?: LinuxSession | undefined
  /** How the adapter `linux` drives pointer and keys in GNOME. By default through the desktop portal. */
  readonly gnomeInput?: GnomeInput | undefined
  /** The other server, for the adapter `remote`. */
  readonly remote?: Pick<RemoteOptions, 'url' | 'token'> | undefined
  /** Receives one line per circumstance that the operator should know. */
  readonly warn?: ((line: string) => void) | undefined
}

/** A kind of desktop that is not a scenario. Command line, doctor, capability table and composition follow from its row. */
interface AdapterDefinition {
  /** As `--adapter` names it. */
  readonly name: string
  /** The platform whose own desktop it drives, as Node names it. Undefined for a desktop elsewhere. */
  readonly platform?: string
  /** What its name alone does not say, for `--help`. */
  readonly note?: string
  /** Optional packages without which nothing else can be checked. */
  readonly packages?: readonly { readonly named: string; readonly feature: OptionalFeature }[]
  readonly open: (env: EnvironmentVariables, options: RealComputerOptions) => Promise<Computer>
  /** Checks its requirements. */
  readonly examine: (env: EnvironmentVariables, options: RealComputerOptions) => Promise<readonly DoctorCheck[]>
  /**
  /**
   * Sets up what a person must agree to or have installed. Returns what was done and what the person does next, a line each.
   */
  readonly repair?: (env: EnvironmentVariables, options: RepairOptions) => Promise<readonly string[]>
  /** The columns of the capability table of the guide: a title, and what is supported. */
  readonly capabilities: () => Promise<readonly AdapterColumn[]>
}

/** A column of the capability table of the guide. */
export type AdapterColumn = readonly [title: string, supports: Capabilities]

/** All adapters besides `synthetic`. An adapter is a folder and its row here. */
const ADAPTERS = [
  {
    name: 'linux',
    platform: 'linux',
    open: async (env, options) => {
      const { openLinuxComputer } = await loadOptional('linux', () => import('./linux/linux.ts'))
      return openLinuxComputer(env, options)
    },
    examine: async (env) => {
      const { checkLinux } = await loadOptional('linux', () => import('./linux/doctor.ts'))
      return checkLinux(env)
    },
    repair: async (env, options) => {
      const { repairLinux } = await loadOptional('linux', () => import('./linux/doctor.ts'))
      return repairLinux(env, options)
    },
    capabilities: async () => {
      const { ACCESSIBLE_WAYS, capabilitiesOf, gnomeWays, kwinWays, swayWays, x11Ways } = await import(
        './linux/capabilities.ts'
      )
      return [
        ['`linux`, X11', capabilitiesOf(x11Ways(), true)],
        ['`linux`, sway', capabilitiesOf(swayWays(), true)],
        ['`linux`, KDE with permission; screenshots not verified', capabilitiesOf(kwinWays(), true)],
        ['`linux`, GNOME with the extension', capabilitiesOf(gnomeWays('portal'), true)],
        ['`linux`, other Wayland compositors', capabilitiesOf(ACCESSIBLE_WAYS, true)],
      ]
    },
  },
  {
    name: 'macos',
    platform: 'darwin',
    note: 'not verified on a Mac',
    packages: [
      { named: 'koffi', feature: 'macos' },
      { named: 'node-screenshots', feature: 'screenshots' },
    ],
    open: async (_, { warn }) => {
      const { openMacComputer } = await loadOptional('macos', () => import('./macos/macos.ts'))
      const computer = openMacComputer()
      if (computer.info.notice !== undefined) warn?.(`the macOS adapter is ${computer.info.notice}`)
      return computer
    },
    examine: async () => {
      const { checkMac } = await loadOptional('macos', () => import('./macos/doctor.ts'))
      return checkMac()
    },
    capabilities: async () => {
      const { macCapabilities } = await import('./macos/macos.ts')
      return [['`macos`, not verified on a Mac', macCapabilities(true, true)]]
    },
  },
  {
    name: 'windows',
    platform: 'win32',
    packages: [
      { named: 'koffi', feature: 'windows' },
      { named: 'node-screenshots', feature: 'screenshots' },
    ],
    open: async (_, { yieldToPersonMs, warn }) => {
      const { openWindowsComputer } = await loadOptional('windows', () => import('./mswindows/mswindows.ts'))
      const computer = await openWindowsComputer({ yieldToPersonMs })
      warn?.(`the Windows adapter is ${computer.info.notice}`)
      return computer
    },
    examine: async () => {
      const { checkWindowsDesktop } = await loadOptional('windows', () => import('./mswindows/doctor.ts'))
      return checkWindowsDesktop()
    },
    capabilities: async () => {
      const { windowsCapabilities } = await import('./mswindows/mswindows.ts')
      return [['`windows`, tested under Wine', windowsCapabilities()]]
    },
  },
  {
    name: 'remote',
    open: async (_, { remote, warn }) => {
      if (!remote) throw new Fault('BadRequest', 'the adapter remote needs the URL of the other server')
      return openRemoteComputer({ ...remote, warn })
    },
    examine: async (_, { remote }) => {
      if (!remote) throw new Fault('BadRequest', 'the adapter remote needs the URL of the other server')
      return checkRemote(remote)
    },
    capabilities: async () => [
      ['`remote`, Backlot', capabilitiesWithout(REMOTE_LIMITS)],
      ['`remote`, documented routes only', remoteCapabilities(new Set(), {})],
    ],
  },
] as const satisfies readonly AdapterDefinition[]

/** The desktops that are not scenarios: those of a platform, that of another server, and `auto` for that of this machine. */
export type RealAdapter = (typeof ADAPTERS)[number]['name'] | 'auto'

/** Every name that `--adapter` accepts. */
export type AdapterName = 'synthetic' | RealAdapter

const REGISTERED: readonly (AdapterDefinition & { readonly name: RealAdapter })[] = ADAPTERS
const isOwn = ({ platform }: AdapterDefinition): boolean => platform !== undefined

export const ADAPTER_NAMES: readonly AdapterName[] = [
  'synthetic',
  ...REGISTERED.filter(isOwn).map(({ name }) => name),
  'auto',
  ...REGISTERED.filter((each) => !isOwn(each)).map(({ name }) => name),
]

/** The adapters that drive the desktop of this session, with what their names do not say, for `--help`. */
export const OWN_ADAPTERS: string = REGISTERED.filter(isOwn)
  .map(({ name, note }) => (note === undefined ? name : `${name} (${note})`))
  .join(', ')

/** The platforms whose own desktop can be driven. */
export const DRIVEN_PLATFORMS: readonly string[] = REGISTERED.flatMap(({ platform }) => platform ?? [])

/** The adapter of the desktop of a machine, or of the one behind another server. */
export const adapterFor = (platform: string, { remote }: RealComputerOptions = {}): AdapterDefinition | undefined =>
  REGISTERED.find((each) => (remote ? each.name === 'remote' : each.platform === platform))

/** What the adapters besides `synthetic` support, as columns of the guide. */
export const adapterColumns = async (): Promise<readonly AdapterColumn[]> =>
  (await Promise.all(REGISTERED.map(({ capabilities }) => capabilities()))).flat()

/**
 * Opens a desktop that is not a scenario. Throws `PlatformUnsupported` with the missing prerequisite and its remedy, and `BadRequest`
 * for the adapter `remote` without a usable URL.
 */
export async function openRealComputer(
  adapter: RealAdapter,
  machine: Machine,
  options: RealComputerOptions = {},
): Promise<Computer> {
  const named = REGISTERED.find(({ name }) => name === adapter)
  const chosen = adapter === 'auto' ? adapterFor(machine.platform) : named
  const ofLinux = options.session !== undefined ? '--session' : options.gnomeInput !== undefined && '--gnome-input'
  if (chosen && chosen.name !== 'linux' && ofLinux)
    throw new Fault('BadRequest', `${ofLinux} applies to the desktops of Linux only, not to --adapter ${chosen.name}`)
  if (chosen && (!isOwn(chosen) || chosen.platform === machine.platform)) return chosen.open(machine.env, options)
  throw new Fault(
    'PlatformUnsupported',
    `--adapter ${adapter} cannot drive desktops of ${machine.platform}; auto drives those of ${DRIVEN_PLATFORMS.join(' and ')}; use --mock for a synthetic one, or --adapter remote for one behind another server`,
    { platform: machine.platform, adapter },
  )
}
