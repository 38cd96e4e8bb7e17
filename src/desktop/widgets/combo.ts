import { type Chord, characterOf } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import { kindOf } from '../model/role.ts'
import { isOpen } from '../tree/fold.ts'
import { changeSpot, parentOf, refresh, type Spot, targetOf, withTraits } from '../tree/spot.ts'
import { open, pointAt, rowsOf, scrollPopup } from './placement.ts'
import { close } from './popup.ts'
import { noteChoice, notePress } from './pressed.ts'
import { findTyped, namesOf, optionAmong } from './selection.ts'
import type { Widget } from './widget.ts'

/** ComboBox: its value is the name of the option chosen; open, its options stand below it. */
export const combo: Widget = {
  click: toggleOpen,
  invoke: toggleOpen,
  key: (desktop, spot, chord) => (isOpen(spot.element) ? keyWhileOpen : keyWhileClosed)(desktop, spot, chord),
  type: typeAhead,
  setValue(desktop, spot, value) {
    const options = optionsOf(spot.element)
    if (isEditable(spot.element) && !options.some(({ name }) => name === value))
      return close(withValue(desktop, spot, value, undefined), spot)
    return commit(desktop, spot, optionAmong(options, { name: value }))
  },
  select: (desktop, spot, option) => commit(desktop, spot, optionAmong(optionsOf(spot.element), option)),
  scroll(desktop, spot, clicks) {
    if (isOpen(spot.element)) return scrollPopup(desktop, spot, clicks)
    return spot.element.focused || isTypedInto(spot.element) ? step(desktop, spot, -Math.sign(clicks)) : undefined
  },
}

/** The options that can be chosen. */
export const optionsOf = (combo: Element): readonly Element[] =>
  rowsOf(combo).filter((row) => row.enabled && kindOf(row.role) !== 'separator')

/** Any text is a value of a combo box with a text field in it, and of one without options. */
const isEditable = (combo: Element): boolean =>
  combo.children.some((child) => kindOf(child.role) === 'edit') || optionsOf(combo).length === 0

const isTypedInto = (combo: Element): boolean =>
  combo.children.some((child) => kindOf(child.role) === 'edit' && child.focused && !child.traits?.readOnly)

/** Chooses an option and closes the list. */
export function commit(desktop: Desktop, spot: Spot, option: Element): Desktop {
  const shut = close(desktop, spot)
  const here = refresh(shut, spot)
  return here ? choose(shut, here, option) : shut
}

const choose = (desktop: Desktop, spot: Spot, { name, id }: Element): Desktop =>
  noteChoice(withValue(desktop, spot, name, id), { ...targetOf(spot), element: id })

/** What is typed in the text field of a combo box is its value; in its open list the option that begins so is marked. */
export function withTyped(desktop: Desktop, spot: Spot, text: string): Desktop {
  if (spot.element.value === text) return desktop
  const options = optionsOf(spot.element)
  const typed = withValue(desktop, spot, text, options.find(({ name }) => name === text)?.id)
  const begun = text.toLowerCase()
  const like = begun === '' ? undefined : options.find(({ name }) => name.toLowerCase().startsWith(begun))
  return isOpen(spot.element) ? pointAt(typed, spot, like?.id) : typed
}

/** The combo box that a list item, button or text field is part of. */
export function comboOf(spot: Spot): Spot | undefined {
  for (let up = parentOf(spot); up; up = parentOf(up)) {
    const kind = kindOf(up.element.role)
    if (kind === 'combo') return up
    if (kind !== 'list' && kind !== 'group') return undefined
  }
  return undefined
}

export function toggleOpen(desktop: Desktop, spot: Spot): Desktop {
  if (isOpen(spot.element)) return close(desktop, spot)
  const shown = open(desktop, spot, 'below')
  const here = refresh(shown, spot)
  return here ? pointAt(shown, here, chosenOf(here.element)?.id) : shown
}

const pressOpen = (desktop: Desktop, spot: Spot): Desktop => notePress(toggleOpen(desktop, spot), targetOf(spot))

const chosenOf = (combo: Element): Element | undefined => {
  const options = optionsOf(combo)
  return options.find(({ selected }) => selected === true) ?? options.find(({ name }) => name === combo.value)
}

function withValue(desktop: Desktop, spot: Spot, value: string, id: string | undefined): Desktop {
  return changeSpot(desktop, spot, (element) => {
    const marked = withMarks(element, value, id)
    return withFields(marked, { value })
  })
}

/** The options marked anew, and the text field of the combo box given its value. */
function withMarks(node: Element, value: string, id: string | undefined): Element {
  const options = new Set(optionsOf(node).map((option) => option.id))
  const marked = (element: Element): Element => {
    if (options.has(element.id))
      return (element.selected === true) === (element.id === id) ? element : { ...element, selected: element.id === id }
    if (kindOf(element.role) === 'edit')
      return element.value === value ? element : withFields(withTraits(element, { caret: undefined }), { value })
    const children = element.children.map(marked)
    return children.every((child, index) => child === element.children[index]) ? element : { ...element, children }
  }
  const children = node.children.map(marked)
  return children.every((child, index) => child === node.children[index]) ? node : { ...node, children }
}

function keyWhileClosed(desktop: Desktop, spot: Spot, chord: Chord): Desktop | undefined {
  const { key, modifiers } = chord
  const held = modifiers.join('+')
  if (key === 'f4' || (held === 'alt' && (key === 'down' || key === 'up'))) return pressOpen(desktop, spot)
  if (held === '' && key === 'space') return pressOpen(desktop, spot)
  if (held === '' && key === 'down') return step(desktop, spot, 1)
  if (held === '' && key === 'up') return step(desktop, spot, -1)
  if (held === '' && (key === 'home' || key === 'end'))
    return step(desktop, spot, key === 'home' ? -Infinity : Infinity)
  const letter = characterOf(chord)
  return letter ? typeAhead(desktop, spot, letter) : undefined
}

/** What moves the mark in an open list while a field has the keyboard, and what chooses. */
const MOVES: ReadonlySet<string> = new Set(['down', 'up', 'pagedown', 'pageup', 'enter', 'tab'])

function keyWhileOpen(desktop: Desktop, spot: Spot, chord: Chord): Desktop | undefined {
  const options = optionsOf(spot.element)
  const here = options.findIndex(({ id }) => id === spot.element.traits?.current)
  const goTo = (index: number) => pointAt(desktop, spot, options[Math.max(0, Math.min(index, options.length - 1))]?.id)
  const held = chord.modifiers.join('+')
  if (chord.key === 'f4' || (held === 'alt' && (chord.key === 'up' || chord.key === 'down')))
    return close(desktop, spot)
  if (held !== '' && held !== 'shift') return undefined
  // Whoever types into the field of an open combo box goes on doing so.
  if (isTypedInto(spot.element) && !MOVES.has(chord.key)) return undefined
  switch (chord.key) {
    case 'down':
      return goTo(here + 1)
    case 'up':
      return goTo(here - 1)
    case 'home':
      return goTo(0)
    case 'end':
      return goTo(options.length - 1)
    case 'pagedown':
      return goTo(here + 10)
    case 'pageup':
      return goTo(here - 10)
    case 'enter':
    case 'tab':
      return options[here] ? commit(desktop, spot, options[here]) : close(desktop, spot)
    default: {
      const letter = characterOf(chord)
      const found = letter ? findTyped(namesOf(options), letter, here) : -1
      return found < 0 ? undefined : goTo(found)
    }
  }
}

/** The option `by` places on becomes the value. */
function step(desktop: Desktop, spot: Spot, by: number): Desktop {
  const options = optionsOf(spot.element)
  const here = options.findIndex(({ id }) => id === chosenOf(spot.element)?.id)
  const next = options[Math.max(0, Math.min(here + by, options.length - 1))]
  return next && next !== options[here] ? choose(desktop, spot, next) : desktop
}

function typeAhead(desktop: Desktop, spot: Spot, text: string): Desktop {
  const options = optionsOf(spot.element)
  if (options.length === 0) return withValue(desktop, spot, (spot.element.value ?? '') + text, undefined)
  const here = options.findIndex(({ id }) => id === chosenOf(spot.element)?.id)
  const option = options[findTyped(namesOf(options), text, here)]
  if (!option) return desktop
  return isOpen(spot.element) ? pointAt(desktop, spot, option.id) : choose(desktop, spot, option)
}
