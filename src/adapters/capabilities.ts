/** What a computer may be able to do: the name that clients see, and what it means. */
export const COMPUTER_CAPABILITIES = {
  accessibility_tree: 'element trees',
  native_actions: "the elements' own actions and values",
  screenshots: 'screenshots of windows and of the screen',
  stacking_order: 'positions and stacking order of windows',
  raise_windows: 'raising windows',
  pointer: 'clicks, hovering, the wheel',
  drag: 'dragging',
  keyboard: 'text and keys',
  primitive_input: 'held buttons and keys, paths, five buttons, clicks with modifiers, the wheel sideways',
  clipboard: 'reading and replacing the clipboard',
  files: 'reading and writing files',
  simulation: 'scenarios, virtual time, fork, rewind, reset, oracles',
  annotations: 'annotations of screenshots',
} as const satisfies Readonly<Record<string, string>>

export type ComputerCapability = keyof typeof COMPUTER_CAPABILITIES

/** For each capability true, or the reason why the computer does not have it. */
export type Capabilities = Readonly<Record<ComputerCapability, true | string>>

/** All capabilities but those with a reason. */
export const capabilitiesWithout = (
  reasons: Readonly<Partial<Record<ComputerCapability, string>>> = {},
): Capabilities => ({ ...ALL, ...reasons }) as Capabilities

const ALL = Object.fromEntries(Object.keys(COMPUTER_CAPABILITIES).map((name) => [name, true]))

/** What a computer cannot do, with the reasons. */
export const missingCapabilities = (supports: Capabilities): Readonly<Partial<Record<ComputerCapability, string>>> =>
  Object.fromEntries(Object.entries(supports).filter(([, reason]) => reason !== true))

/** Why a real desktop lacks what only a scenario has. */
export const REAL_DESKTOP_LIMITS = {
  clipboard: 'the clipboard of this platform is reached by the keys of copy and paste only',
  files: "the files of a real desktop are a person's",
  simulation: 'a real desktop has no scenario, and its time cannot be moved or taken back',
  annotations: 'annotations need a synthetic desktop, whose painter knows the area of each element',
} as const satisfies Readonly<Partial<Record<ComputerCapability, string>>>

/** The result of checking one prerequisite. */
export interface DoctorCheck {
  readonly subject: string
  /** `bad`: a feature does not work. `note`: a limitation or a hint. */
  readonly verdict: 'good' | 'bad' | 'note'
  readonly found: string
  /** The remedy. */
  readonly fix?: string
}

/** A check without a fault. */
export const good = (subject: string, found: string): DoctorCheck => ({ subject, verdict: 'good', found })
/** A check that stops something from working. */
export const bad = (subject: string, found: string, fix: string): DoctorCheck => ({
  subject,
  verdict: 'bad',
  found,
  fix,
})
/** A check that is worth knowing. */
export const note = (subject: string, found: string, fix: string): DoctorCheck => ({
  subject,
  verdict: 'note',
  found,
  fix,
})

/** Asks a person whether to do what the lines explain. */
export type Confirm = (lines: readonly string[]) => Promise<boolean>

/** What a repair may use. */
export interface RepairOptions {
  readonly confirm: Confirm
  /** Where what Backlot brings along is. */
  readonly packageFolder: string
}
