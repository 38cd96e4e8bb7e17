import type { MemorySession } from '../compose/memory-session.ts'
import { type Element, walk } from '../desktop/model/element.ts'
import type { Rect } from '../desktop/model/geometry.ts'
import { reportOracles } from '../observer/oracles.ts'
import { cover } from '../paint/picture.ts'
import { describeInfeasible, describeOracle, oracleLine } from '../scenario/describe.ts'
import { runView } from '../scenario/oracles/on-run.ts'
import { evaluateOracle, explain } from '../scenario/oracles/oracle.ts'
import { infeasibleResult } from '../scenario/oracles/report.ts'
import { judgedView } from '../scenario/run/probe-oracles.ts'
import type { Oracle, SeenOracle } from '../scenario/schema/oracles.ts'
import type { Moment, RecordedOracle, Recording } from '../viewer/model/recording.ts'
import type { RecordedWindow, TableWriter, TileWriter } from './tables.ts'

/** The tables that moments are written into. */
export interface RecordingWriters {
  readonly tables: TableWriter
  readonly tiles: TileWriter
  /** Texts that are hidden in trees and pictures. */
  readonly secrets: readonly string[]
}

/** What a moment is captured from. */
export interface CaptureSource extends Pick<MemorySession, 'session' | 'computer'> {
  readonly oracles: OracleWatch
}

/** Captures the desktop as it is now, without changing it. Times count from the start of the scenario. */
export async function captureMoment(
  { session, computer, oracles }: CaptureSource,
  { tables, tiles, secrets }: RecordingWriters,
): Promise<Moment> {
  const windows = await recordedWindows(session)
  const { run } = computer
  const picture = await session.computer.screenshot({ screen: true })
  const covered = secrets.length > 0 ? secretAreas(windows, secrets) : []
  const { clipboard } = run.desktop
  return {
    atMs: run.nowMs - run.startedAtMs,
    frame: tiles.add(covered.length > 0 ? cover(picture, covered) : picture),
    desk: tables.desk(windows),
    state: run.state,
    ...(Object.keys(run.data).length > 0 && { variables: tables.value(shortVariables(run.data)) }),
    pointer: computer.pointer().at,
    ...(clipboard !== '' && { clipboard: isSecret(clipboard, secrets) ? '<redacted>' : cut(clipboard) }),
    oracles: await oracles.states(),
  }
}

async function recordedWindows(session: MemorySession['session']): Promise<readonly RecordedWindow[]> {
  const windows: RecordedWindow[] = []
  for (const window of await session.computer.windows())
    windows.push({ ...window, tree: await session.computer.tree(window.uid) })
  return windows
}

const isSecret = (text: string | null, secrets: readonly string[]): boolean =>
  text !== null && secrets.some((secret) => text.includes(secret))

/** The boxes of elements whose name or value has a secret in it. */
const secretAreas = (windows: readonly RecordedWindow[], secrets: readonly string[]): readonly Rect[] =>
  windows
    .flatMap(({ tree }) => (tree ? [...walk(tree)] : []).filter((each) => hasSecret(each, secrets)))
    .map(({ bounds }) => bounds)

const hasSecret = ({ name, value }: Element, secrets: readonly string[]): boolean =>
  isSecret(value, secrets) || isSecret(name, secrets)

/** A longer text or variable is cut, so that a table of many records does not fill the recording. */
const MAX_VALUE_CHARACTERS = 8192

const cut = (text: string): string =>
  text.length > MAX_VALUE_CHARACTERS ? `${text.slice(0, MAX_VALUE_CHARACTERS)}…` : text

const shortened = new WeakMap<object, Readonly<Record<string, unknown>>>()

/** The variables, with the JSON of long ones cut. Computed once for the same values. */
function shortVariables(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const known = shortened.get(data)
  if (known) return known
  const short = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, shortValue(value)]))
  shortened.set(data, short)
  return short
}

function shortValue(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > MAX_VALUE_CHARACTERS ? cut(text) : value
}

/** The oracles of a run, which can be evaluated at any moment without changing it. */
interface OracleWatch {
  readonly oracles: readonly RecordedOracle[]
  /** Whether each oracle holds now; null where that needs a picture or cannot be evaluated. */
  states(): Promise<readonly (boolean | null)[]>
}

type Evaluate = () => Promise<boolean | null>

/** Watches the oracles of a desktop's scenario. */
export function watchOracles({ computer, session }: Pick<MemorySession, 'computer' | 'session'>): OracleWatch {
  const { success, failure, harm, attack, infeasible } = computer.oracles
  const entries: { readonly oracle: RecordedOracle; readonly evaluate: Evaluate }[] = []
  const add = (kind: RecordedOracle['kind'], written: readonly Oracle[]) => {
    for (const each of written)
      entries.push({ oracle: { kind, text: oracleLine(describeOracle(each)) }, evaluate: () => holds(each) })
  }
  const holds = async (oracle: Oracle): Promise<boolean | null> => {
    const view = {
      ...judgedView(computer.run),
      finish: () => session.episode.finish,
      seen: (oracle: SeenOracle) => session.episode.hasSeen(oracle),
    }
    const { passed, error_code } = await evaluateOracle(oracle, view)
    return error_code === undefined ? passed : null
  }
  const { when } = infeasible ?? {}
  const isInfeasible = typeof when === 'string' ? (runView(computer.run).heldAtStart?.(when) ?? false) : when === true
  if (infeasible && isInfeasible)
    entries.push({
      oracle: { kind: 'success', text: oracleLine(describeInfeasible(infeasible)) },
      evaluate: async () => infeasibleResult(infeasible, true, session.episode.finish)?.passed ?? false,
    })
  else add('success', success)
  add('failure', failure)
  add('harm', harm)
  add('attack', attack)
  return {
    oracles: entries.map(({ oracle }) => oracle),
    states: () => Promise.all(entries.map(({ evaluate }) => evaluate())),
  }
}

/** How a run ended, judged by all oracles of its scenario. Undefined without oracles. */
export async function judgeEnd({
  session,
  computer,
}: Pick<MemorySession, 'session' | 'computer'>): Promise<Recording['verdict']> {
  const { success, failure, infeasible } = computer.oracles
  if (success.length + failure.length === 0 && !infeasible) return undefined
  const report = await reportOracles(session.context, computer)
  const missing = report.success.filter(({ passed }) => !passed)
  const broken = report.failure.filter(({ passed }) => passed)
  const { finish } = session.episode
  return {
    success: report.reward === 1,
    score: report.score,
    end: finish ? `finished as ${finish.status}` : 'the trace ends',
    message: (broken.length > 0 ? broken : missing).map(explain).join('; '),
  }
}
