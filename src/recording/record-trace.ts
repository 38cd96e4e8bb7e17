import { isTooDeep } from '../base/external-values.ts'
import { Fault } from '../base/fault.ts'
import { judgeRun, playedSolutions } from '../compose/explore.ts'
import { loadScenario } from '../compose/preview.ts'
import { findTool } from '../observer/registry.ts'
import { isToolArguments } from '../observer/result.ts'
import { SIDECAR_NAMES } from '../observer/trace/sidecar-files.ts'
import type { TraceRow } from '../observer/trace/trace-row.ts'
import { fromPng, type Picture } from '../paint/picture.ts'
import { type ScreenSearch, screenKey, searchScenario } from '../scenario/explore/explore.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ScenarioRun } from '../scenario/scenario-run.ts'
import type {
  ModelTurn,
  Moment,
  RecordedEvent,
  Recording,
  ViewerStep,
  WireExchange,
} from '../viewer/model/recording.ts'
import { type CaptureSource, captureMoment, judgeEnd, type RecordingWriters, watchOracles } from './capture-moment.ts'
import { type ReadTrace, readTraceText, scenarioFileOf, stepTimes, type TraceFiles, versionNote } from './read-trace.ts'
import { openReplay } from './replayed-run.ts'
import { firedBetween, guideOf, viewerStep, watchActions, watchFired } from './step-details.ts'
import { TableWriter, TileWriter } from './tables.ts'

/** How a recording is built. */
export interface RecordTraceOptions {
  /** The scenario of the trace: a path, or a name of the gallery. By default the one that the trace names. */
  readonly scenario?: string | undefined
  /** The scenario itself, in the variant of the trace, instead of its file. */
  readonly loaded?: Scenario | undefined
  /** The values that the trace hides, by place, such as `{ '4.text': 'secret' }`. The recording hides them too. */
  readonly bindings?: Readonly<Record<string, unknown>> | undefined
  /** By default the label of the trace, or the path. */
  readonly title?: string | undefined
  /** Searches for the step at which a run that failed was lost, within a bound. By default it is not searched for. */
  readonly lostWithin?: LostStepBound | undefined
  /** How an evaluation judged the run. By default the oracles at the end of the replay judge it. */
  readonly verdict?: Recording['verdict']
}

/** A recording and its pictures. */
export interface BuiltRecording {
  readonly recording: Recording
  /** The PNG files of the tiles, by SHA-256. */
  readonly tiles: ReadonlyMap<string, Buffer>
}

/**
 * Builds the recording of a trace. Its calls are made again on a new desktop of its scenario, which gives pictures, trees
 * and causes as far as the desktop is proven to be the recorded one. After that, and without a scenario, the recording has
 * the rows and the recorded screenshots.
 * @throws A `Fault` `BadRequest` for what is not a trace, and `ScenarioInvalid` for a scenario that was named and is wrong.
 */
export async function recordTrace(files: TraceFiles, options: RecordTraceOptions = {}): Promise<BuiltRecording> {
  const trace = readTraceText(files.text, files.path)
  const secrets = secretsIn(options.bindings)
  const writers: RecordingWriters = {
    tables: new TableWriter(secrets.length > 0 ? (text) => withoutSecrets(text, secrets) : undefined),
    tiles: new TileWriter(),
    secrets,
  }
  const warnings = [trace.missing, trace.unended, ...missingNotes(files, trace.footer)].filter(
    (each) => each !== undefined,
  )
  const scenario = options.loaded ?? (await scenarioOf(trace, options.scenario, warnings))
  const replayed = scenario && (await replay(trace, scenario, options, writers, warnings))
  const known = replayed ?? { moments: [{ atMs: 0 }], steps: [] }
  const { moments, steps } = withRows(trace, files, writers, known, warnings)
  const verdict = options.verdict ?? replayed?.verdict
  const { header } = trace
  const recording: Recording = {
    format: 'backlot-recording-1',
    title: options.title ?? (header.label || (scenario?.name ?? files.path)),
    source: 'backlot',
    ...(header.version !== undefined && { recordedBy: header.version }),
    ...(scenario && { scenario: aboutScenario(scenario, trace) }),
    warnings,
    ...(verdict && { verdict }),
    ...(header.startedAt !== undefined && { startedAt: header.startedAt }),
    oracles: replayed?.oracles ?? [],
    ...(replayed?.lostAt !== undefined && { lostAt: replayed.lostAt }),
    moments,
    steps: writers.tables.withoutSecrets(withSidecars(steps, files)),
    events: sidecarEvents(files, writers.tables),
    tables: { ...writers.tiles.tables, ...writers.tables.tables },
  }
  return { recording, tiles: writers.tiles.files }
}

const aboutScenario = (scenario: Scenario, { header }: ReadTrace): NonNullable<Recording['scenario']> => ({
  name: scenario.name,
  ...(scenario.task !== undefined && { task: scenario.task }),
  seed: header.seed ?? scenario.seed,
  variant: header.variant ?? {},
  faults: [...scenario.catalogueFaults, ...header.faults].map(({ fault }) => fault),
})

/** The scenario of a trace. Undefined, with a warning, where none is known. */
async function scenarioOf(
  { header }: ReadTrace,
  given: string | undefined,
  warnings: string[],
): Promise<Scenario | undefined> {
  const name = given ?? header.scenario
  if (name === undefined) {
    warnings.push('the trace names no scenario, so that it shows recorded screenshots only; name one with --scenario')
    return undefined
  }
  const choice = { ...(header.seed !== undefined && { seed: header.seed }), variant: header.variant }
  try {
    const scenario = await loadScenario(scenarioFileOf(header, given), choice)
    if (header.scenario !== undefined && header.scenario !== scenario.name)
      warnings.push(`the trace is of the scenario ${header.scenario}, and ${name} is ${scenario.name}`)
    return scenario
  } catch (thrown) {
    if (given !== undefined || !(thrown instanceof Fault)) throw thrown
    warnings.push(`the scenario ${name.slice(0, 100)} cannot be opened; name its file with --scenario`)
    return undefined
  }
}

interface Replayed extends Pick<Recording, 'oracles' | 'verdict' | 'lostAt'> {
  readonly moments: Moment[]
  readonly steps: ViewerStep[]
}

/** Makes the calls again up to the first difference. */
async function replay(
  trace: ReadTrace,
  scenario: Scenario,
  { bindings, lostWithin }: RecordTraceOptions,
  writers: RecordingWriters,
  warnings: string[],
): Promise<Replayed> {
  const { desktop, calls } = await openReplay(trace, scenario, bindings)
  const { computer, session } = desktop
  const oracles = watchOracles(desktop)
  const guide = await guideOf(scenario, computer.seed)
  const runs = [computer.run]
  const source: CaptureSource = { session, computer, oracles }
  const takeActions = watchActions(computer)
  const takeFired = watchFired(computer)
  const moments = [await captureMoment(source, writers)]
  const steps: ViewerStep[] = []
  const endTimes = stepTimes(trace)
  let before = { run: computer.run, held: heldNow() }
  for await (const { row, body, differences } of calls()) {
    const number = steps.length + 1
    if (differences.length > 0) {
      warnings.push(divergenceText(number, row.tool, differences, trace, bindings))
      break
    }
    const actions = takeActions()
    const acts = findTool(row.tool)?.kind === 'act'
    const meant = acts ? guide.next(before.run) : undefined
    if (acts) guide.took(row.tool, actions.find((action) => action.hit)?.hit)
    const fired = firedBetween(before.run, computer.run, actions, takeFired())
    const step = viewerStep(row, number, endTimes[number - 1]!, writers.tables, {
      body,
      actions,
      fired,
      held: before.held,
      meant,
    })
    steps.push(writers.tables.withoutSecrets(step))
    moments.push(await captureMoment(source, writers))
    runs.push(computer.run)
    before = { run: computer.run, held: heldNow() }
  }
  const isWhole = steps.length === trace.rows.length
  const verdict = isWhole ? writers.tables.withoutSecrets(await judgeEnd(desktop)) : undefined
  const lostAt = lostWithin && !verdict?.success ? await findLostStep(runs, lostWithin) : undefined
  await session.close()
  return {
    oracles: oracles.oracles,
    moments,
    steps,
    ...(verdict && { verdict }),
    ...(lostAt !== undefined && { lostAt }),
  }

  function heldNow(): readonly string[] {
    const { keys, buttons } = computer.pointer()
    return [...keys, ...buttons.map((button) => `${button} button`)]
  }
}

function divergenceText(
  number: number,
  tool: string,
  differences: readonly string[],
  { header, hidden }: ReadTrace,
  bindings: RecordTraceOptions['bindings'] = {},
): string {
  const missing = hidden.filter((place) => !Object.hasOwn(bindings, place))
  const more = differences.length > 1 ? `, and ${differences.length - 1} more` : ''
  const first = `the replay differs from the trace at step ${number}, ${tool}: ${differences[0]}${more}; later steps show recorded screenshots only`
  const note = versionNote(header)
  if (missing.length === 0) return note === undefined ? first : `${first}; ${note}`
  return `${first}. The trace hides ${missing.length} values, such as ${missing[0]}; give them with --bindings`
}

/** Adds the steps that were not replayed, and the screenshots that the trace has of them. */
function withRows(
  trace: ReadTrace,
  files: TraceFiles,
  { tables, tiles }: RecordingWriters,
  { moments, steps }: Pick<Replayed, 'moments' | 'steps'>,
  warnings: string[],
): Pick<Replayed, 'moments' | 'steps'> {
  const endTimes = stepTimes(trace)
  for (const row of trace.rows.slice(steps.length)) {
    const step = viewerStep(row, steps.length + 1, endTimes[steps.length]!, tables)
    steps.push(step)
    const picture = screenshotOf(row, files, warnings)
    moments.push({ atMs: step.endMs, ...(picture && { frame: tiles.add(picture) }) })
  }
  return { moments, steps }
}

/** The recorded screenshot of a row. One that cannot be read is left out, with a warning. */
function screenshotOf(
  { screenshot_full_ref: ref }: TraceRow,
  files: TraceFiles,
  warnings: string[],
): Picture | undefined {
  const file = typeof ref === 'string' ? files.read(ref) : undefined
  try {
    return file && fromPng(file)
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown
    warnings.push(`${ref}: ${thrown.message}`)
    return undefined
  }
}

/** Shorter values would hide unrelated texts. */
const MIN_SECRET_LENGTH = 3

const secretsIn = (bindings: RecordTraceOptions['bindings'] = {}): readonly string[] =>
  Object.values(bindings).filter((value) => typeof value === 'string' && value.length >= MIN_SECRET_LENGTH) as string[]

const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => rest.replaceAll(secret, '<redacted>'), text)

/** The bound of a search for the step at which a run was lost. */
interface LostStepBound {
  readonly maxScreens: number
  /** Ends the search early, without a result. */
  readonly isExpired?: () => boolean
}

/**
 * Finds the first step of a run after which no way to success is left. `runs` are those at the start and after each step.
 * Undefined where a search of all screens does not prove one within the bound, and where the task depends on the course of
 * the run or faults were chosen, which screens do not show.
 */
async function findLostStep(
  runs: readonly ScenarioRun[],
  { maxScreens, isExpired }: LostStepBound,
): Promise<number | undefined> {
  const [first] = runs
  if (!first || first.course || first.faults || first.scenario.oracles.success.length === 0) return undefined
  const { examples, finish } = await playedSolutions(first.scenario)
  const search = await searchScenario(first.scenario, {
    maxScreens,
    ...(isExpired && { isExpired }),
    judge: (run) => judgeRun(run, finish),
    examples: [...examples, ...runs.map((run) => ({ run }))],
  })
  if (!search.isComplete) return undefined
  const winnable = winnableScreens(search)
  const isLost = (run: ScenarioRun) => !winnable.has(screenKey(run))
  const lost = runs.findIndex(isLost)
  return lost > 0 ? lost : undefined
}

/** The keys of the screens from which a way leads to success. */
function winnableScreens({ screens }: ScreenSearch): ReadonlySet<string> {
  const before = screens.map((): number[] => [])
  for (const { index, steps } of screens) for (const { to } of steps) before[to]!.push(index)
  const waiting = screens.filter(({ verdict }) => verdict === 'solved').map(({ index }) => index)
  const winnable = new Set(waiting)
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const index of before[next]!)
      if (!winnable.has(index)) {
        winnable.add(index)
        waiting.push(index)
      }
  return new Set([...winnable].map((index) => screenKey(screens[index]!.run)))
}

type Line = Readonly<Record<string, unknown>>

/** Adds the turns of the model and the requests of doors to the steps that they led to, from the files beside a trace. */
function withSidecars(steps: readonly ViewerStep[], files: TraceFiles): readonly ViewerStep[] {
  const turns = byStep(linesOf(files, 'model'), steps.length)
  const exchanges = byStep(linesOf(files, 'wire'), steps.length)
  if (turns.size === 0 && exchanges.size === 0) return steps
  return steps.map((step) => {
    const [made, sent] = [turns.get(step.number), exchanges.get(step.number)]
    if (!made && !sent) return step
    return { ...step, ...(made && { model: modelTurn(made) }), ...(sent && { wire: sent.map(wireExchange) }) }
  })
}

/** What the files beside a trace lack by its footer, in words, a line for each file. */
function missingNotes(files: TraceFiles, footer: Line | undefined): readonly string[] {
  const countsIn = (key: string): Line => (isToolArguments(footer?.[key]) ? footer[key] : {})
  const [written, lost] = [countsIn('notes'), countsIn('lost_notes')]
  return SIDECAR_NAMES.flatMap((name) => {
    const said = (countIn(written, name) ?? 0) + (countIn(lost, name) ?? 0)
    const there = said === 0 ? 0 : linesOf(files, name).length
    return there < said ? [`${said - there} of ${said} lines are missing in ${name}.jsonl`] : []
  })
}

/** The events of agent protocols beside a trace. */
const sidecarEvents = (files: TraceFiles, tables: TableWriter): readonly RecordedEvent[] =>
  linesOf(files, 'events').map((line) => {
    const wallTime = textIn(line, 'ts')
    return {
      after: countIn(line, 'after') ?? 0,
      ...(wallTime !== undefined && { wallTime }),
      protocol: textIn(line, 'protocol') ?? '',
      direction: line.direction === 'in' ? 'in' : 'out',
      name: textIn(line, 'name') ?? '',
      content: tables.value(line.content ?? null),
    }
  })

/** The lines of a file beside a trace. Lines that cannot be read, such as the last one of a killed process, are left out. */
function linesOf(files: TraceFiles, name: string): readonly Line[] {
  const text = files.read(`${name}.jsonl`)?.toString('utf8') ?? ''
  return text.split('\n').flatMap((line): readonly Line[] => {
    try {
      const value: unknown = JSON.parse(line)
      return isToolArguments(value) && !isTooDeep(value) ? [value] : []
    } catch {
      return []
    }
  })
}

/** Lines by the step that follows the row that they name; those after the last row belong to the last step. */
function byStep(lines: readonly Line[], last: number): ReadonlyMap<number, readonly Line[]> {
  const found = new Map<number, Line[]>()
  for (const line of lines) {
    const number = Math.min(last, (countIn(line, 'after') ?? 0) + 1)
    found.set(number, [...(found.get(number) ?? []), line])
  }
  return found
}

/** Several turns before one call, as after answers that could not be used, are shown as one. */
function modelTurn(lines: readonly Line[]): ModelTurn {
  const texts = (key: string) => lines.flatMap((line) => textIn(line, key) ?? []).join('\n\n')
  const sum = (key: string) => {
    const counts = lines.flatMap((line) => countIn(line, key) ?? [])
    return counts.length === 0 ? undefined : counts.reduce((total, count) => total + count, 0)
  }
  const fields = {
    message: texts('message') || undefined,
    reasoning: texts('reasoning') || undefined,
    inputTokens: sum('input_tokens'),
    outputTokens: sum('output_tokens'),
    costUsd: sum('cost_usd'),
    latencyMs: sum('latency_ms'),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ModelTurn
}

function wireExchange(line: Line): WireExchange {
  const fields = {
    headers: isToolArguments(line.headers) ? (line.headers as Record<string, string>) : undefined,
    body: bodyText(line.body),
    status: countIn(line, 'status'),
    response: bodyText(line.response),
    ms: countIn(line, 'ms'),
  }
  const known = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  return { method: textIn(line, 'method') ?? '', url: textIn(line, 'url') ?? '', ...known }
}

/** A body is a text, or the value of its JSON. */
const bodyText = (body: unknown): string | undefined =>
  body === undefined || typeof body === 'string' ? (body as string | undefined) : JSON.stringify(body, undefined, 2)

const textIn = (line: Line, key: string): string | undefined =>
  typeof line[key] === 'string' ? (line[key] as string) : undefined

const countIn = (line: Line, key: string): number | undefined =>
  typeof line[key] === 'number' && line[key] >= 0 ? (line[key] as number) : undefined
