import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isTooDeep } from '../base/external-values.ts'
import { Fault } from '../base/fault.ts'
import { toText } from '../base/strings.ts'
import { isToolArguments } from '../observer/result.ts'
import { fromImage } from '../paint/canvas/skia.ts'
import type { Moment, Recording, ViewerStep } from '../viewer/model/recording.ts'
import { msOf, readRunFile } from './read-trace.ts'
import type { BuiltRecording } from './record-trace.ts'
import { TableWriter, TileWriter } from './tables.ts'

/** A JSON object of another program. Its fields may have any type. */
type Foreign = Readonly<Record<string, unknown>>

/** A step of another program's file, before it gets its number and its moment. */
interface ForeignStep extends Partial<Pick<ViewerStep, 'ok' | 'acts' | 'model' | 'wallTime' | 'point'>> {
  readonly tool: string
  readonly args: unknown
  readonly result: unknown
  /** The time since the start, in milliseconds. */
  readonly atMs: number
  /** The PNG or JPEG file of the screen after it. */
  readonly picture?: Buffer | undefined
}

/** What is known of a run as a whole. */
type ForeignRun = Pick<Recording, 'title' | 'source' | 'verdict' | 'startedAt' | 'recordedBy'>

const NO_TREES = 'this format has no element trees and no causes'

/** Builds a recording of steps that another program recorded. */
async function recordingOfSteps(
  run: ForeignRun,
  steps: readonly ForeignStep[],
  task?: string,
): Promise<BuiltRecording> {
  const tables = new TableWriter()
  const tiles = new TileWriter()
  const moments: Moment[] = [{ atMs: 0 }]
  const shown: ViewerStep[] = []
  for (const { tool, args, result, atMs, picture, acts = true, ok = true, ...others } of steps) {
    const startMs = moments.at(-1)!.atMs
    shown.push({
      number: shown.length + 1,
      tool,
      args: tables.value(args ?? {}),
      caller: 'agent',
      acts,
      startMs,
      endMs: atMs,
      result: tables.value(result ?? null),
      ok,
      fired: [],
      ...others,
    })
    moments.push({ atMs, ...(picture && { frame: tiles.add(await fromImage(picture)) }) })
  }
  const recording: Recording = {
    format: 'backlot-recording-1',
    ...run,
    ...(task !== undefined && { task }),
    warnings: [NO_TREES],
    oracles: [],
    moments,
    steps: shown,
    events: [],
    tables: { ...tiles.tables, ...tables.tables },
  }
  return { recording, tiles: tiles.files }
}

/** Reads a folder of OSWorld's results: `traj.jsonl`, a picture for each step, and `result.txt`. */
export async function importOsworld(folder: string): Promise<BuiltRecording> {
  const lines = readRunFile(join(folder, 'traj.jsonl'))
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  if (lines.length === 0) throw new Fault('BadRequest', `${folder}/traj.jsonl is empty: it has no steps to show`)
  const rows = lines.map((line, index) => objectIn(line, `${folder}/traj.jsonl:${index + 1}`))
  const first = stampMs(rows[0]?.action_timestamp)
  const steps = rows.map((row): ForeignStep => {
    const { tool, args } = callIn(row.action)
    const stamp = stampMs(row.action_timestamp)
    const message = textIn(row, 'response')
    return {
      tool,
      args,
      result: { ...(isToolArguments(row.info) && row.info), reward: row.reward ?? null, done: row.done ?? null },
      ok: !isToolArguments(row.info) || row.info.ok !== false,
      atMs: first === undefined || stamp === undefined ? 0 : Math.max(0, stamp - first),
      picture: pictureIn(folder, row.screenshot_file),
      ...(message !== undefined && { model: { message } }),
    }
  })
  const score = Number(fileIn(folder, 'result.txt')?.toString('utf8').trim() || Number.NaN)
  const verdict = { success: score === 1, score, end: 'the trajectory ends', message: '' }
  return recordingOfSteps(
    { title: basename(folder), source: 'osworld', ...(!Number.isNaN(score) && { verdict }) },
    steps,
  )
}

/** Reads a trajectory in the Agent Trajectory Interchange Format. */
export async function importAtif(file: string, text: string): Promise<BuiltRecording> {
  const trajectory = objectIn(text, file)
  if (!Array.isArray(trajectory.steps) || !textIn(trajectory, 'schema_version')?.startsWith('ATIF'))
    throw new Fault(
      'BadRequest',
      `${file} is not an ATIF trajectory: it needs a schema_version such as ATIF-v1.4, and steps`,
    )
  const written = trajectory.steps.filter(isToolArguments)
  const startMs = msOf(written.map((step) => textIn(step, 'timestamp')).find((time) => msOf(time) !== undefined)) ?? 0
  const task = written.find(({ source }) => source === 'user')
  const agent = isToolArguments(trajectory.agent) ? trajectory.agent : {}
  const version = [textIn(agent, 'name'), textIn(agent, 'version')].filter((each) => each !== undefined).join(' ')
  const verdict = verdictIn(trajectory.extra)
  const startedAt = task && textIn(task, 'timestamp')
  return recordingOfSteps(
    {
      title: textIn(trajectory, 'session_id') ?? basename(file),
      source: 'atif',
      ...(version !== '' && { recordedBy: version }),
      ...(verdict && { verdict }),
      ...(startedAt !== undefined && { startedAt }),
    },
    written.filter(({ source }) => source === 'agent').flatMap((step) => atifCalls(step, startMs)),
    task && textIn(task, 'message'),
  )
}

/** The calls of a step. A step without a call is a message. */
function atifCalls(step: Foreign, startMs: number): readonly ForeignStep[] {
  const calls = Array.isArray(step.tool_calls) ? step.tool_calls.filter(isToolArguments) : []
  const wallTime = textIn(step, 'timestamp')
  const atMs = Math.max(0, (msOf(wallTime) ?? startMs) - startMs)
  const model = atifTurn(step)
  const base = { atMs, ...(wallTime !== undefined && { wallTime }), ...(model && { model }) }
  if (calls.length === 0) return [{ ...base, tool: 'message', args: {}, result: null, acts: false }]
  return calls.map((call, index) => {
    const result = parsedOr(resultOf(step, textIn(call, 'tool_call_id')))
    const { model: _, ...later } = base
    return {
      ...(index === 0 ? base : later),
      tool: textIn(call, 'function_name') ?? 'call',
      args: call.arguments ?? {},
      result,
      ok: !isToolArguments(result) || result.ok !== false,
    }
  })
}

function atifTurn(step: Foreign): ViewerStep['model'] {
  const metrics = isToolArguments(step.metrics) ? step.metrics : {}
  const fields = {
    message: textIn(step, 'message') || undefined,
    reasoning: textIn(step, 'reasoning_content'),
    inputTokens: numberIn(metrics, 'prompt_tokens'),
    outputTokens: numberIn(metrics, 'completion_tokens'),
    costUsd: numberIn(metrics, 'cost_usd'),
  }
  const known = Object.entries(fields).filter(([, value]) => value !== undefined)
  return known.length === 0 ? undefined : (Object.fromEntries(known) as NonNullable<ViewerStep['model']>)
}

function resultOf({ observation }: Foreign, id: string | undefined): unknown {
  if (!isToolArguments(observation) || !Array.isArray(observation.results)) return null
  const results = observation.results.filter(isToolArguments)
  return (results.find(({ source_call_id }) => source_call_id === id) ?? results[0])?.content ?? null
}

function verdictIn(extra: unknown): Recording['verdict'] {
  if (!isToolArguments(extra) || typeof extra.success !== 'boolean') return undefined
  const { success, score, end, failure } = extra
  return {
    success,
    score: typeof score === 'number' ? score : Number(success),
    end: typeof end === 'string' ? end : 'the trajectory ends',
    message: typeof failure === 'string' ? failure : '',
  }
}

/** The call in an action of OSWorld: JSON with a tool, otherwise code such as `pyautogui.click(5, 5)`. */
function callIn(action: unknown): { readonly tool: string; readonly args: unknown } {
  const value = typeof action === 'string' ? parsedOr(action) : action
  if (isToolArguments(value)) {
    const { tool, action_type, ...args } = value
    return { tool: toText(tool ?? action_type ?? 'action'), args }
  }
  const text = toText(value ?? '')
  return { tool: /^\s*(?:pyautogui\.)?(\w+)/.exec(text)?.[1] ?? 'action', args: { code: text } }
}

/** The value of JSON. Other values, and JSON that is nested too deep, are as they are. */
function parsedOr(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    // Editors may add a byte order mark.
    const parsed = JSON.parse(value.replace(/^\uFEFF/, '')) as unknown
    return isTooDeep(parsed) ? value : parsed
  } catch {
    return value
  }
}

function objectIn(text: string, place: string): Foreign {
  const value = parsedOr(text)
  if (isToolArguments(value)) return value
  throw new Fault('BadRequest', `${place} is not a JSON object, or is nested too deep`)
}

/** A time such as `20240312@140000`, or with microseconds, in milliseconds. */
function stampMs(stamp: unknown): number | undefined {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)@(\d\d)(\d\d)(\d\d)/.exec(toText(stamp ?? ''))?.map(Number) ?? []
  return year === undefined ? undefined : Date.UTC(year, month! - 1, day, hour, minute, second)
}

function pictureIn(folder: string, name: unknown): Buffer | undefined {
  // The name comes from a file, so that none outside of the folder is read.
  return typeof name === 'string' && basename(name) === name ? fileIn(folder, name) : undefined
}

function fileIn(folder: string, name: string): Buffer | undefined {
  const path = join(folder, name)
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? readRunFile(path) : undefined
}

const textIn = (value: Foreign, key: string): string | undefined =>
  typeof value[key] === 'string' ? (value[key] as string) : undefined

const numberIn = (value: Foreign, key: string): number | undefined =>
  typeof value[key] === 'number' ? (value[key] as number) : undefined
