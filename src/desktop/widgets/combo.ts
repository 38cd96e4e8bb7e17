import { type Chord, characterOf } from '../input/keys.ts'
import type { Desktop } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import { roleKind } from '../model/role.ts'
import { changeRef, type ElementRef, parentOf, refresh, targetOf, withTraits } from '../tree/element-ref.ts'
import { isOpen } from '../tree/visibility.ts'
import { closePopup } from './popup.ts'
import { openPopup, pointAt, popupRowsOf, scrollPopup } from './popup-placement.ts'
import { findOption, findTyped, namesOf } from './selection.ts'
import { recordChoice, recordPress, type WidgetBehaviour } from './widget.ts'

/** ComboBox: its value is the name of the chosen option. Its options are shown below it while it is open. */
export const combo: WidgetBehaviour = {
  click: toggleOpen,
  invoke: toggleOpen,
  key: (desktop, ref, chord) => (isOpen(ref.element) ? keyWhileOpen : keyWhileClosed)(desktop, ref, chord),
  type: typeAhead,
  setValue(desktop, ref, value) {
    const options = optionsOf(ref.element)
    if (isEditable(ref.element) && !options.some(({ name }) => name === value))
      return closePopup(withValue(desktop, ref, value, undefined), ref)
    return commit(desktop, ref, findOption(rowsOf(ref.element), { name: value }))
  },
  select: (desktop, ref, option) => commit(desktop, ref, findOption(rowsOf(ref.element), option)),
  scroll(desktop, ref, clicks, axis) {
    if (axis === 'x') return undefined
    if (isOpen(ref.element)) return scrollPopup(desktop, ref, clicks)
    return ref.element.focused || isTypedInto(ref.element) ? step(desktop, ref, -Math.sign(clicks)) : undefined
  },
}

/** The options, with those that are disabled. */
const rowsOf = (combo: Element): readonly Element[] =>
  popupRowsOf(combo).filter((row) => roleKind(row.role) !== 'separator')

/** The options that can be chosen. */
export const optionsOf = (combo: Element): readonly Element[] => rowsOf(combo).filter((row) => row.enabled)

/** A combo box with a text field, or without options, accepts any text. */
const isEditable = (combo: Element): boolean =>
  combo.children.some((child) => roleKind(child.role) === 'edit') || optionsOf(combo).length === 0

const isTypedInto = (combo: Element): boolean =>
  combo.children.some((child) => roleKind(child.role) === 'edit' && child.focused && !child.traits?.readOnly)

/** Chooses an option and closes the list. */
export function commit(desktop: Desktop, ref: ElementRef, option: Element): Desktop {
  const shut = closePopup(desktop, ref)
  const here = refresh(shut, ref)
  return here ? choose(shut, here, option) : shut
}

const choose = (desktop: Desktop, ref: ElementRef, { name, id }: Element): Desktop =>
  recordChoice(withValue(desktop, ref, name, id), { ...targetOf(ref), element: id })

/**
 * Sets the value of a combo box to the text typed into its field, and highlights the option that begins with it in the
 * open list.
 */
export function withTyped(desktop: Desktop, ref: ElementRef, text: string): Desktop {
  if (ref.element.value === text) return desktop
  const options = optionsOf(ref.element)
  const typed = withValue(desktop, ref, text, options.find(({ name }) => name === text)?.id)
  const begun = text.toLowerCase()
  const like = begun === '' ? undefined : options.find(({ name }) => name.toLowerCase().startsWith(begun))
  return isOpen(ref.element) ? pointAt(typed, ref, like?.id) : typed
}

/** The combo box that a list item, button or text field is part of. */
export function comboOf(ref: ElementRef): ElementRef | undefined {
  for (let up = parentOf(ref); up; up = parentOf(up)) {
    const kind = roleKind(up.element.role)
    if (kind === 'combo') return up
    if (kind !== 'list' && kind !== 'group') return undefined
  }
  return undefined
}

export function toggleOpen(desktop: Desktop, ref: ElementRef): Desktop {
  if (isOpen(ref.element)) return closePopup(desktop, ref)
  const shown = openPopup(desktop, ref, 'below')
  const here = refresh(shown, ref)
  return here ? pointAt(shown, here, chosenOf(here.element)?.id) : shown
}

const pressOpen = (desktop: Desktop, ref: ElementRef): Desktop => recordPress(toggleOpen(desktop, ref), targetOf(ref))

const chosenOf = (combo: Element): Element | undefined => {
  const options = optionsOf(combo)
  return options.find(({ selected }) => selected === true) ?? options.find(({ name }) => name === combo.value)
}

function withValue(desktop: Desktop, ref: ElementRef, value: string, id: string | undefined): Desktop {
  return changeRef(desktop, ref, (element) => {
    const marked = withMarks(element, value, id)
    return withFields(marked, { value })
  })
}

/** Marks the selected option and sets the text field to the value. */
function withMarks(node: Element, value: string, id: string | undefined): Element {
  const options = new Set(optionsOf(node).map((option) => option.id))
  const marked = (element: Element): Element => {
    if (options.has(element.id))
      return (element.selected === true) === (element.id === id) ? element : { ...element, selected: element.id === id }
    if (roleKind(element.role) === 'edit')
      return element.value === value ? element : withFields(withTraits(element, { caret: undefined }), { value })
    const children = element.children.map(marked)
    return children.every((child, index) => child === element.children[index]) ? element : { ...element, children }
  }
  const children = node.children.map(marked)
  return children.every((child, index) => child === node.children[index]) ? node : { ...node, children }
}

function keyWhileClosed(desktop: Desktop, ref: ElementRef, chord: Chord): Desktop | undefined {
  const { key, modifiers } = chord
  const held = modifiers.join('+')
  if (key === 'f4' || (held === 'alt' && (key === 'down' || key === 'up'))) return pressOpen(desktop, ref)
  if (held === '' && key === 'space') return pressOpen(desktop, ref)
  if (held === '' && key === 'down') return step(desktop, ref, 1)
  if (held === '' && key === 'up') return step(desktop, ref, -1)
  if (held === '' && (key === 'home' || key === 'end')) return step(desktop, ref, key === 'home' ? -Infinity : Infinity)
  const letter = characterOf(chord)
  return letter ? typeAhead(desktop, ref, letter) : undefined
}

/** Keys that move the highlight in an open list while its field has the focus, and keys that choose. */
const MOVES: ReadonlySet<string> = new Set(['down', 'up', 'pagedown', 'pageup', 'enter', 'tab'])

function keyWhileOpen(desktop: Desktop, ref: ElementRef, chord: Chord): Desktop | undefined {
  const options = optionsOf(ref.element)
  const here = options.findIndex(({ id }) => id === ref.element.traits?.current)
  const goTo = (index: number) => pointAt(desktop, ref, options[Math.max(0, Math.min(index, options.length - 1))]?.id)
  const held = chord.modifiers.join('+')
  if (chord.key === 'f4' || (held === 'alt' && (chord.key === 'up' || chord.key === 'down')))
    return closePopup(desktop, ref)
  if (held !== '' && held !== 'shift') return undefined
  // Typing into the field of an open combo box continues there.
  if (isTypedInto(ref.element) && !MOVES.has(chord.key)) return undefined
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
      return options[here] ? commit(desktop, ref, options[here]) : closePopup(desktop, ref)
    default: {
      const letter = characterOf(chord)
      const found = letter ? findTyped(namesOf(options), letter, here) : -1
      return found < 0 ? undefined : goTo(found)
    }
  }
}

/** Chooses the option `by` positions further. */
function step(desktop: Desktop, ref: ElementRef, by: number): Desktop {
  const options = optionsOf(ref.element)
  const here = options.findIndex(({ id }) => id === chosenOf(ref.element)?.id)
  const next = options[Math.max(0, Math.min(here + by, options.length - 1))]
  return next && next !== options[here] ? choose(desktop, ref, next) : desktop
}

function typeAhead(desktop: Desktop, ref: ElementRef, text: string): Desktop {
  const options = optionsOf(ref.element)
  if (options.length === 0) return withValue(desktop, ref, (ref.element.value ?? '') + text, undefined)
  const here = options.findIndex(({ id }) => id === chosenOf(ref.element)?.id)
  const option = options[findTyped(namesOf(options), text, here)]
  if (!option) return desktop
  return isOpen(ref.element) ? pointAt(desktop, ref, option.id) : choose(desktop, ref, option)
}
