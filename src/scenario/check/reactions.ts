import { Fault } from '../../base/fault.ts'
import { parseChord } from '../../desktop/input/keys.ts'
import { valueOfText } from '../run/effects/effects.ts'
import { PREVIOUS_STATE } from '../run/reactions.ts'
import type { EventFieldType } from '../schema/common.ts'
import type {
  BrowseEffect,
  ElementChange,
  EmitEffect,
  FileChange,
  MoveEffect,
  Outcome,
  ScenarioEffect,
  VariableChange,
} from '../schema/effect.ts'
import type { ElementGuard, FileGuard, Guard, TimeGuard } from '../schema/guard.ts'
import type { Trigger } from '../schema/reaction.ts'
import { notOneOf } from '../source/problem.ts'
import type { KeyPath } from '../source/source.ts'
import { isGeneratedFrom } from './ids.ts'
import {
  type CheckContext,
  checkElement,
  checkPath,
  checkPattern,
  checkSelector,
  checkStates,
  checkWindow,
} from './names.ts'
import { checkTexts } from './texts.ts'

/** Checks the conditions and consequences of a reaction or timer, or what it schedules. */
export function checkOutcome(
  known: CheckContext,
  path: KeyPath,
  { when, set, transition_to }: Outcome,
  on: Trigger | undefined,
): void {
  when?.forEach((guard, index) => {
    checkGuard(known, [...path, 'when', index], guard)
  })
  set?.forEach((effect, index) => {
    checkEffect(known, [...path, 'set', index], effect)
    checkTexts(known, [...path, 'set', index], effect, on?.text_regex)
  })
  if (transition_to !== PREVIOUS_STATE) checkStates(known, [...path, 'transition_to'], transition_to)
}

function checkGuard(known: CheckContext, path: KeyPath, guard: Guard): void {
  if ('path' in guard) checkFileGuard(known, path, guard)
  else if ('selector' in guard) {
    checkSelector(known, [...path, 'selector'], guard.selector)
    if (guard.window !== undefined) checkOpenWindow(known, [...path, 'window'], guard.window)
    checkLimits(known, path, guard)
    if (guard.count !== undefined && (guard.min ?? guard.max) !== undefined)
      known.report([...path, 'count'], 'expected either count, or min and max', true)
  } else if ('time' in guard) checkTimeGuard(known, path, guard)
  else if ('happened' in guard) {
    checkHappening(known, [...path, 'happened'], guard.happened)
    checkLimits(known, path, guard)
  } else if (!('clipboard' in guard || 'expression' in guard)) checkElementGuard(known, path, guard)
}

/** Checks that `min` is not above `max`. */
export function checkLimits(
  known: CheckContext,
  path: KeyPath,
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
): void {
  if (min !== undefined && max !== undefined && min > max)
    known.report([...path, 'min'], 'must not be greater than max')
}

function checkTimeGuard(known: CheckContext, path: KeyPath, { time: { after_ms, before_ms } }: TimeGuard): void {
  if (after_ms === undefined && before_ms === undefined)
    known.report([...path, 'time'], 'has no condition; add after_ms or before_ms')
  if (after_ms !== undefined && before_ms !== undefined && after_ms >= before_ms)
    known.report([...path, 'time', 'after_ms'], 'must be less than before_ms')
}

/** Checks the name of an event, or the id of a reaction or timer. */
export function checkHappening({ happenings, report }: CheckContext, path: KeyPath, name: string): void {
  if (happenings.includes(name)) return
  const listed = happenings.length === 0 ? 'there are none' : `there are ${happenings.join(', ')}`
  const wrong = `there is no event, reaction or timer ${JSON.stringify(name)}`
  report(path, notOneOf(wrong, name, happenings, listed))
}

function checkFileGuard(known: CheckContext, path: KeyPath, guard: FileGuard): void {
  checkPath(known, [...path, 'path'], guard.path)
  checkPattern(known, [...path, 'text_regex'], guard.text_regex)
  if (Object.keys(guard).length > 1) return
  known.report(path, 'has no condition; add exists, text or text_regex')
}

function checkElementGuard(known: CheckContext, path: KeyPath, guard: ElementGuard): void {
  checkElement(known, path, { window: guard.window, id: guard.id })
  checkPattern(known, [...path, 'value_regex'], guard.value_regex)
  if (!saysNothing(guard)) return
  known.report(path, 'has no condition; add for example value or enabled')
}

function checkEffect(known: CheckContext, path: KeyPath, effect: ScenarioEffect): void {
  if ('path' in effect) checkFileChange(known, path, effect)
  else if ('var' in effect) checkVariableChange(known, path, effect)
  else if ('menu' in effect) checkElement(known, path, { window: effect.window, menu: effect.menu })
  else if ('open' in effect) {
    if (typeof effect.open === 'string') checkWindow(known, [...path, 'open'], effect.open)
  } else if ('close' in effect) checkOpenWindow(known, [...path, 'close'], effect.close)
  else if ('focus' in effect) checkOpenWindow(known, [...path, 'focus'], effect.focus)
  else if ('move' in effect) checkMove(known, path, effect)
  else if ('emit' in effect) checkEmit(known, path, effect)
  else if ('undo' in effect && !('toast' in effect)) checkUndo(known, [...path, 'undo'], effect.undo)
  else if ('browse' in effect) checkBrowse(known, path, effect)
  else if ('schedule' in effect) checkDelay(known, [...path, 'schedule'], effect.schedule.after_ms)
  else if ('clipboard' in effect || 'toast' in effect || 'redo' in effect || 'log' in effect || 'navigate' in effect)
    return
  else if (!('theme' in effect)) checkElementChange(known, path, effect)
}

/** The keys beside `browse` that only some of its values have. Those with a value that needs them. */
const BESIDE_BROWSE: Readonly<
  Record<string, { readonly of: readonly BrowseEffect['browse'][]; readonly isNeeded?: true }>
> = {
  tab: { of: ['show_tab', 'close_tab'] },
  text: { of: ['alert', 'confirm', 'prompt'], isNeeded: true },
  value: { of: ['prompt'] },
  permission: { of: ['ask'], isNeeded: true },
  accepted: { of: ['alert', 'confirm', 'prompt', 'ask'] },
  refused: { of: ['confirm', 'prompt', 'ask'] },
}

function checkBrowse({ report }: CheckContext, path: KeyPath, effect: BrowseEffect): void {
  const { browse } = effect
  for (const [key, { of, isNeeded }] of Object.entries(BESIDE_BROWSE)) {
    const isGiven = effect[key as keyof BrowseEffect] !== undefined
    if (isGiven && !of.includes(browse)) report([...path, key], `${browse} has no ${key}; ${of.join(', ')} may`, true)
    if (!isGiven && isNeeded && of.includes(browse)) report(path, `${browse} needs ${key}`)
  }
}

/** Checks the id of a reaction whose changes are undone. */
export function checkUndo({ reactionIds, report }: CheckContext, path: KeyPath, name: string, where = ''): void {
  if (name === 'last' || reactionIds.includes(name)) return
  const listed = `expected last or the id of a reaction${reactionIds.length === 0 ? '' : `: ${reactionIds.join(', ')}`}`
  report(path, notOneOf(`${where}there is no reaction ${JSON.stringify(name)}`, name, ['last', ...reactionIds], listed))
}

/** Checks the keys; names, types and expressions are checked with the live expressions. */
function checkVariableChange(known: CheckContext, path: KeyPath, change: VariableChange): void {
  const { to, append, change: fields, remove, move, sort_by, where, descending } = change
  const { insert_column, remove_column } = change
  const ofList = [append, fields ?? (append === undefined ? move : undefined), remove, sort_by]
  const given = [to, ...ofList, insert_column, remove_column].filter((value) => value !== undefined)
  if (given.length !== 1)
    known.report(path, 'expected one of to, append, change, remove, move, sort_by, insert_column and remove_column')
  if (where !== undefined && fields === undefined && remove === undefined && move === undefined)
    known.report([...path, 'where'], 'chooses records for change, remove or move, which is missing', true)
  if (move !== undefined && where === undefined && append === undefined && !change.var.startsWith('event.'))
    known.report(
      [...path, 'move'],
      'moves the records that where chooses, an item such as event.item, or one that append adds',
      true,
    )
  if (descending !== undefined && sort_by === undefined)
    known.report([...path, 'descending'], 'is about sorting; add sort_by', true)
}

/** A window that may be open: one of the file, or a dialog that the desktop made for one. */
function checkOpenWindow(known: CheckContext, path: KeyPath, uid: string): void {
  if (!isGeneratedFrom(known.ids, uid)) checkWindow(known, path, uid)
}

function checkMove(known: CheckContext, path: KeyPath, { move, ...bounds }: MoveEffect): void {
  checkOpenWindow(known, [...path, 'move'], move)
  if (Object.keys(bounds).length === 0) known.report(path, 'moves nothing; add x, y, width or height')
}

function checkEmit(known: CheckContext, path: KeyPath, { emit, with: given = {} }: EmitEffect): void {
  const { events, report } = known
  const names = Object.keys(events)
  if (!Object.hasOwn(events, emit)) {
    const listed = names.length === 0 ? 'events declares none' : `the events are ${names.join(', ')}`
    report([...path, 'emit'], notOneOf(`there is no event ${JSON.stringify(emit)}`, emit, names, listed))
    return
  }
  const fields = events[emit] ?? {}
  for (const [name, value] of Object.entries(given)) {
    const type = fields[name]
    const listed =
      Object.keys(fields).length === 0 ? 'it has no fields' : `its fields are ${Object.keys(fields).join(', ')}`
    if (type === undefined)
      report(
        [...path, 'with', name],
        notOneOf(`the event ${emit} has no field ${JSON.stringify(name)}`, name, Object.keys(fields), listed),
        true,
      )
    else if (!fitsType(value, type)) report([...path, 'with', name], `expected ${type}, found ${JSON.stringify(value)}`)
  }
  for (const name of Object.keys(fields))
    if (!Object.hasOwn(given, name))
      report(path, `the field ${JSON.stringify(name)} of the event ${emit} is missing under with`)
}

/** A text with a placeholder becomes the value when it is filled. Numbers under keys such as `id` were read as texts. */
function fitsType(value: string | number | boolean | null, type: EventFieldType): boolean {
  if (value === null || type === 'any' || (typeof value === 'string' && value.includes('{'))) return true
  if (typeof value === 'string' && type !== 'text') return valueOfText(value, type) !== null
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === (type === 'text' ? 'string' : type)
}

/** Reports a delay whose ends are in the wrong order. */
export function checkDelay(
  known: CheckContext,
  path: KeyPath,
  delay: number | { readonly between: readonly [number, number] } | undefined,
): void {
  if (typeof delay === 'object' && delay.between[0] > delay.between[1])
    known.report([...path, 'after_ms', 'between'], 'the first number must not be greater than the second')
}

function checkFileChange(known: CheckContext, path: KeyPath, change: FileChange): void {
  for (const key of ['path', 'copy_to', 'move_to'] as const) checkPath(known, [...path, key], change[key])
  if (Object.keys(change).length !== 2) known.report(path, 'expected one of text, copy_to, move_to and remove')
}

/** The fields of a window that a change without an id can set. */
const OF_WINDOWS = ['title', 'busy', 'bounds', 'remove', 'window', 'id', 'state']

function checkElementChange(known: CheckContext, path: KeyPath, change: ElementChange): void {
  const { report: complain } = known
  checkElement(known, path, { window: change.window, id: change.id })
  if (change.id === undefined && change.window === undefined)
    complain(path, 'expected the id of an element, or the uid of a window under the key window')
  if (saysNothing(change)) complain(path, 'changes nothing')
  for (const key of Object.keys(change)) {
    if (change.id === undefined && !OF_WINDOWS.includes(key))
      complain([...path, key], 'is of an element; give its id', true)
    if (change.id !== undefined && (key === 'title' || key === 'busy' || key === 'state'))
      complain([...path, key], 'is of a window; leave the id out', true)
  }
}

const saysNothing = (entry: object): boolean => Object.keys(entry).every((key) => key === 'id' || key === 'window')

type TriggerTool = NonNullable<Trigger['tool']>

/** The tools for which each condition can hold. `any` includes all of them. */
const TOOLS_OF = {
  text_regex: ['type_text', 'press_key', 'set_value', 'select_option', 'webmcp_call'],
  keys: ['press_key'],
  region: ['click_element', 'double_click_element', 'right_click_element', 'hover_element', 'drag', 'drop', 'scroll'],
  from_id: ['drop'],
  from_selector: ['drop'],
} as const satisfies Partial<Record<keyof Trigger, readonly TriggerTool[]>>

const MISSING: Readonly<Record<keyof typeof TOOLS_OF, string>> = {
  text_regex: 'text',
  keys: 'keys',
  region: 'position',
  from_id: 'dragged element',
  from_selector: 'dragged element',
}

/** Checks the names and patterns of a trigger, and that its conditions fit its tool. */
export function checkTrigger(known: CheckContext, path: KeyPath, trigger: Trigger): void {
  const { report } = known
  const { tool, changed, changed_var, keys, selector, from_selector } = trigger
  checkElement(known, path, {
    window: trigger.window,
    target_id: trigger.target_id,
    changed,
  })
  if (trigger.from_id !== undefined) checkElement(known, path, { window: undefined, from_id: trigger.from_id })
  checkPattern(known, [...path, 'text_regex'], trigger.text_regex)
  if (selector !== undefined) checkSelector(known, [...path, 'selector'], selector)
  if (from_selector !== undefined) checkSelector(known, [...path, 'from_selector'], from_selector)
  if (keys !== undefined) checkKeys(known, [...path, 'keys'], keys)
  if (changed !== undefined || changed_var !== undefined) {
    for (const key of ['tool', 'keys', 'region', 'from_id', 'from_selector'] as const)
      if (trigger[key] !== undefined) report([...path, key], 'a trigger on a change has none; leave it out', true)
    if (changed !== undefined && changed_var !== undefined)
      report([...path, 'changed_var'], 'expected either changed or changed_var', true)
    return
  }
  if (tool === undefined && keys === undefined)
    report(path, 'the tool is missing; expected one of tool, keys, changed and changed_var')
  for (const key of Object.keys(TOOLS_OF) as (keyof typeof TOOLS_OF)[]) {
    const tools: readonly TriggerTool[] = TOOLS_OF[key]
    if (trigger[key] === undefined || tool === undefined || tool === 'any' || tools.includes(tool)) continue
    const others = tools.length === 1 ? `${tools[0]} does` : `${tools.join(', ')} do`
    report([...path, key], `${tool} has no ${MISSING[key]}; ${others}`, true)
  }
}

function checkKeys({ report }: CheckContext, path: KeyPath, keys: string): void {
  try {
    parseChord(keys)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    report(path, error.message)
  }
}
