import { Fault } from '../../base/fault.ts'
import { focusElement, takesKeys } from '../input/focus.ts'
import type { Desktop } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import { kindOf } from '../model/role.ts'
import { changeSpot, parentOf, type Spot, targetOf } from '../tree/spot.ts'
import { notePress } from './pressed.ts'
import type { Widget } from './widget.ts'

/** The value of a box that is neither ticked nor empty. */
const MIXED = 'mixed'

/** CheckBox: off and on; one with `traits.triState` goes on to mixed before it is off again. */
export const checkbox: Widget = {
  click: tick,
  invoke: tick,
  key: (desktop, spot, { modifiers, key }) =>
    modifiers.length === 0 && key === 'space' ? tick(desktop, spot) : undefined,
  setValue: (desktop, spot, value) => changeSpot(desktop, spot, (box) => ticked(box, value)),
}

/** Toggle and switch: off and on. Enter works on them as well. */
export const toggle: Widget = {
  ...checkbox,
  key: (desktop, spot, { modifiers, key }) =>
    modifiers.length === 0 && (key === 'space' || key === 'enter') ? tick(desktop, spot) : undefined,
}

/** RadioButton: exactly one of those with the same parent; arrows move the choice together with the keyboard. */
export const radio: Widget = {
  click: choose,
  invoke: pressRadio,
  key(desktop, spot, { modifiers, key }) {
    if (modifiers.length > 0) return undefined
    if (key === 'space') return pressRadio(desktop, spot)
    if (key === 'down' || key === 'right') return chooseNext(desktop, spot, 1)
    if (key === 'up' || key === 'left') return chooseNext(desktop, spot, -1)
    return undefined
  },
}

/** What a click does: ticks a box, or chooses a radio button. */
export const mark = (desktop: Desktop, spot: Spot): Desktop =>
  kindOf(spot.element.role) === 'radio' ? choose(desktop, spot) : tick(desktop, spot)

function tick(desktop: Desktop, spot: Spot): Desktop {
  return changeSpot(desktop, spot, (box) => {
    if (!box.traits?.triState) return withFields(box, { selected: box.selected !== true, ...unmixed(box) })
    if (box.value === MIXED) return withFields(box, { selected: false, value: null })
    return box.selected === true
      ? withFields(box, { selected: false, value: MIXED })
      : withFields(box, { selected: true, value: null })
  })
}

function ticked(box: Element, value: string): Element {
  const word = value.trim().toLowerCase()
  if (word === MIXED && box.traits?.triState) return withFields(box, { selected: false, value: MIXED })
  const on = ['true', 'on', 'yes', '1', 'checked'].includes(word)
  if (!on && !['false', 'off', 'no', '0', 'unchecked', ''].includes(word)) throw notAState(box, value)
  return withFields(box, { selected: on, ...unmixed(box) })
}

const notAState = (box: Element, value: string): Fault =>
  new Fault('BadRequest', `"${box.name}" is ticked with "true" or "false"; ${JSON.stringify(value)} is neither`, {
    value,
  })

const unmixed = (box: Element): Partial<Element> => (box.value === MIXED ? { value: null } : {})

/** Chooses a radio button and no other of its group. */
function choose(desktop: Desktop, spot: Spot): Desktop {
  const group = parentOf(spot)
  if (!group) return changeSpot(desktop, spot, (button) => withFields(button, { selected: true }))
  return changeSpot(desktop, group, (parent) => chosenAmong(parent, spot.element.id))
}

function pressRadio(desktop: Desktop, spot: Spot): Desktop {
  return notePress(choose(desktop, spot), targetOf(spot))
}

function chosenAmong(parent: Element, id: string): Element {
  const children = parent.children.map((child) =>
    kindOf(child.role) === 'radio' ? withFields(child, { selected: child.id === id }) : child,
  )
  return children.every((child, index) => child === parent.children[index]) ? parent : { ...parent, children }
}

/** The next button of the group that takes keys, round and round, gets the choice and the keyboard. */
function chooseNext(desktop: Desktop, spot: Spot, direction: 1 | -1): Desktop {
  const buttons =
    parentOf(spot)?.element.children.filter((child) => kindOf(child.role) === 'radio' && takesKeys(child)) ?? []
  const here = buttons.findIndex((button) => button.id === spot.element.id)
  const next = buttons.at((here + direction) % Math.max(1, buttons.length))
  if (!next || next.id === spot.element.id) return desktop
  const to = { ...spot, element: next }
  return focusElement(pressRadio(desktop, to), targetOf(to))
}
