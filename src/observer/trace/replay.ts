import { type Awaitable, andThen } from '../../base/async.ts'
import { isTooDeep } from '../../base/external-values.ts'
import { Fault } from '../../base/fault.ts'
import type { IdSource } from '../../base/ids.ts'
import { LruCache } from '../../base/lru-cache.ts'
import { type AuthoredFaults, checkFaults } from '../../scenario/faults/catalogue.ts'
import { checkChoices } from '../../scenario/variants/axes.ts'
import type { VariantChoices } from '../../scenario/variants/axis.ts'
import type { DesktopContext, SeenRecord } from '../desktop-context.ts'
import { type CallOutcome, isToolArguments, type PassesOn, type ToolResult } from '../result.ts'
import { captureScreen } from '../screen/screen-state.ts'
import { type Difference, type RecordedInventory, readInventories } from './inventory.ts'
import { focusedTreeHash, type PlayedVariant } from './trace.ts'
import { summarizeResult, type TraceRow } from './trace-row.ts'
import { addressById, compareAnswers, compareElements, currentIds, withCurrentId } from './verify.ts'
import { REDACTED } from './withheld.ts'

export type ReplayMode = 'execute' | 'verify'
/** `stop` ends at the first divergence, `warn` continues, `resume` skips rows until the screen matches the recording. */
export type OnDivergence = 'stop' | 'warn' | 'resume'

interface Divergence {
  readonly step_id: number
  readonly trace_seq: number
  readonly tool: string
  readonly differences: readonly Difference[]
}

interface Replay {
  readonly id: string
  readonly mode: ReplayMode
  readonly onDivergence: OnDivergence
  readonly label: string
  readonly rows: readonly TraceRow[]
  readonly inventories: ReadonlyMap<number, RecordedInventory>
  readonly withheld: ReadonlyMap<string, unknown>
  /** Whether rows name what the agent had seen before their call. */
  readonly notesSeen: boolean
  /** The tokens of the replay by recorded token. */
  readonly tokens: Map<string, string>
  readonly divergences: Divergence[]
  /** The differences of elements that were reported already, so that one renamed button is one divergence. */
  readonly reported: Set<string>
  confirmToken: string | undefined
  position: number
  finished: boolean
  lost: boolean
  skipped: number
}

/** The parts of a tool call that a replay needs. */
export interface ReplayCall {
  readonly context: DesktopContext & { readonly episode: SeenRecord }
  /** Calls a tool through all gates. */
  readonly call: (name: string, args: unknown, audience: undefined, passesOn: PassesOn) => Awaitable<CallOutcome>
}

const MAX_ROWS = 100_000
/** The longest line of a trace, in characters. */
const MAX_LINE_LENGTH = 16 * 1024 * 1024
const SUMMARY_SHOWN = ['ok', 'step_id', 'action', 'changed', 'matched_index', 'effective_mode'] as const

export interface ReplayRequest {
  readonly text: string
  readonly path: string
  readonly mode: ReplayMode
  readonly onDivergence: OnDivergence
  /** The values that the trace hides, by `sequence.key`. */
  readonly bindings: Readonly<Record<string, unknown>>
}

/** The replays of a session. They repeat recorded calls and compare the results. */
export class Replays {
  readonly #ids: IdSource
  readonly #held = new LruCache<string, Replay>(16)

  constructor(ids: IdSource) {
    this.#ids = ids
  }

  /** Opens a trace. `restart` is called with its variant, if it was recorded in one. */
  start(
    request: ReplayRequest,
    withheld: ReadonlyMap<string, unknown>,
    restart: (played: PlayedVariant) => Awaitable<void>,
  ): Awaitable<ToolResult> {
    const { label, header, rows, missing: incomplete, inventories, played } = parseTrace(request.text, request.path)
    const known = new Map([...withheld, ...Object.entries(request.bindings)])
    const missing = rows.flatMap((row) => hiddenPaths(row).filter((path) => !known.has(path)))
    if (missing.length > 0)
      throw new Fault(
        'BadRequest',
        `the trace hides ${missing.length} values; give them as bindings, e.g. {"${missing[0]}": "…"}`,
        { field: 'bindings', missing: missing.slice(0, 20) },
      )
    const replay: Replay = {
      id: `rep:${this.#ids.hex(8)}`,
      mode: request.mode,
      onDivergence: request.onDivergence,
      label,
      rows,
      inventories,
      withheld: known,
      notesSeen: header.notes_seen === true,
      tokens: new Map(),
      divergences: [],
      reported: new Set(),
      confirmToken: undefined,
      position: 0,
      finished: rows.length === 0,
      lost: false,
      skipped: 0,
    }
    return andThen(played && restart(played), () => {
      this.#held.set(replay.id, replay)
      return {
        replay_id: replay.id,
        total: rows.length,
        mode: replay.mode,
        label: replay.label,
        ...(incomplete !== undefined && { warning: incomplete }),
      }
    })
  }

  status(id: string): ToolResult {
    const replay = this.#get(id)
    const { position, finished, mode, divergences, skipped } = replay
    return {
      replay_id: id,
      position,
      total: replay.rows.length,
      finished,
      mode,
      skipped,
      divergences: [...divergences],
    }
  }

  stop(id: string): ToolResult {
    this.#get(id)
    this.#held.delete(id)
    return { replay_id: id, stopped: true }
  }

  /** Repeats the next recorded call. */
  async step(id: string, { call, context }: ReplayCall): Promise<ToolResult> {
    const replay = this.#get(id)
    const row = replay.rows[replay.position]
    const base = { replay_id: replay.id, total: replay.rows.length }
    if (!row || replay.finished) return { ...base, finished: true, position: replay.position }
    replay.position++
    replay.finished = replay.position === replay.rows.length
    const before = await captureScreen(context)
    if (replay.lost && row.tree_hash_before !== focusedTreeHash(before)) {
      replay.skipped++
      const { position, finished } = replay
      return { ...base, tool: row.tool, position, finished, skipped: true, divergence: null }
    }
    replay.lost = false
    const verifying = replay.mode === 'verify'
    const recorded = replay.inventories.get(row.elements_before ?? 0)
    const moved = verifying ? compareElements(recorded, before) : []
    const ids = currentIds(recorded, before)
    const bound = withCurrentId(this.#bind(replay, row), ids)
    const args = addressById(bound, row, moved, ids)
    noteSeenBefore(row, context)
    const { body } = await call(row.tool, args, undefined, passesOn(replay, row))
    this.#learn(replay, row, body)
    const summary = summarizeResult(body)
    const differences = verifying ? await this.#verify(replay, row, context, moved, summary, args !== bound) : []
    if (differences.length > 0) this.#diverge(replay, row, differences)
    return {
      ...base,
      tool: row.tool,
      position: replay.position,
      finished: replay.finished,
      divergence: differences.length > 0 ? differences : null,
      actual_summary: Object.fromEntries(
        SUMMARY_SHOWN.filter((key) => summary[key] !== undefined).map((key) => [key, summary[key]]),
      ),
    }
  }

  /** The differences of the elements that are news, then those of the answer. */
  async #verify(
    replay: Replay,
    row: TraceRow,
    context: DesktopContext,
    before: readonly Difference[],
    summary: ToolResult,
    askedById: boolean,
  ): Promise<readonly Difference[]> {
    const after = compareElements(replay.inventories.get(row.elements_after ?? 0), await captureScreen(context))
    const news = [...before, ...after].filter((difference) => {
      const word = JSON.stringify(difference)
      if (replay.reported.has(word)) return false
      replay.reported.add(word)
      return true
    })
    const answer = compareAnswers(row, summary).filter(({ path }) => {
      if (path === 'target.selector') return !askedById
      // The hash covers the names; what they differ in has been reported above.
      return path !== 'tree_hash' || (before.length === 0 && after.length === 0)
    })
    return [...news, ...answer]
  }

  #diverge(replay: Replay, row: TraceRow, differences: readonly Difference[]): void {
    const { step_id, trace_seq, tool } = row
    replay.divergences.push({ step_id, trace_seq, tool, differences })
    if (replay.onDivergence === 'stop') replay.finished = true
    if (replay.onDivergence === 'resume') replay.lost = true
  }

  /** The recorded arguments with the hidden values, tokens and confirmations of this run. */
  #bind(replay: Replay, row: TraceRow): Record<string, unknown> {
    if (row.args.__truncated === true) return replay.withheld.get(`${row.trace_seq}`) as Record<string, unknown>
    return restore(row.args, `${row.trace_seq}`, replay) as Record<string, unknown>
  }

  #learn(replay: Replay, row: TraceRow, body: ToolResult): void {
    for (const key of ['tree_token', 'snapshot_id']) {
      const recorded = row.result_summary[key]
      const actual = body[key]
      if (typeof recorded === 'string' && typeof actual === 'string') replay.tokens.set(recorded, actual)
    }
    if (typeof body.confirm_token === 'string') replay.confirmToken = body.confirm_token
  }

  #get(id: string): Replay {
    const replay = this.#held.get(id)
    if (!replay) throw new Fault('BadRequest', `there is no replay ${JSON.stringify(id)}`, { replay_id: id })
    return replay
  }
}

/** Notes the oracles whose element the agent of the trace had seen before a call. */
function noteSeenBefore({ seen }: TraceRow, { computer, episode }: ReplayCall['context']): void {
  const { oracles, stepCount = 0 } = computer.simulation ?? {}
  for (const place of Array.isArray(seen) ? seen : []) {
    const oracle = oracles?.seen[place]
    if (oracle) episode.noteSeen(oracle, stepCount)
  }
}

/** What of the answer of a repeated call counts as seen. The rows tell it, except for the answer of the last one. */
function passesOn({ notesSeen, finished }: Replay, { door_call }: TraceRow): PassesOn {
  if (!notesSeen) return 'everything'
  if (!finished) return 'nothing'
  return door_call ? 'pictures' : 'everything'
}

function restore(value: unknown, path: string, replay: Replay): unknown {
  if (value === REDACTED) {
    if (path.endsWith('.confirm_token') && replay.confirmToken !== undefined) return replay.confirmToken
    return replay.withheld.get(path)
  }
  if (typeof value === 'string') return replay.tokens.get(value) ?? value
  if (Array.isArray(value)) return value.map((item, index) => restore(item, `${path}.${index}`, replay))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, restore(inner, `${path}.${key}`, replay)]),
  )
}

/** The paths of hidden values of a row, except confirmation tokens, which a replay proposes again. */
export function hiddenPaths(row: TraceRow): readonly string[] {
  if (row.args.__truncated === true) return [`${row.trace_seq}`]
  const paths: string[] = []
  const look = (value: unknown, path: string): void => {
    if (value === REDACTED && !path.endsWith('.confirm_token')) paths.push(path)
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) look(inner, `${path}.${key}`)
  }
  look(row.args, `${row.trace_seq}`)
  return paths
}

/** A trace that was read. */
export interface RecordedTrace {
  readonly label: string
  /** The fields of the header, as they are written. */
  readonly header: Readonly<Record<string, unknown>>
  readonly rows: readonly TraceRow[]
  /** What is missing in the trace, in words. Undefined if it is complete, as far as it says. */
  readonly missing: string | undefined
  /** The fields of the footer. Undefined without one. */
  readonly footer: Readonly<Record<string, unknown>> | undefined
  /** A remark on a trace without a footer, which does not say how many calls it should have. */
  readonly unended: string | undefined
  readonly inventories: ReadonlyMap<number, RecordedInventory>
  /** The scenario of the trace, if it is in a variant. */
  readonly played: PlayedVariant | undefined
}

/** Reads a trace. Throws `BadRequest` if it is none, and for rows that are too many, too long or nested too deep. */
export function parseTrace(text: string, path: string): RecordedTrace {
  let header: Readonly<Record<string, unknown>> | undefined
  let played: PlayedVariant | undefined
  const rows: TraceRow[] = []
  const inventories: Record<string, unknown>[] = []
  let footer: Readonly<Record<string, unknown>> | undefined
  // Editors may add a byte order mark.
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.length > MAX_LINE_LENGTH)
      throw lineFault(path, index, `has ${line.length} characters; at most ${MAX_LINE_LENGTH} are read`)
    const row = parseLine(line)
    if (isTooDeep(row)) throw lineFault(path, index, 'is nested too deep')
    if (row?.type === 'header') {
      header = row
      played = playedIn(row)
    }
    if (row?.type === 'footer') footer = row
    // Traces of earlier versions have inventories on separate lines.
    if (row?.type === 'elements') inventories.push(row)
    if (row && Array.isArray(row.elements)) inventories.push(...row.elements.filter(isToolArguments))
    if (row && typeof row.tool === 'string' && typeof row.args === 'object' && row.args !== null)
      rows.push({ ...row, result_summary: isToolArguments(row.result_summary) ? row.result_summary : {} } as TraceRow)
    if (rows.length > MAX_ROWS)
      throw new Fault('BadRequest', `the trace has more than ${MAX_ROWS} rows`, { field: 'path' })
  }
  if (!header) throw new Fault('BadRequest', `${JSON.stringify(path)} is not a trace: it has no header line`)
  const label = typeof header.label === 'string' ? header.label : ''
  const missing = missingCalls(rows, footer)
  return {
    label,
    header,
    rows,
    missing,
    footer,
    unended: footer ? undefined : UNENDED,
    inventories: readInventories(inventories),
    played,
  }
}

const UNENDED =
  'the trace has no footer: it was not stopped, or its end is lost, so that calls after the last one may be missing'

/** What a trace lacks, in words: by its footer, and by gaps in the numbers of its rows. */
export function missingCalls(
  rows: readonly { readonly trace_seq?: unknown }[],
  footer: Readonly<Record<string, unknown>> | undefined,
): string | undefined {
  const lost = typeof footer?.lost_rows === 'number' ? footer.lost_rows : 0
  const said = typeof footer?.step_count === 'number' ? footer.step_count + lost : 0
  const numbers = rows.map(({ trace_seq }) => trace_seq).filter((number) => Number.isSafeInteger(number)) as number[]
  const calls = numbers.reduce((most, number) => Math.max(most, number), said)
  const missing = calls - rows.length
  if (missing > 0)
    return `${missing} of ${calls} recorded calls are missing in the trace, so that what is shown and compared is not the whole run`
  if (footer && said < rows.length)
    return `the footer of the trace names ${said} calls, and it has ${rows.length}; lines were added or it was joined from several`
  return undefined
}

const lineFault = (path: string, index: number, problem: string): Fault =>
  new Fault('BadRequest', `line ${index + 1} of ${JSON.stringify(path)} ${problem}`, { field: 'path' })

/** The variant and the faults of a header. Undefined for a trace of a scenario as its file is, and for what is not a variant. */
function playedIn({ scenario, seed, variant, faults }: Readonly<Record<string, unknown>>): PlayedVariant | undefined {
  if (typeof scenario !== 'string' || !Number.isSafeInteger(seed) || !isToolArguments(variant)) return undefined
  const isText = Object.values(variant).every((value) => typeof value === 'string')
  if (!isText) return undefined
  const played = { scenario, seed: seed as number, variant: checkChoices(variant as VariantChoices) }
  return Array.isArray(faults) ? { ...played, faults: checkFaults(faults as AuthoredFaults) } : played
}

/** Returns undefined for an invalid line, such as one cut off when the process was killed. */
function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const row: unknown = JSON.parse(line)
    return typeof row === 'object' && row !== null && !Array.isArray(row) ? (row as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
