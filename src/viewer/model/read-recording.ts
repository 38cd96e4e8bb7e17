import type { ViewerElement, ViewerWindow } from './element.ts'
import type { Recording, RecordingTables, StoredElement } from './recording.ts'

/** A file that is no recording, with what is wrong in its message. */
export class RecordingProblem extends Error {}

/** Throws if a value is not as it must be. `path` names it in messages. */
type Check = (value: unknown, path: string) => void

type Fields = Readonly<Record<string, unknown>>

/**
 * Checks that a value is a recording: all that the page shows has its type, and every index names a row of its table.
 * @throws A `RecordingProblem` that names the first wrong part.
 */
export function readRecording(value: unknown): Recording {
  const whole = fields(value, 'the file')
  if (whole.format !== 'backlot-recording-1')
    fail('format', 'must be "backlot-recording-1"; was the file made by another version of Backlot?')
  const tables = fields(whole.tables, 'tables')
  const size = (name: string) => list(tables[name], `tables.${name}`).length
  const indexOf = (name: string): Check => {
    const rows = size(name)
    return (index, path) => {
      if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= rows)
        fail(path, `is ${String(JSON.stringify(index))}, but tables.${name} has ${rows} rows`)
    }
  }
  const [valueAt, elementAt] = [indexOf('values'), indexOf('elements')]
  const place = object({ window: text, element: text })

  object({ title: text, warnings: each(text) }, { recordedBy: text, startedAt: text, lostAt: number })(whole, '')
  optional(object({ name: text, seed: number, variant: fields, faults: each(text) }, { task: text }))(
    whole.scenario,
    'scenario',
  )
  optional(object({ success: truth, score: number, end: text, message: text }))(whole.verdict, 'verdict')
  each(object({ kind: text, text }))(whole.oracles, 'oracles')

  object({ tileSize: atLeastOne, tiles: each(text) })(tables, 'tables')
  const tileAt = indexOf('tiles')
  const tileSize = tables.tileSize as number
  each((frame, path) => {
    object({ width: atLeastOne, height: atLeastOne, tiles: each(tileAt) })(frame, path)
    const { width, height, tiles } = frame as { width: number; height: number; tiles: readonly number[] }
    const needed = Math.ceil(width / tileSize) * Math.ceil(height / tileSize)
    if (tiles.length !== needed) fail(`${path}.tiles`, `has ${tiles.length} tiles, but the picture needs ${needed}`)
  })(tables.frames, 'tables.frames')
  each((element, path) => {
    object({ id: text, role: text, name: text, bounds: box }, { value: text, description: text })(element, path)
    const row = Number(/\[(\d+)\]$/.exec(path)![1])
    optional(
      each((child, childPath) => {
        elementAt(child, childPath)
        if ((child as number) >= row) fail(childPath, 'must come before its parent')
      }),
    )((element as Fields).children, `${path}.children`)
  })(tables.elements, 'tables.elements')
  const storedWindow = object(
    { uid: text, title: text, process: text, bounds: box, focused: truth },
    { root: elementAt, popupOf: text },
  )
  each(each(storedWindow))(tables.desks, 'tables.desks')

  each(
    object(
      { atMs: number },
      {
        ...{ frame: indexOf('frames'), desk: indexOf('desks'), state: text, variables: valueAt, pointer: point },
        ...{ clipboard: text, oracles: each((status, path) => status === null || truth(status, path)) },
      },
    ),
  )(whole.moments, 'moments')
  const model = object(
    {},
    {
      ...{ message: text, reasoning: text, inputTokens: number, outputTokens: number },
      ...{ costUsd: number, latencyMs: number },
    },
  )
  const exchange = object(
    { method: text, url: text },
    { headers: fields, body: text, status: number, response: text, ms: number },
  )
  each((step, path) => {
    object(
      {
        ...{ tool: text, args: valueAt, caller: text, acts: truth, startMs: number, endMs: number },
        ...{ result: valueAt, ok: truth, fired: each(object({ kind: text, text })) },
      },
      {
        ...{ wallTime: text, wallMs: number, changed: truth, error: object({ code: text }, { message: text }) },
        ...{ point, path: each(point), hit: place, meant: place, held: each(text), model, wire: each(exchange) },
        dialect: object({ door: text, call: valueAt }),
      },
    )(step, path)
    const row = Number(/\[(\d+)\]$/.exec(path)![1])
    if ((step as Fields).number !== row + 1) fail(`${path}.number`, `must be ${row + 1}`)
  })(whole.steps, 'steps')
  each(object({ after: number, protocol: text, direction: text, name: text, content: valueAt }, { wallTime: text }))(
    whole.events,
    'events',
  )
  const [moments, steps] = [list(whole.moments, 'moments').length, list(whole.steps, 'steps').length]
  if (moments !== steps + 1) fail('moments', `has ${moments} rows, but ${steps} steps need ${steps + 1}`)
  return value as Recording
}

const fail = (path: string, problem: string): never => {
  throw new RecordingProblem(`${path} ${problem}`)
}

const ofType =
  (type: string, words: string): Check =>
  (value, path) => {
    if (typeof value !== type) fail(path, `must be ${words}`)
  }
const text = ofType('string', 'a text')
const truth = ofType('boolean', 'true or false')
const number: Check = (value, path) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) fail(path, 'must be a number')
}
const atLeastOne: Check = (value, path) => {
  if (!Number.isInteger(value) || (value as number) < 1 || (value as number) > 65_535)
    fail(path, 'must be a whole number from 1 to 65535')
}

function fields(value: unknown, path: string): Fields {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) fail(path, 'must be an object')
  return value as Fields
}

function list(value: unknown, path: string): readonly unknown[] {
  if (!Array.isArray(value)) fail(path, 'must be a list')
  return value as readonly unknown[]
}

const optional =
  (check: Check): Check =>
  (value, path) => {
    if (value !== undefined) check(value, path)
  }
const each =
  (check: Check): Check =>
  (value, path) =>
    list(value, path).forEach((part, index) => {
      check(part, `${path}[${index}]`)
    })

function object(needed: Readonly<Record<string, Check>>, more: Readonly<Record<string, Check>> = {}): Check {
  const checks = [
    ...Object.entries(needed),
    ...Object.entries(more).map(([name, one]) => [name, optional(one)] as const),
  ]
  return (value, path) => {
    const given = fields(value, path)
    for (const [name, check] of checks) check(given[name], path === '' ? name : `${path}.${name}`)
  }
}

const point = object({ x: number, y: number })
const box = object({ x: number, y: number, width: number, height: number })

/** Gives the windows of a desk. An element that two desks share is the same object in both. */
export type TreeReader = (desk: number | undefined) => readonly ViewerWindow[]

const NO_WINDOWS: readonly ViewerWindow[] = []

/** Reads the trees of a recording. Each desk and each stored element is made once, when it is first asked for. */
export function createTreeReader({ desks, elements }: RecordingTables): TreeReader {
  const made: (ViewerElement | undefined)[] = []
  const shown: (readonly ViewerWindow[] | undefined)[] = []
  const elementAt = (index: number): ViewerElement => {
    const known = made[index]
    if (known) return known
    const element = shownElement(elements[index]!, elementAt)
    made[index] = element
    return element
  }
  return (desk) => {
    if (desk === undefined) return NO_WINDOWS
    shown[desk] ??= desks[desk]!.map(({ root, ...window }) => ({
      ...window,
      ...(root !== undefined && { tree: elementAt(root) }),
    }))
    return shown[desk]
  }
}

const shownElement = (stored: StoredElement, elementAt: (index: number) => ViewerElement): ViewerElement => ({
  ...stored,
  value: stored.value ?? null,
  enabled: stored.enabled !== false,
  focused: stored.focused === true,
  keyboard_shortcut: stored.keyboard_shortcut ?? null,
  description: stored.description ?? null,
  children: (stored.children ?? []).map(elementAt),
})
