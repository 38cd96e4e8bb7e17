import { createHash } from 'node:crypto'
import { screenArea } from '../../adapters/computer.ts'
import { Fault } from '../../base/fault.ts'
import { type DescribedOracle, describeInfeasible, describeOracle } from '../../scenario/describe.ts'
import type { OracleResult } from '../../scenario/oracles/report.ts'
import type { Oracle } from '../../scenario/schema/oracles.ts'
import type { OutputDirectory } from '../../stores/folder.ts'
import type {
  LiveEpisode,
  LiveFileText,
  LiveOracle,
  LiveOracles,
  LivePicture,
  LivePointer,
  LiveScenario,
  LiveScreen,
  LiveStorage,
  LiveWindow,
} from '../../viewer/model/live.ts'
import { assertToolAllowed, isToolAllowed } from '../gates/allowlist.ts'
import { reportOracles } from '../oracles.ts'
import { findTool } from '../registry.ts'
import { readTrees } from '../screen/screen-trees.ts'
import type { DesktopSession } from '../session/session.ts'
import type { ContextOf, ToolContext } from '../tool-context.ts'
import { base64Of } from '../tools/pictures.ts'
import { readDiskText } from '../tools/storage.ts'
import { sanitize, toWireElement } from '../wire.ts'
import { liveCalls } from './live-calls.ts'

/** What a page has already. */
export interface LiveScreenRequest {
  /** The version of its picture, and of its windows. */
  readonly version?: string | undefined
  readonly windowsVersion?: string | undefined
  /** The sequence of the latest call that it knows. */
  readonly callsAfter?: number | undefined
}

/**
 * Everything that the live entrance shows of a session. It is not a call: it uses no step, budget or planned fault, moves no
 * clock, and leaves tokens, traces and the course of the run unchanged. Parts whose tools the operator denies are absent.
 */
export async function liveScreen(session: DesktopSession, request: LiveScreenRequest): Promise<LiveScreen> {
  const { context } = session
  const { computer } = context
  const denied = DEMANDED.filter((name) => !isToolAllowed(findTool(name)!, context.settings))
  const windows = denied.includes('get_window_structure') ? [] : await windowsOf(context)
  const picture = denied.includes('get_screenshot') ? undefined : await pictureOf(context)
  const version = digest(picture ? [picture.data, picture.area] : [])
  const windowsVersion = digest(windows)
  const isJudged = !denied.includes('session_info')
  return sanitize({
    ok: true,
    session: session.id,
    synthetic: computer.info.synthetic,
    clock: context.clock.virtual ? 'virtual' : 'real',
    denied,
    version,
    ...(picture && version !== request.version && { picture }),
    windows_version: windowsVersion,
    ...(windowsVersion !== request.windowsVersion && { windows }),
    pointer: await pointerOf(context),
    scenario: isJudged ? scenarioOf(context) : null,
    oracles: isJudged ? await liveOracles(context) : null,
    episode: episodeOf(context),
    storage: await liveStorage(context, denied),
    calls: isJudged ? liveCalls(session, request.callsAfter ?? 0) : [],
    last_call: session.callLog.lastSequence,
    fired: isJudged ? (context.redaction.journal?.fired ?? []) : [],
  })
}

/** The tools that return the same parts. */
const DEMANDED = ['get_screenshot', 'get_window_structure', 'session_info', 'get_clipboard', 'list_disk_files'] as const

const digest = (value: unknown): string => createHash('sha1').update(JSON.stringify(value)).digest('hex')

/** All windows front to back with their trees. */
async function windowsOf(context: ToolContext): Promise<readonly LiveWindow[]> {
  const windows = await context.computer.windows()
  const { trees, unavailable } = await readTrees(context, windows, { isBackground: ({ focused }) => !focused })
  return windows.map(({ uid, title, process, bounds, focused, popupOf }) => {
    const tree = trees.get(uid)
    return {
      uid,
      title,
      process,
      bounds,
      focused,
      ...(popupOf !== undefined && { popupOf }),
      ...(tree && { tree: toWireElement(tree) }),
      ...(unavailable.has(uid) && { unavailable: true }),
    }
  })
}

async function pictureOf({ computer }: ToolContext): Promise<LivePicture> {
  const picture = await computer.screenshot({ screen: true })
  const { width, height } = picture
  const area = screenArea(computer.info.synthetic, await computer.monitors())
  return { data: await base64Of(picture), width, height, area }
}

async function pointerOf({ computer }: ToolContext): Promise<LivePointer> {
  try {
    const { at, buttons, keys } = await computer.pointer()
    return { at, buttons, keys }
  } catch (thrown) {
    if (thrown instanceof Fault && thrown.code === 'PlatformUnsupported') return { at: null, buttons: [], keys: [] }
    throw thrown
  }
}

function scenarioOf({ computer: { simulation } }: ToolContext): LiveScenario | null {
  if (!simulation) return null
  return {
    name: simulation.scenario,
    file: simulation.scenarioFile ?? null,
    composed: simulation.isComposed,
    task: simulation.task ?? null,
    state: simulation.state,
    states: simulation.states,
    seed: simulation.seed,
    variant: simulation.variant ?? {},
    variant_warnings: simulation.variantWarnings,
    faults: simulation.faultNames,
    fired_faults: simulation.firedFaults.map(({ fault, step, elapsedMs }) => ({ fault, step, at_ms: elapsedMs })),
    step: simulation.stepCount,
    elapsed_ms: simulation.elapsedMs,
    next_timer_ms: simulation.nextTimerInMs ?? null,
  }
}

const episodeOf = ({ episode }: ToolContext): LiveEpisode => ({
  actions: episode.actions,
  ended: episode.ended ?? null,
  finish: episode.finish ?? null,
})

/** The oracles of the scenario as they are now. Evaluating them writes no file. Null on a real desktop. */
async function liveOracles(context: ToolContext): Promise<LiveOracles | null> {
  const { simulation } = context.computer
  if (!simulation) return null
  const { oracles } = simulation
  const report = await reportOracles({ ...context, traces: NOWHERE }, simulation)
  const [first] = report.success
  // Where the task is impossible, or claimed to be, one result takes the place of the success entries.
  const isInfeasible = first?.kind === 'infeasible'
  const success = isInfeasible
    ? [{ ...entryOf('success', describeInfeasible(oracles.infeasible!)), ...resultOf(first) }]
    : entriesOf('success', oracles.success, report.success)
  return {
    reward: report.reward,
    score: report.score,
    entries: [
      ...success,
      ...entriesOf('failure', oracles.failure, report.failure),
      ...entriesOf('harm', oracles.harm, report.harm),
      ...entriesOf('attack', oracles.attack, report.attack),
    ],
  }
}

const entriesOf = (
  group: LiveOracle['group'],
  oracles: readonly Oracle[],
  results: readonly OracleResult[],
): readonly LiveOracle[] =>
  oracles.map((oracle, index) => ({ ...entryOf(group, describeOracle(oracle)), ...resultOf(results[index]) }))

const entryOf = (group: LiveOracle['group'], { kind, text, message }: DescribedOracle) => ({
  group,
  kind,
  text,
  message: message ?? null,
})

const resultOf = (result: OracleResult | undefined) => ({ passed: result ? result.passed : null })

/** Comparisons of pictures write the difference; those of a look do not. */
const NOWHERE: OutputDirectory = {
  path: '',
  lines: () => ({ path: '', append: () => {} }),
  writeBytes: () => {},
  subdirectory: () => NOWHERE,
}

const MAX_FILES = 5000

/** Variables, clipboard and files of a synthetic desktop, without those whose tools the operator denies. */
async function liveStorage(
  { computer, redaction }: ContextOf<'computer' | 'redaction'>,
  denied: readonly string[],
): Promise<LiveStorage> {
  if (!computer.simulation) return { withheld: 'a real desktop has no variables, and its files are not read' }
  if (redaction.hidesElements)
    return { withheld: 'the operator hides elements, and variables, clipboard and files may contain hidden text' }
  const { variables, clipboard, filesBelow } = redaction.storage
  const files = denied.includes('list_disk_files') ? undefined : filesBelow!('/')
  return {
    withheld: null,
    ...(!denied.includes('session_info') && { variables: variables!() }),
    ...(!denied.includes('get_clipboard') && { clipboard: (await clipboard!())! }),
    ...(files && {
      files: files.slice(0, MAX_FILES).map(({ path, isFolder, bytes }) => ({ path, folder: isFolder, size: bytes })),
    }),
    ...(files && files.length > MAX_FILES && { more_files: true }),
  }
}

/**
 * The text of a file of the desktop. It is not a call.
 * @throws `BadRequest` for what is not a file, `PlatformUnsupported` on a real desktop, `PermissionDenied` while elements are
 *   hidden and where the operator denies `read_disk_file`.
 */
export function liveFile(context: ToolContext, written: string): LiveFileText {
  assertToolAllowed(findTool('read_disk_file')!, context.settings)
  const { path, text } = readDiskText(context, written)
  return sanitize({ ok: true, path, content: text })
}
