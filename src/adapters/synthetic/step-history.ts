import type { Action } from '../../desktop/input/action.ts'
import { type Desktop, filesOf } from '../../desktop/model/desktop.ts'
import type { Element } from '../../desktop/model/element.ts'
import type { RunData } from '../../scenario/data/run-data.ts'
import { runAt } from '../../scenario/run/elapse.ts'
import { stepScenario } from '../../scenario/run/step.ts'
import type { ScenarioRun } from '../../scenario/scenario-run.ts'
import type { PerformResult } from '../computer.ts'

/** A performed action and its result. */
export interface RecordedStep {
  /** Counts from 1. */
  readonly number: number
  readonly action: Action
  readonly via: PerformResult['via']
  /** The time of the action, on the clock of the run. */
  readonly atMs: number
  /** The tool calls counted for planned faults, which cannot be derived from the actions. */
  readonly faultCalls: ScenarioRun['faultCalls']
  /** The faults and the log before the action. Calls change both. Undefined without faults of the catalogue. */
  readonly disturbed?: Pick<ScenarioRun, 'faults' | 'log'> | undefined
  /** The run after the action. Kept for one step in sixteen; the others are replayed when needed. */
  readonly run?: ScenarioRun
  /** The memory that the step needs, in bytes. */
  readonly bytes: number
}

/** The memory that steps need, in bytes. */
export function historyBytesOf(steps: readonly RecordedStep[]): number {
  let total = 0
  for (const { bytes } of steps) total += bytes
  return total
}

/** Replays a step on the run before it. */
export function replayStep(run: ScenarioRun, { action, atMs, faultCalls, disturbed }: RecordedStep): ScenarioRun {
  const before = runAt(run, atMs)
  const from = disturbed ? { ...before, ...disturbed } : before
  return { ...stepScenario(from, { type: 'action', action }).run, faultCalls }
}

/** The most bytes that the steps of one computer may use. */
const MAX_COMPUTER_BYTES = 16 * 1024 * 1024
/** The most bytes that the steps of all computers with a shared budget may use. */
const MAX_SHARED_BYTES = 128 * 1024 * 1024

/** A memory limit that the histories of several computers share. */
export class HistoryBudget {
  readonly #maxBytes: number
  readonly #maxComputerBytes: number
  #bytes = 0

  constructor(maxBytes = MAX_SHARED_BYTES, maxComputerBytes = MAX_COMPUTER_BYTES) {
    this.#maxBytes = maxBytes
    this.#maxComputerBytes = maxComputerBytes
  }

  /** Adds bytes to the total, or removes them when `bytes` is negative. */
  add(bytes: number): void {
    this.#bytes += bytes
  }

  /** The number of bytes that a history of `bytes` must release. */
  excessBytes(bytes: number): number {
    return Math.max(0, bytes - this.#maxComputerBytes, Math.min(bytes, this.#bytes - this.#maxBytes))
  }
}

/** The most bytes that a UTF-16 code unit needs. */
const CHARACTER_BYTES = 2
const STEP_BYTES = 256
const NODE_BYTES = 512
const REFERENCE_BYTES = 8

/** The number of bytes that an action needs in a history. */
export const actionBytes = (action: Action): number => STEP_BYTES + bytesOfValue(action, undefined)

/** The bytes of the texts and lists in a value, without those that it shares with an earlier one. */
function bytesOfValue(value: unknown, earlier: unknown): number {
  if (value === earlier) return 0
  if (typeof value === 'string') return value.length * CHARACTER_BYTES
  if (typeof value !== 'object' || value === null) return 0
  const before = typeof earlier === 'object' && earlier !== null ? earlier : undefined
  if (Array.isArray(value)) return bytesOfList(value, Array.isArray(before) ? before : [])
  let bytes = 0
  for (const key in value) bytes += bytesOfValue(value[key as keyof typeof value], before?.[key as keyof typeof before])
  return bytes
}

function bytesOfList(list: readonly unknown[], earlier: readonly unknown[]): number {
  let bytes = list.length * REFERENCE_BYTES
  for (let index = 0; index < list.length; index++)
    if (list[index] !== earlier[index]) bytes += bytesOfValue(list[index], earlier[index])
  return bytes
}

/** The number of bytes that a desktop needs, without those that it shares with an earlier one. */
export function desktopBytes(desktop: Desktop, before: Desktop): number {
  const trees = new Map(before.windows.map(({ uid, tree }) => [uid, tree]))
  let bytes = NODE_BYTES + desktop.windows.length * REFERENCE_BYTES
  for (const { uid, tree } of desktop.windows) bytes += bytesOfElement(tree, trees.get(uid))
  if (desktop.clipboard !== before.clipboard) bytes += desktop.clipboard.length * CHARACTER_BYTES
  const [files, earlier] = [filesOf(desktop), filesOf(before)]
  if (files === earlier) return bytes
  for (const [path, text] of Object.entries(files)) {
    bytes += 2 * REFERENCE_BYTES
    if (text !== earlier[path]) bytes += (path.length + (text?.length ?? 0)) * CHARACTER_BYTES
  }
  return bytes
}

/** The number of bytes that the variables of a run need, without those that they share with earlier ones. */
export function dataBytes(data: RunData, before: RunData): number {
  if (data === before) return 0
  let bytes = 0
  for (const [name, value] of Object.entries(data)) {
    const earlier = before[name]
    if (value === earlier) continue
    bytes += Array.isArray(value) && Array.isArray(earlier) ? recordBytes(value, earlier) : bytesOfValue(value, earlier)
  }
  return bytes
}

/** The bytes of a list. Records of the earlier list are shared at whatever index they are now. */
function recordBytes(list: readonly unknown[], earlier: readonly unknown[]): number {
  if (list.length === earlier.length) return bytesOfList(list, earlier)
  const kept = new Set(earlier)
  let bytes = list.length * REFERENCE_BYTES
  for (const item of list) if (!kept.has(item)) bytes += bytesOfValue(item, undefined)
  return bytes
}

function bytesOfElement(element: Element, before: Element | undefined): number {
  if (element === before) return 0
  let bytes = NODE_BYTES + element.children.length * REFERENCE_BYTES + newBytes(element, before)
  const known = before && childrenById(element, before)
  for (const [at, child] of element.children.entries()) {
    const earlier = before?.children[at]
    bytes += bytesOfElement(child, earlier?.id === child.id ? earlier : known?.get(child.id))
  }
  return bytes
}

/** The earlier children by id, if their positions may have changed. */
const childrenById = ({ children }: Element, before: Element): ReadonlyMap<string, Element> | undefined =>
  children.length === before.children.length ? undefined : new Map(before.children.map((child) => [child.id, child]))

/** The bytes of texts and traits that the earlier element does not have. */
function newBytes(element: Element, before: Element | undefined): number {
  let bytes = 0
  for (const key of ['name', 'value', 'description'] as const)
    if (element[key] !== before?.[key]) bytes += (element[key]?.length ?? 0) * CHARACTER_BYTES
  const { traits } = element
  if (!traits || traits === before?.traits) return bytes
  const earlier = before?.traits
  const known = new Set([...(earlier?.history?.undo ?? []), ...(earlier?.history?.redo ?? [])])
  for (const version of [...(traits.history?.undo ?? []), ...(traits.history?.redo ?? [])])
    if (!known.has(version)) bytes += version.text.length * CHARACTER_BYTES
  for (const [name, value] of Object.entries(traits))
    if (name !== 'history') bytes += bytesOfValue(value, earlier?.[name as keyof typeof earlier])
  return bytes
}
