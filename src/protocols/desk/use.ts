import type { DesktopSession } from '../../observer/session/session.ts'
import type { CommandResult } from './contract.ts'

/** How an agent has used the command line. */
export interface DeskUse {
  readonly commands: number
  readonly stdout_bytes: number
  /** Actions that were repeated at once, though the same one before was performed. */
  readonly repeated: number
  /** Refusals of a ref whose element was gone, after which the agent acted successfully. */
  readonly stale_recovered: number
  /** Waits for a time instead of for something. */
  readonly fixed_waits: number
}

/** Actions that are rarely meant twice. Keys and the wheel are. */
const SINGLE = new Set(
  'click double-click right-click invoke check uncheck toggle expand collapse type fill set-value clear select drag'.split(
    ' ',
  ),
)

interface Tally {
  use: DeskUse
  /** The words of the latest command if it was an action that was performed, also without the result that was wanted. */
  performed: string | undefined
  isStale: boolean
}

const tallies = new WeakMap<DesktopSession, Tally>()
const NOTHING: DeskUse = { commands: 0, stdout_bytes: 0, repeated: 0, stale_recovered: 0, fixed_waits: 0 }

/** What agents have done with the command line in a session. */
export const deskUseOf = (session: DesktopSession): DeskUse => tallies.get(session)?.use ?? NOTHING

/** Counts a command and its result. */
export function countCommand(
  session: DesktopSession,
  argv: readonly string[],
  { stdout, stderr, exit }: CommandResult,
): void {
  const tally = tallies.get(session) ?? { use: NOTHING, performed: undefined, isStale: false }
  const words = argv.filter((word) => !word.startsWith('-'))
  const [name = ''] = words
  const isAction = SINGLE.has(name)
  const isDone = exit === 0
  const asked = words.join('\0')
  const isRecovered = isAction && isDone && tally.isStale
  const { use } = tally
  tally.use = {
    commands: use.commands + 1,
    stdout_bytes: use.stdout_bytes + Buffer.byteLength(stdout),
    repeated: use.repeated + (isAction && asked === tally.performed ? 1 : 0),
    stale_recovered: use.stale_recovered + (isRecovered ? 1 : 0),
    fixed_waits: use.fixed_waits + (name === 'wait' && /^\d+$/.test(words[1] ?? '') ? 1 : 0),
  }
  if (isAction && isDone) tally.isStale = false
  if (!isDone && /"STALE_REF"|ElementNotFound/.test(`${stdout}${stderr}`)) tally.isStale = true
  tally.performed = isAction && (isDone || stdout.includes('"delivery":"delivered_')) ? asked : undefined
  tallies.set(session, tally)
}
