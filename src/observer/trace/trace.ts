import { Fault } from '../../base/fault.ts'
import type { IdSource } from '../../base/ids.ts'
import { treeHash } from '../../desktop/tree/hash.ts'
import type { ChosenFault, FiredFault } from '../../scenario/faults/fault-kind.ts'
import type { SeenOracle } from '../../scenario/schema/oracles.ts'
import type { VariantChoices } from '../../scenario/variants/axis.ts'
import type { Folder, LineFile, OutputDirectory } from '../../stores/folder.ts'
import type { Instant, RecordingContext } from '../desktop-context.ts'
import { type IsSecret, type SentAs, secretNames } from '../policies/secrets.ts'
import type { ToolArguments, ToolResult } from '../result.ts'
import { captureScreen, type ScreenState, UNKNOWN_SCREEN } from '../screen/screen-state.ts'
import type { Settings } from '../settings.ts'
import { InventoryLog } from './inventory.ts'
import { type LostWrites, type RecordName, whyUnwritten } from './lost-writes.ts'
import { SidecarFiles, type SidecarName, type TracedEvent } from './sidecar-files.ts'
import { type DoorCall, isoMicro, summarizeResult, type TraceRow } from './trace-row.ts'
import { REDACTED, recordableArguments, type WithheldValues, withinBytes, withoutSecretValues } from './withheld.ts'

/** A scenario in a variant or with faults, as the header of a trace names it. */
export interface PlayedVariant {
  readonly scenario: string
  readonly seed: number
  readonly variant: VariantChoices
  /** The faults that were added to those of the scenario. */
  readonly faults?: readonly ChosenFault[]
}

/** The scenario of a trace. Only a trace in a variant, or with faults, has a variant; a replay then restarts in it. */
export type TracedScenario = Omit<PlayedVariant, 'variant'> &
  Partial<Pick<PlayedVariant, 'variant'>> & {
    readonly scenario_hash?: string
    /** Rows name what the agent has seen. */
    readonly notes_seen?: true
  }

export interface RecordedCall {
  readonly tool: { readonly name: string }
  readonly args: ToolArguments
  /** The names of the arguments that the tool does not know. Their values may be misspelt secrets. */
  readonly ignored: readonly string[]
  readonly sentAs: SentAs
  readonly caller: string
  readonly started: Instant
  readonly body: ToolResult
  readonly door?: DoorCall | undefined
}

interface ActiveTrace {
  readonly id: string
  readonly label: string
  readonly started: Instant
  readonly directory: OutputDirectory
  readonly file: LineFile
  readonly inventories: InventoryLog
  readonly sidecars: SidecarFiles
  /** The rows that were written. */
  rows: number
  /** The number of the last call, whether its row was written or not. */
  calls: number
  /** The rows that could not be written, and why the last of them could not. Calls that still run are not among them. */
  lost: { readonly count: number; readonly why: string } | undefined
  /** The firings of faults that rows have named. */
  firings: number
  /** The oracles of the kind `seen` that rows have named. */
  seen: readonly SeenOracle[]
}

export interface TracerOptions {
  readonly settings: Settings['tracing']
  readonly directory: OutputDirectory
  readonly ids: IdSource
  /** The version of this program, for the header. */
  readonly version: string
  /** Keeps the values that are written as `<redacted>` or cut, so that this process can replay its own traces. */
  readonly withheld: WithheldValues
  readonly lostWrites: LostWrites
  /** The id of the session. Only this session may replay the withheld values of its traces. */
  readonly owner: string
}

/** Writes one trace at a time, a line per call at once, so that a killed process leaves a readable trace. */
export class Tracer {
  readonly #parts: TracerOptions
  readonly #settings: Settings['tracing']
  readonly #isSecret: IsSecret
  #active: ActiveTrace | undefined

  constructor(parts: TracerOptions) {
    this.#parts = parts
    this.#settings = parts.settings
    this.#isSecret = secretNames(parts.settings.redact_keys)
  }

  get active(): boolean {
    return this.#active !== undefined
  }

  /** `scenario` is that of the desktop, if it has one. */
  start(label: string, started: Instant, scenario?: TracedScenario): ToolResult {
    if (this.#active)
      throw new Fault('BadRequest', 'a trace is active; stop it with trace_stop first', { trace_id: this.#active.id })
    const id = `trace-${this.#parts.ids.hex(8)}`
    const directory = this.#parts.directory.subdirectory(id)
    const file = directory.lines('trace.jsonl')
    append(file, {
      type: 'header',
      trace_id: id,
      label,
      started_at: isoMicro(started.operatorMs),
      desktop_started_at: isoMicro(started.scenarioMs),
      tool_version: this.#parts.version,
      ...scenario,
    })
    const onLost = (name: SidecarName, thrown: unknown) => this.#parts.lostWrites.note(SIDECAR_RECORDS[name], thrown)
    const sidecars = new SidecarFiles({ directory, isSecret: this.#isSecret, onLost })
    this.#active = {
      id,
      label,
      started,
      directory,
      file,
      inventories: new InventoryLog(),
      sidecars,
      rows: 0,
      calls: 0,
      lost: undefined,
      firings: 0,
      seen: [],
    }
    return {
      trace_id: id,
      started_at: started.operatorMs / 1000,
      desktop_started_at: started.scenarioMs / 1000,
      dir: directory.path,
    }
  }

  /** Ends the trace; undefined when none was active. Throws `StorageFailed` when a part of it could not be written. */
  stop(stopped: Instant): ToolResult | undefined {
    const active = this.#active
    if (!active) return undefined
    const lost = active.calls - active.rows
    const about = { step_count: active.rows, ...durations(active.started, stopped) }
    const { operatorMs, scenarioMs } = stopped
    this.#active = undefined
    active.sidecars.flush()
    const ended = { stopped_at: isoMicro(operatorMs), desktop_stopped_at: isoMicro(scenarioMs) }
    append(active.file, {
      type: 'footer',
      ...ended,
      ...about,
      ...(lost > 0 && { lost_rows: lost }),
      ...active.sidecars.counts,
    })
    assertWritten(active)
    return { trace_id: active.id, path: active.file.path, ...about }
  }

  /** Ends the trace, if one is active, and forgets the withheld values of the session. */
  close(now: Instant): void {
    try {
      this.stop(now)
    } catch (thrown) {
      if (!(thrown instanceof Fault)) throw thrown
      this.#parts.lostWrites.note('trace', thrown.cause)
    }
    this.#parts.withheld.forget(this.#parts.owner)
  }

  /** The number of rows of the active trace; 0 without one. */
  get rows(): number {
    return this.#active?.rows ?? 0
  }

  /** The number of arguments that the rows of the active trace have hidden. */
  get hiddenCount(): number {
    return this.#active?.sidecars.hiddenCount ?? 0
  }

  /** Whether requests beside the active trace are written without the value of a name. */
  hidesName(name: string): boolean {
    return this.#isSecret(name) || (this.#active?.sidecars.hidesName(name) ?? false)
  }

  /**
   * Writes a line into a file beside the active trace, such as `model.jsonl`. Listed names are hidden as in rows, and so are
   * texts that the trace has hidden. Without an active trace nothing is written.
   */
  note(name: SidecarName, fields: ToolResult): void {
    this.#active?.sidecars.note(name, fields)
  }

  /**
   * Writes an event of an agent protocol into `events.jsonl` beside the active trace, with both times. Without an active
   * trace nothing is written.
   */
  noteEvent(event: TracedEvent, now: Instant): void {
    this.#active?.sidecars.event(event, this.rows, now)
  }

  /** Throws `StorageFailed` when a row of the active trace could not be written. */
  status(): ToolResult {
    const active = this.#active
    if (active) assertWritten(active)
    return { active_trace_id: active?.id ?? null, step_count: active?.rows ?? 0, dir: active?.directory.path ?? null }
  }

  /** The values that this process withheld from the trace at `path`, by `sequence.key`. */
  withheld(path: string, folder: Folder): ReadonlyMap<string, unknown> {
    return this.#parts.withheld.from(this.#parts.owner, (file) => isSameFile(folder, file, path))
  }

  /** Captures the screen before a call. Returns undefined without an active trace. */
  async begin(context: RecordingContext): Promise<ScreenState | undefined> {
    if (!this.#active) return undefined
    try {
      return await captureScreen(context)
    } catch (thrown) {
      context.report(thrown, 'trace')
      return UNKNOWN_SCREEN
    }
  }

  /** Records a call. Errors are reported to the operator and do not affect the call. */
  async record(context: RecordingContext, before: ScreenState, recorded: RecordedCall): Promise<void> {
    const active = this.#active
    if (!active) return
    try {
      await this.#write(context, active, before, recorded)
    } catch (thrown) {
      active.lost = { count: (active.lost?.count ?? 0) + 1, why: whyUnwritten(thrown) }
      this.#parts.lostWrites.note('trace', thrown)
      context.report(thrown, 'trace')
    }
  }

  async #write(
    context: RecordingContext,
    active: ActiveTrace,
    before: ScreenState,
    recorded: RecordedCall,
  ): Promise<void> {
    const sequence = ++active.calls
    const now = context.now()
    const after = await captureScreen(context)
    const { args, sentAs } = recorded
    const uid = windowOfResult(recorded.body)
    const [inventoryBefore, inventoryAfter] = [noteInventory(active, uid, before), noteInventory(active, uid, after)]
    const elements = [inventoryBefore?.written, inventoryAfter?.written].filter((each) => each !== undefined)
    const recordable = this.#recordable(args, sentAs, sequence, active)
    active.sidecars.hideNames(recorded.ignored)
    const isHiding = recorded.ignored.length > 0 || JSON.stringify(recordable).includes(REDACTED)
    const row: TraceRow = {
      step_id: typeof recorded.body.step_id === 'number' ? recorded.body.step_id : sequence,
      trace_seq: sequence,
      ts: isoMicro(now.operatorMs),
      desktop_ts: isoMicro(now.scenarioMs),
      caller: recorded.caller,
      tool: recorded.tool.name,
      args: recordable,
      ...(recorded.door && { door_call: this.#doorCall(recorded.door, isHiding) }),
      result_summary: summarizeResult(recorded.body),
      tree_hash_before: focusedTreeHash(before),
      tree_hash_after: focusedTreeHash(after),
      ...durations(recorded.started, now),
      ...(inventoryBefore && { elements_before: inventoryBefore.number }),
      ...(inventoryAfter && { elements_after: inventoryAfter.number }),
      ...(elements.length > 0 && { elements }),
      ...firedIn(active, context.computer.simulation?.firedFaults ?? []),
      ...seenIn(active, context),
      ...(await this.#screenshots(context, active, sequence, uid ?? args.window_uid)),
    }
    // A trace that was stopped meanwhile has its footer, which counts this call as missing.
    if (this.#active !== active) return
    active.file.append(JSON.stringify(row))
    active.rows++
  }

  /** The arguments to write. Omitted values are kept in memory, within its limit. */
  #recordable(args: ToolArguments, sentAs: SentAs, sequence: number, active: ActiveTrace): ToolArguments {
    const recordable = recordableArguments(args, sentAs, this.#isSecret, this.#settings.max_args_bytes)
    const { owner, withheld: store } = this.#parts
    const { path: file } = active.file
    active.sidecars.hide(recordable.withheld.values())
    if (recordable.isTruncated) store.keep({ owner, file, place: `${sequence}`, value: args })
    else
      for (const [path, value] of recordable.withheld) store.keep({ owner, file, place: `${sequence}.${path}`, value })
    return recordable.args
  }

  /** The call in the dialect of its door. It may hold the value of a hidden argument under any name. */
  #doorCall({ door, call }: DoorCall, hidesArguments: boolean): DoorCall {
    if (hidesArguments) return { door, call: REDACTED }
    const withholding = { path: 'call', withheld: new Map(), isSecret: this.#isSecret }
    return { door, call: withinBytes(withoutSecretValues('call', call, withholding), this.#settings.max_args_bytes) }
  }

  async #screenshots(context: RecordingContext, active: ActiveTrace, sequence: number, uid: unknown) {
    const every = this.#settings.screenshot_every_n_actions
    if (every === 0 || (sequence !== 1 && sequence % every !== 0)) return {}
    const number = String(sequence).padStart(5, '0')
    const refs: { screenshot_full_ref?: string; screenshot_window_ref?: string } = {}
    try {
      const full = await context.computer.screenshot({ screen: true })
      refs.screenshot_full_ref = `screenshots/step-${number}-full.png`
      active.directory.writeBytes(refs.screenshot_full_ref, await full.png())
      if (typeof uid !== 'string') return refs
      const window = await context.computer.screenshot({ window: uid })
      refs.screenshot_window_ref = `screenshots/step-${number}-window.png`
      active.directory.writeBytes(refs.screenshot_window_ref, await window.png())
    } catch (thrown) {
      // A window that has just been closed has no picture.
      if (!(thrown instanceof Fault)) throw thrown
    }
    return refs
  }
}

/** The faults that have fired since the row before. */
function firedIn(active: ActiveTrace, fired: readonly FiredFault[]): Pick<TraceRow, 'faults_fired'> {
  // After a reset there are fewer.
  const seen = active.firings > fired.length ? 0 : active.firings
  active.firings = fired.length
  return fired.length === seen ? {} : { faults_fired: fired.slice(seen).map(({ fault, step }) => ({ fault, step })) }
}

/** The oracles of the kind `seen` whose element the agent saw since the row before. */
function seenIn(active: ActiveTrace, { computer, episode }: RecordingContext): Pick<TraceRow, 'seen'> {
  const oracles = computer.simulation?.oracles.seen ?? []
  const seen = oracles.filter((oracle) => episode.hasSeen(oracle))
  const news = seen.filter((oracle) => !active.seen.includes(oracle))
  // After a reset or a rewind there are fewer.
  active.seen = seen
  return news.length === 0 ? {} : { seen: news.map((oracle) => oracles.indexOf(oracle)) }
}

/** The name of each sidecar file in messages. */
const SIDECAR_RECORDS = {
  wire: 'wire log',
  model: 'model log',
  events: 'event log',
} as const satisfies Record<SidecarName, RecordName>

/** Throws `StorageFailed` when a row of a trace could not be written. */
function assertWritten({ id, file, directory, rows, calls, lost }: ActiveTrace): void {
  if (lost === undefined) return
  throw new Fault(
    'StorageFailed',
    `${lost.count} of ${calls} calls are missing in the trace, because they could not be written: ${lost.why}`,
    { trace_id: id, path: file.path, dir: directory.path, step_count: rows },
  )
}

/** Throws `StorageFailed` when the line cannot be written. */
function append(file: LineFile, line: object): void {
  try {
    file.append(JSON.stringify(line))
  } catch (thrown) {
    const message = `the trace cannot be written to the configured trace folder: ${whyUnwritten(thrown)}`
    const fault = new Fault('StorageFailed', message, { path: file.path })
    fault.cause = thrown
    throw fault
  }
}

/** The window that a result concerns. */
function windowOfResult(body: ToolResult): string | undefined {
  const { target, observation } = body as Readonly<Record<string, { window_uid?: unknown } | undefined>>
  const uid = body.window_uid ?? observation?.window_uid ?? target?.window_uid
  return typeof uid === 'string' ? uid : undefined
}

/** Whether a written path is the same file as a resolved path. */
function isSameFile(folder: Folder, written: string, resolved: string): boolean {
  try {
    return folder.resolve(written, 'trace') === resolved
  } catch (thrown) {
    if (thrown instanceof Fault) return false
    throw thrown
  }
}

/** Records the inventory of a window. */
function noteInventory({ inventories }: ActiveTrace, uid: string | undefined, { trees }: ScreenState) {
  const tree = uid === undefined ? undefined : trees.get(uid)
  return uid === undefined || !tree ? undefined : inventories.note(uid, tree)
}

/** The duration on both clocks. */
const durations = (from: Instant, to: Instant) => ({
  duration_ms: to.operatorMs - from.operatorMs,
  desktop_duration_ms: to.desktopMs - from.desktopMs,
})

/** The hash of the focused window's tree; null when there is none. */
export function focusedTreeHash({ windows, trees }: ScreenState): string | null {
  const window = windows.find((each) => each.focused) ?? windows[0]
  const tree = window && trees.get(window.uid)
  return tree ? treeHash(tree) : null
}
