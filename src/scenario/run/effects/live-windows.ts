import { drawInteger, seededRandom, split } from '../../../base/random.ts'
import { changeWindow, type Desktop, type Window, windowByUid } from '../../../desktop/model/desktop.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { styleMetrics } from '../../../desktop/style/style.ts'
import { activateWindow } from '../../../desktop/windows/focus.ts'
import { headerBarOf } from '../../../desktop/windows/frame.ts'
import { closeWindow } from '../../../desktop/windows/windowing.ts'
import { buildWindow, DEFAULT_BOUNDS, fillMonitor } from '../../build-window.ts'
import { instanceOf, uidInFile } from '../../composition/instance.ts'
import {
  itemTree,
  type RefreshedWindow,
  refreshItemWindow,
  type WindowItem,
  windowItems,
} from '../../composition/refresh.ts'
import type { RefreshOptions } from '../../composition/refresh-work.ts'
import { changeData } from '../../data/data-change.ts'
import { evaluateLive } from '../../data/scope.ts'
import { layOutWindow } from '../../layout/layout.ts'
import type { ItemWindows, LiveProgram, WindowTemplate } from '../../live/live-program.ts'
import { type Resolved, resolveLive } from '../../live/live-template.ts'
import { liveContext } from '../../live-context.ts'
import { runWith, type ScenarioRun, withDesktop } from '../../scenario-run.ts'
import { AuthoredRect } from '../../schema/common.ts'
import { inPlaceOf, withOpened } from '../scene.ts'
import { skipEffect } from './context.ts'

/** Windows of a state that follow the data: each is open while its condition holds, or there is one for each item of a list. */

/** A window that the data want to be open. */
interface WantedWindow {
  readonly uid: string
  readonly live: WindowTemplate
  readonly owner: string | undefined
  /** Undefined of a window that is built like any other. */
  readonly made: MadeWindow | undefined
}

/** What the window for an item is made from. */
interface MadeWindow {
  readonly items: ItemWindows
  readonly item: WindowItem
  readonly fields: ItemWindows['fixed']
}

/** When the windows are made. */
interface LiveWindowOptions {
  /** Whether names changed that a window depends on. */
  readonly isAffected: (binding: {
    readonly window: string
    readonly names: ReadonlySet<string>
    readonly readsScreen?: boolean
  }) => boolean
  readonly fromScratch?: boolean
  /** Whether the run starts, so that windows stand in the order of the file. */
  readonly isStart?: boolean
}

/**
 * Opens and closes the windows that follow the data, and shows the data in those for items.
 * @param before The run in which they were made last.
 */
export function withLiveWindows(
  program: LiveProgram,
  before: ScenarioRun,
  after: ScenarioRun,
  { isAffected, fromScratch = false, isStart = false }: LiveWindowOptions,
): ScenarioRun {
  const here = program.windows.filter(({ state }) => state === after.state)
  const affected = new Set(
    here.filter(
      ({ uid, names, items }) =>
        fromScratch || isAffected({ window: uid, names, readsScreen: items?.root.readsScreen ?? false }),
    ),
  )
  if (here.length === 0 || (affected.size === 0 && before.desktop.windows === after.desktop.windows)) return after
  let run = after
  const wanted = here.flatMap((live) => {
    const { windows, notes } = wantedOf(program, run, live)
    if (affected.has(live)) for (const note of notes) run = skipEffect(run, 'repeat', note)
    return windows
  })
  const there = withOwners(program, wanted, run)
  for (const { uid } of run.desktop.windows.filter((window) => liveWindowOf(program, run.state, window)))
    if (windowByUid(run.desktop, uid) && !there.some((window) => window.uid === uid))
      run = withDesktop(run, closeWindow(run.desktop, uid))
  const missing = withOwners(program, there, run).filter(({ uid }) => !windowByUid(run.desktop, uid))
  for (const window of missing) run = opened(program, before, run, window)
  if (isStart && missing.length > 0) run = withDesktop(run, inOrderOfFile(run, there))
  for (const { uid, live, made } of there) {
    const window = made && windowByUid(run.desktop, uid)
    if (window && (affected.has(live) || windowByUid(before.desktop, uid)?.tree !== window.tree))
      run = withItemShown(program, run, window, made, fromScratch)
  }
  return run
}

/** The live window of the file that an open window of a state belongs to. Undefined of others. */
export function liveWindowOf(program: LiveProgram, state: string, { uid, tree }: Window): WindowTemplate | undefined {
  const ofItem = uidInFile(tree)
  return program.windows.find(
    (live) =>
      live.state === state && live.uid === (ofItem ?? uid) && (live.items !== undefined) === (ofItem !== undefined),
  )
}

/** The windows that one of the file wants, in the order of its list, and why some are left out. */
function wantedOf(
  program: LiveProgram,
  run: ScenarioRun,
  live: WindowTemplate,
): { readonly windows: readonly WantedWindow[]; readonly notes: readonly string[] } {
  const { uid, condition = 'false', items } = live
  if (!items) {
    const result = evaluateLive(program.scope, condition, liveContext(run, undefined, uid))
    const window = { uid, live, owner: writtenWindow(run, uid)?.modalTo, made: undefined }
    if ('message' in result) return { windows: [], notes: [`if: ${result.message}`] }
    return { windows: result.value === true ? [window] : [], notes: [] }
  }
  const found = windowItems(live, items, run.desktop, refreshOptions(program, run, uid))
  const notes = [...found.notes]
  const windows = found.items.flatMap((item): readonly WantedWindow[] => {
    const fields = fieldsOf(program, run, items, item)
    if ('value' in fields)
      return [{ uid: item.uid, live, owner: fields.value.modal_to, made: { items, item, fields: fields.value } }]
    notes.push(`the window ${item.uid} has no ${fields.message}`)
    return []
  })
  return { windows, notes }
}

/** The window of a condition as the file has it. */
const writtenWindow = ({ scenario, state }: ScenarioRun, uid: string): Window | undefined =>
  scenario.states.get(state)?.optional.find((window) => window.uid === uid)

/** The fields of the window for an item. */
function fieldsOf(
  program: LiveProgram,
  run: ScenarioRun,
  { fixed, root, sides }: ItemWindows,
  { uid, locals }: WindowItem,
): Resolved<ItemWindows['fixed']> {
  const context = liveContext(run, undefined, uid)
  const names = { types: root.locals, values: locals }
  const resolved = resolveLive(program, fixed, context, names)
  if ('message' in resolved) return { message: `fields: ${resolved.message}` }
  const { title, process, modal_to: owner } = resolved.value
  const bounds = { ...(fixed.bounds ?? DEFAULT_BOUNDS) }
  for (const { side, text, first } of sides) {
    const result = evaluateLive(program.scope, text, context, names)
    if ('message' in result) return { message: `bounds: ${result.message}` }
    bounds[side as keyof Rect] += Number(result.value) - first
  }
  const wrong = AuthoredRect.safeParse(bounds).error?.issues[0]
  if (wrong) return { message: `bounds: ${wrong.path.join('.')}: ${wrong.message}` }
  const texts = {
    bounds,
    title: shownTitle(program, title, fixed.title),
    process: asText(process),
    modal_to: asText(owner),
  }
  return { value: { ...resolved.value, ...texts } }
}

const asText = (value: unknown): string | undefined => (value === undefined ? undefined : String(value))

/** A live title in the language of the variant. */
function shownTitle({ formatText }: LiveProgram, title: unknown, written: string | undefined): string | undefined {
  const text = asText(title)
  return text === undefined || text === written || !formatText ? text : formatText(text)
}

/** The windows without those that are modal to one that is not open. */
function withOwners(program: LiveProgram, wanted: readonly WantedWindow[], run: ScenarioRun): readonly WantedWindow[] {
  const others = run.desktop.windows.filter((window) => !liveWindowOf(program, run.state, window))
  const uids = new Set([...wanted, ...others].map(({ uid }) => uid))
  const left = wanted.filter(({ owner }) => owner === undefined || uids.has(owner))
  return left.length === wanted.length ? wanted : withOwners(program, left, run)
}

const refreshOptions = (program: LiveProgram, run: ScenarioRun, uid: string, fromScratch = false): RefreshOptions => ({
  program,
  contextNear: (window, items) => liveContext(run, undefined, window, items),
  earlier: run.kept.windows.get(uid)?.now,
  fromScratch,
})

/** The run with a window in front. One that was closed although the data want it is as it was. */
function opened(program: LiveProgram, before: ScenarioRun, run: ScenarioRun, wanted: WantedWindow): ScenarioRun {
  const { uid, made } = wanted
  const { desktop, kept } = run
  const was = windowByUid(before.desktop, uid)
  if (was) return withDesktop(run, withOpened(desktop, was))
  const last = kept === before.kept && before.state === run.state ? undefined : kept.windows.get(uid)
  if (made) return withItemOpened(program, run, wanted, made, last?.now)
  const window = writtenWindow(run, uid)
  if (!window) return run
  const metrics = styleMetrics(desktop.style, desktop.language)
  return withDesktop(
    run,
    withOpened(desktop, last ? inPlaceOf(window, last.authored, last.now, kept, metrics) : window),
  )
}

/** The run with the window for an item. @param last The window as it was when its state was left. */
function withItemOpened(
  program: LiveProgram,
  run: ScenarioRun,
  { uid, live }: WantedWindow,
  { items, item, fields }: MadeWindow,
  last: Window | undefined,
): ScenarioRun {
  const { desktop } = run
  const bounds = freeBounds(desktop, live.uid, fields.bounds ?? DEFAULT_BOUNDS)
  const { tree, notes } = itemTree(desktop, item, items, bounds, refreshOptions(program, run, uid))
  const built = buildWindow({ ...fields, bounds }, uid, freeHandle(desktop, uid), live.position, desktop, tree)
  const placed = fillMonitor({ ...built, uidInFile: live.uid }, desktop)
  const metrics = styleMetrics(desktop.style, desktop.language)
  const window = last ? inPlaceOf(placed, last, last, run.kept, metrics) : placed
  const next = withDesktop(run, withOpened(desktop, window))
  return notes.reduce((noted, note) => skipEffect(noted, 'repeat', note), next)
}

/** How far a window for an item is from one of the same file that is already where it would open. */
const STEP_PX = 32

/** Bounds at which no other window for an item is. */
function freeBounds({ windows }: Desktop, uid: string, wanted: Rect): Rect {
  const others = windows.filter(({ tree }) => uidInFile(tree) === uid)
  let bounds = wanted
  while (others.some((other) => other.bounds.x === bounds.x && other.bounds.y === bounds.y))
    bounds = { ...bounds, x: bounds.x + STEP_PX, y: bounds.y + STEP_PX }
  return bounds
}

/** The handle of a window for an item: it follows from its uid, so that it is the same whatever was opened before. */
function freeHandle({ windows }: Desktop, uid: string): number {
  const [drawn] = drawInteger(split(seededRandom(0), uid), 1_000_000, 9_999_999)
  let handle = drawn
  while (windows.some((window) => window.handle === String(handle))) handle++
  return handle
}

/** The windows of the start in the order of the file; of those for items, the last is in front. */
function inOrderOfFile({ scenario, state, desktop }: ScenarioRun, there: readonly WantedWindow[]): Desktop {
  const written = scenario.states.get(state)?.positions
  const positions = new Map<string, number>(written)
  for (const { uid, live } of there) positions.set(uid, live.position)
  const own = desktop.windows.filter(({ uid }) => positions.has(uid))
  const sorted = own.toSorted((a, b) => positions.get(a.uid)! - positions.get(b.uid)!).values()
  const windows = desktop.windows.map((window) => (positions.has(window.uid) ? sorted.next().value! : window))
  const front = windows.find((window) => window.state !== 'minimized' && !window.notification)
  const arranged = { ...desktop, windows }
  return front ? activateWindow(arranged, front.uid) : arranged
}

/** The run with the window for an item showing its item. */
function withItemShown(
  program: LiveProgram,
  run: ScenarioRun,
  window: Window,
  { items, item, fields }: MadeWindow,
  fromScratch: boolean,
): ScenarioRun {
  const options = refreshOptions(program, run, window.uid, fromScratch)
  const { desktop, notes } = refreshItemWindow(run.desktop, item, items, options)
  const titled = changeWindow(desktop, window.uid, (each) => {
    const isLive = (value: unknown) => typeof value === 'string' && program.templates.has(value)
    const title = isLive(items.fixed.title) ? (fields.title ?? '') : each.title
    const busy = isLive(items.fixed.busy) ? fields.busy : each.busy
    if (each.title === title && each.busy === busy) return each
    const { busy: _, ...rest } = each
    const named = { ...rest, title, ...(busy === undefined ? {} : { busy }) }
    return headerBarOf(named) ? layOutWindow(named, styleMetrics(desktop.style, desktop.language)) : named
  })
  const next = withDesktop(run, titled)
  return notes.reduce((noted, note) => skipEffect(noted, 'repeat', note), next)
}

/** Refreshes the window for an item in a desktop of a run. Undefined of other windows. */
export function itemWindowRefreshed(
  program: LiveProgram,
  run: ScenarioRun,
  desktop: Desktop,
  window: Window,
  options: RefreshOptions,
): RefreshedWindow | undefined {
  const live = liveWindowOf(program, run.state, window)
  if (!live?.items) return undefined
  const { items } = windowItems(live, live.items, desktop, options)
  const item = items.find(({ uid }) => uid === window.uid)
  return item && refreshItemWindow(desktop, item, live.items, options)
}

/**
 * What closing windows does to the data that they follow: it removes the item of a `repeat`, and makes the variable of a
 * condition false. For windows that a reaction of the file is about, the reaction decides.
 */
export function withClosedWindows(before: ScenarioRun, after: ScenarioRun): ScenarioRun {
  const { program } = after.scenario
  if (!program || program.windows.length === 0 || before.desktop === after.desktop) return after
  let run = after
  for (const window of before.desktop.windows) {
    const live = windowByUid(after.desktop, window.uid) ? undefined : liveWindowOf(program, before.state, window)
    const change = live && changeOfClosing(live, window)
    if (!change) continue
    const result = changeData(program.scope, run.data, change)
    run = 'message' in result ? skipEffect(run, 'close', result.message) : runWith(run, { data: result.data })
  }
  return run
}

function changeOfClosing({ closing }: WindowTemplate, { tree }: Window): Parameters<typeof changeData>[2] | undefined {
  switch (closing.kind) {
    case 'clear':
      return { var: closing.variable, to: false }
    case 'remove': {
      const place = instanceOf(tree)?.item?.place
      return place && { ...place, where: () => true, remove: true }
    }
    case 'react':
      return undefined
  }
}
