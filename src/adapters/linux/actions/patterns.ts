import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import type { Element } from '../../../desktop/model/element.ts'
import { ATSPI, GET, PROPERTIES } from '../accessibility/accessibility.ts'
import { nameOf } from '../accessibility/element-lookup.ts'
import type { Place } from '../accessibility/element-tree.ts'
import { hasState, ROLE } from '../accessibility/roles.ts'
import type { Bus, Method, Ref } from '../dbus/bus.ts'

/** What can be done to an accessible object without pointer and keyboard. Each answers whether it was done. */

const of = (pattern: string, member: string, takes?: string): Method => ({
  interface: `${ATSPI}.${pattern}`,
  member,
  ...(takes ? { takes } : {}),
})
const ACTION_NAME = of('Action', 'GetName', 'i')
const DO_ACTION = of('Action', 'DoAction', 'i')
const GRAB_FOCUS = of('Component', 'GrabFocus')
const SCROLL_TO = of('Component', 'ScrollTo', 'u')
const SET_TEXT = of('EditableText', 'SetTextContents', 's')
const INSERT_TEXT = of('EditableText', 'InsertText', 'isi')
const READ_TEXT = of('Text', 'GetText', 'ii')
const SELECT_CHILD = of('Selection', 'SelectChild', 'i')
const STATES = of('Accessible', 'GetState')
const SET: Method = { interface: PROPERTIES, member: 'Set', takes: 'ssv' }

const ACTIONS_MOST = 8
const READ_BACK_MOST_MS = 400
const READ_BACK_POLL_MS = 15
const SCROLL_ANYWHERE = 6
/** GTK 4 answers nothing for "to the end" written as -1. */
const TEXT_END = 0x7fff_ffff

/** What toolkits call the action of a click; labels and windows of GTK 4 offer dozens of others. */
const CLICKS = ['click', 'press', 'toggle', 'jump', 'open', 'showmenu', 'do default']
const INVOKES = [...CLICKS, 'activate', 'expand or contract', 'expand', 'select']

/** Their click puts the caret or the selection somewhere; their action, where there is one, does something else. */
const POINTED_AT: ReadonlySet<number> = new Set([ROLE.text, ROLE.entry, ROLE.passwordText])

/** Does what a click does, by the object's own action. */
export const press = async (bus: Bus, place: Place): Promise<boolean> =>
  !POINTED_AT.has(place.role) && act(bus, place, CLICKS)

/** Does what the object is there for. */
export const invoke = (bus: Bus, place: Place): Promise<boolean> => act(bus, place, INVOKES)

async function act(bus: Bus, place: Place, wanted: readonly string[]): Promise<boolean> {
  const index = await actionNamed(bus, place, wanted)
  return index !== undefined && (await bus.try<boolean>(place.ref, DO_ACTION, index)) === true
}

/** The index of the first of `wanted` that an object offers; Chromium's only action has no name. */
async function actionNamed(bus: Bus, place: Place, wanted: readonly string[]): Promise<number | undefined> {
  if (!place.patterns.has('Action')) return undefined
  const count = (await bus.try<number>(place.ref, GET, `${ATSPI}.Action`, 'NActions')) ?? 0
  const asked = Array.from({ length: Math.min(count, ACTIONS_MOST) }, (_, index) =>
    bus.try<string>(place.ref, ACTION_NAME, index),
  )
  const names = (await Promise.all(asked)).map((name) => (name ?? '').toLowerCase())
  if (count === 1 && names[0] === '') return 0
  for (const name of wanted) {
    const index = names.indexOf(name)
    if (index >= 0) return index
  }
  return undefined
}

/** Asks the object to take the keyboard within its window; some say that they did and did not. */
export async function grabFocus(bus: Bus, place: Place): Promise<boolean> {
  if (!place.patterns.has('Component')) return false
  if ((await bus.try<boolean>(place.ref, GRAB_FOCUS)) !== true) return false
  return hasState((await bus.try<readonly number[]>(place.ref, STATES)) ?? [], 'focused')
}

/** Asks the containers of the object to scroll it into sight. */
export async function scrollIntoView(bus: Bus, place: Place): Promise<boolean> {
  if (!place.patterns.has('Component')) return false
  return (await bus.try<boolean>(place.ref, SCROLL_TO, SCROLL_ANYWHERE)) === true
}

/** Sets a number or a text; false when it takes one, but not in this way. Throws when it takes none at all. */
export async function setValue(
  bus: Bus,
  element: Element,
  place: Place,
  value: string,
  clearFirst: boolean,
): Promise<boolean> {
  if (element.traits?.readOnly) throw unsettable(element, 'is read-only')
  if (place.patterns.has('Value') && value.trim() !== '' && (await setNumber(bus, place, Number(value)))) return true
  if (await (clearFirst ? setText(bus, place, value) : appendText(bus, place, value))) return true
  if (hasState(place.states, 'editable') || place.patterns.has('EditableText')) return false
  throw unsettable(element, place.patterns.has('Value') ? `does not take ${value}` : 'holds no value that can be set')
}

const unsettable = (element: Element, why: string): Fault =>
  new Fault('PatternUnsupported', `${nameOf(element)} ${why}`, { element_id: element.id })

/** Replaces the object's text and reads it back. */
async function setText(bus: Bus, place: Place, text: string): Promise<boolean> {
  if (!place.patterns.has('EditableText')) return false
  if ((await bus.try<boolean>(place.ref, SET_TEXT, text)) !== true) return false
  return readsBack(async () => holds(await readText(bus, place.ref), place, text))
}

/** A password shows dots for what it holds, so only how many they are can be compared. */
const holds = (shown: string | undefined, { role }: Place, text: string): boolean =>
  role === ROLE.passwordText ? [...(shown ?? '')].length === [...text].length : shown === text

/** Asks until what was set is read back; browsers agree to a value a moment before they have it, or without taking it. */
async function readsBack(isSet: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + READ_BACK_MOST_MS
  while (!(await isSet())) {
    if (Date.now() > deadline) return false
    await sleep(READ_BACK_POLL_MS)
  }
  return true
}

/** Adds to the end of the object's text. */
async function appendText(bus: Bus, place: Place, text: string): Promise<boolean> {
  if (!place.patterns.has('EditableText')) return false
  const before = await readText(bus, place.ref)
  if (before === undefined) return false
  const end = [...before].length
  if ((await bus.try<boolean>(place.ref, INSERT_TEXT, end, text, Buffer.byteLength(text))) !== true) return false
  // A program may write it differently, but what it has taken must not be typed once more.
  return text === '' || readsBack(async () => (await readText(bus, place.ref)) !== before)
}

/** Firefox answers nothing for an end beyond the text. */
async function readText(bus: Bus, ref: Ref): Promise<string | undefined> {
  const count = await bus.try<number>(ref, GET, `${ATSPI}.Text`, 'CharacterCount')
  return bus.try<string>(ref, READ_TEXT, 0, count !== undefined && count >= 0 ? count : TEXT_END)
}

/** Sets a number; false when the object did not take exactly this one. */
async function setNumber(bus: Bus, place: Place, value: number): Promise<boolean> {
  if (!place.patterns.has('Value') || !Number.isFinite(value)) return false
  await bus.try(place.ref, SET, `${ATSPI}.Value`, 'CurrentValue', ['d', value])
  return readsBack(async () => {
    const now = await bus.try<number>(place.ref, GET, `${ATSPI}.Value`, 'CurrentValue')
    return now !== undefined && Math.abs(now - value) < 1e-6
  })
}

/** Selects a child by its place among the object's children. */
export async function selectChild(bus: Bus, place: Place, index: number): Promise<boolean> {
  if (!place.patterns.has('Selection')) return false
  return (await bus.try<boolean>(place.ref, SELECT_CHILD, index)) === true
}
