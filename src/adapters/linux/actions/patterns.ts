import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../../../base/fault.ts'
import type { Element } from '../../../desktop/model/element.ts'
import { describeElement } from '../../element-target.ts'
import { ATSPI, GET, PROPERTIES } from '../accessibility/accessibility.ts'
import { withoutPadding } from '../accessibility/accessible-node.ts'
import type { ElementSource } from '../accessibility/element-tree.ts'
import { hasState, ROLE } from '../accessibility/roles.ts'
import type { Bus, BusMethod, ObjectRef } from '../dbus.ts'

/** Actions on accessible objects without pointer and keyboard. Each returns whether it succeeded. */

const of = (pattern: string, member: string, takes?: string): BusMethod => ({
  interface: `${ATSPI}.${pattern}`,
  member,
  ...(takes ? { signature: takes } : {}),
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
const INDEX_IN_PARENT = of('Accessible', 'GetIndexInParent')
const SET: BusMethod = { interface: PROPERTIES, member: 'Set', signature: 'ssv' }

const MAX_ACTIONS = 8
const MAX_READ_BACK_MS = 400
const READ_BACK_INTERVAL_MS = 15
const SCROLL_ANYWHERE = 6
/** The end of a text. GTK 4 returns nothing for -1. */
const TEXT_END = 0x7fff_ffff

/** The names that toolkits give to a click action. Labels and windows of GTK 4 offer dozens of other actions. */
const CLICKS = ['click', 'press', 'toggle', 'jump', 'open', 'showmenu', 'do default']
const INVOKES = [...CLICKS, 'activate', 'expand or contract', 'expand', 'select']

/** Roles in which a click places the caret. Their action, if any, does something else. */
const CLICKED_BY_POINTER: ReadonlySet<number> = new Set([ROLE.text, ROLE.entry, ROLE.passwordText])

/** Performs the click action of an object. */
export const doClickAction = async (bus: Bus, source: ElementSource): Promise<boolean> =>
  !CLICKED_BY_POINTER.has(source.role) && act(bus, source, CLICKS)

/** Performs the default action of an object. */
export const doDefaultAction = (bus: Bus, source: ElementSource): Promise<boolean> => act(bus, source, INVOKES)

async function act(bus: Bus, source: ElementSource, wanted: readonly string[]): Promise<boolean> {
  const index = await actionNamed(bus, source, wanted)
  if (index === undefined) return false
  try {
    return (await bus.tryCall<boolean>(source.ref, DO_ACTION, index)) === true
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'Timeout')) throw error
    // Qt returns from an action once the menu or dialog that it has opened is closed, and answers other calls meanwhile.
    await bus.tryCall(source.ref, STATES)
    return true
  }
}

/** The index of the first of `wanted` that an object offers. The only action of Chromium has no name. */
async function actionNamed(bus: Bus, source: ElementSource, wanted: readonly string[]): Promise<number | undefined> {
  if (!source.patterns.has('Action')) return undefined
  const count = (await bus.tryCall<number>(source.ref, GET, `${ATSPI}.Action`, 'NActions')) ?? 0
  const asked = Array.from({ length: Math.min(count, MAX_ACTIONS) }, (_, index) =>
    bus.tryCall<string>(source.ref, ACTION_NAME, index),
  )
  const names = (await Promise.all(asked)).map((name) => (name ?? '').toLowerCase())
  if (count === 1 && names[0] === '') return 0
  for (const name of wanted) {
    const index = names.indexOf(name)
    if (index >= 0) return index
  }
  return undefined
}

/** Focuses an object within its window. The state is checked, because some objects report success wrongly. */
export async function grabFocus(bus: Bus, source: ElementSource): Promise<boolean> {
  if (!source.patterns.has('Component')) return false
  if ((await bus.tryCall<boolean>(source.ref, GRAB_FOCUS)) !== true) return false
  return hasState((await bus.tryCall<readonly number[]>(source.ref, STATES)) ?? [], 'focused')
}

/** Asks the containers of an object to scroll it into view. */
export async function scrollIntoView(bus: Bus, source: ElementSource): Promise<boolean> {
  if (!source.patterns.has('Component')) return false
  return (await bus.tryCall<boolean>(source.ref, SCROLL_TO, SCROLL_ANYWHERE)) === true
}

/** Sets a number or a text. Returns false when the object accepts one only by keys. Throws when it accepts none. */
export async function setElementValue(
  bus: Bus,
  element: Element,
  source: ElementSource,
  value: string,
  clearFirst: boolean,
): Promise<boolean> {
  if (element.traits?.readOnly) throw cannotSet(element, 'is read-only')
  if (source.patterns.has('Value') && value.trim() !== '' && (await setNumber(bus, source, Number(value)))) return true
  if (await (clearFirst ? setText(bus, source, value) : appendText(bus, source, value))) return true
  if (hasState(source.states, 'editable') || source.patterns.has('EditableText')) return false
  throw cannotSet(element, source.patterns.has('Value') ? `does not accept ${value}` : 'has no value that can be set')
}

const cannotSet = (element: Element, why: string): Fault =>
  new Fault('PatternUnsupported', `${describeElement(element)} ${why}`, { element_id: element.id })

/** Replaces the text of an object and reads it back. */
async function setText(bus: Bus, source: ElementSource, text: string): Promise<boolean> {
  if (!source.patterns.has('EditableText')) return false
  if ((await bus.tryCall<boolean>(source.ref, SET_TEXT, text)) !== true) return false
  return waitUntilSet(async () => holds(await readText(bus, source.ref), source, text))
}

/** Compares the displayed text. Of a password, which is displayed as dots, only the length is compared. */
const holds = (shown: string | undefined, { role }: ElementSource, text: string): boolean =>
  role === ROLE.passwordText ? [...(shown ?? '')].length === [...text].length : shown === text

/** Polls until a value is read back. Browsers confirm a value before they have it, or without accepting it. */
async function waitUntilSet(isSet: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + MAX_READ_BACK_MS
  while (!(await isSet())) {
    if (Date.now() > deadline) return false
    await sleep(READ_BACK_INTERVAL_MS)
  }
  return true
}

/** Appends to the text of an object. */
async function appendText(bus: Bus, source: ElementSource, text: string): Promise<boolean> {
  if (!source.patterns.has('EditableText')) return false
  const before = await readText(bus, source.ref)
  if (before === undefined) return false
  const end = [...before].length
  if ((await bus.tryCall<boolean>(source.ref, INSERT_TEXT, end, text, Buffer.byteLength(text))) !== true) return false
  // A program may format the text differently, but accepted text must not be typed again.
  return text === '' || waitUntilSet(async () => (await readText(bus, source.ref)) !== before)
}

/** Reads the text of an object. Firefox returns nothing for an end beyond the text. */
async function readText(bus: Bus, ref: ObjectRef): Promise<string | undefined> {
  const count = await bus.tryCall<number>(ref, GET, `${ATSPI}.Text`, 'CharacterCount')
  const text = await bus.tryCall<string>(ref, READ_TEXT, 0, count !== undefined && count >= 0 ? count : TEXT_END)
  return text === undefined ? undefined : withoutPadding(text)
}

/** Sets a number. Returns false when the object did not accept exactly this one. */
async function setNumber(bus: Bus, source: ElementSource, value: number): Promise<boolean> {
  if (!source.patterns.has('Value') || !Number.isFinite(value)) return false
  await bus.tryCall(source.ref, SET, `${ATSPI}.Value`, 'CurrentValue', ['d', value])
  return waitUntilSet(async () => {
    const now = await bus.tryCall<number>(source.ref, GET, `${ATSPI}.Value`, 'CurrentValue')
    return now !== undefined && Math.abs(now - value) < 1e-6
  })
}

/** Selects a child by its index. */
export async function selectChild(bus: Bus, source: ElementSource, index: number): Promise<boolean> {
  if (!source.patterns.has('Selection')) return false
  return (await bus.tryCall<boolean>(source.ref, SELECT_CHILD, index)) === true
}

/** Selects an object in its parent. */
export async function selectInParent(bus: Bus, parent: ElementSource, { ref }: ElementSource): Promise<boolean> {
  const index = await bus.tryCall<number>(ref, INDEX_IN_PARENT)
  return index !== undefined && index >= 0 && (await selectChild(bus, parent, index))
}
