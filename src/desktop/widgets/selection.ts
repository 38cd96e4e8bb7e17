import { Fault } from '../../base/fault.ts'
import type { Modifier } from '../input/action.ts'
import type { Chord } from '../input/keys.ts'
import type { OptionQuery } from './widget.ts'

/** The state of selection in a list, tree or table. -1 means no item. */
export interface Selection {
  readonly count: number
  /** The names of all items, which large tables compute when they are needed. */
  readonly names: () => readonly string[]
  /** Indexes in ascending order. */
  readonly selected: readonly number[]
  /** The index of the current item. */
  readonly current: number
  /** The index at which a shift selection starts. */
  readonly anchor: number
  /** Whether several may be selected. */
  readonly many: boolean
}

/** The step of Page Up and Page Down if the height of the items is unknown. */
const DEFAULT_PAGE_ITEMS = 10

/**
 * Selects an item as a click does: alone; with ctrl adds or removes it; with shift selects all from the anchor to it.
 */
export function selectAt(selection: Selection, index: number, modifiers: readonly Modifier[]): Selection {
  if (index < 0 || index >= selection.count) return selection
  const toggles = modifiers.includes('ctrl') || modifiers.includes('meta')
  if (!selection.many || (!toggles && !modifiers.includes('shift')))
    return { ...selection, selected: [index], current: index, anchor: index }
  if (modifiers.includes('shift'))
    return { ...selection, selected: range(Math.max(0, selection.anchor), index), current: index }
  const selected = selection.selected.includes(index)
    ? selection.selected.filter((each) => each !== index)
    : [...selection.selected, index].sort((a, b) => a - b)
  return { ...selection, selected, current: index, anchor: index }
}

/** Applies a key to a selection. Returns undefined for keys without a meaning. */
export function selectByKey(
  selection: Selection,
  { modifiers, key }: Chord,
  page = DEFAULT_PAGE_ITEMS,
): Selection | undefined {
  const { count, current, many } = selection
  const held = modifiers.join('+')
  if (count === 0) return undefined
  if (many && held === 'ctrl' && key.toLowerCase() === 'a') return { ...selection, selected: range(0, count - 1) }
  if (many && key === 'space' && (held === 'ctrl' || held === ''))
    return selectAt(selection, Math.max(0, current), held === '' ? [] : modifiers)
  const target = targetOf(key, current, count, page)
  if (target === undefined || (held !== '' && held !== 'shift' && held !== 'ctrl')) return undefined
  if (many && held === 'ctrl') return { ...selection, current: target }
  return selectAt(selection, target, held === 'shift' ? ['shift'] : [])
}

function targetOf(key: string, current: number, count: number, page: number): number | undefined {
  const within = (index: number) => Math.max(0, Math.min(count - 1, index))
  switch (key) {
    case 'down':
      return within(current + 1)
    case 'up':
      return within(current < 0 ? count - 1 : current - 1)
    case 'home':
      return 0
    case 'end':
      return count - 1
    case 'pagedown':
      return within(current + page)
    case 'pageup':
      return within(current - page)
    default:
      return undefined
  }
}

/**
 * The index of the first item that begins with the text, ignoring case, starting at the current item and wrapping
 * around. A single letter starts after the current item. -1 if there is none.
 */
export function findTyped(names: readonly string[], text: string, current: number): number {
  const wanted = text.toLowerCase()
  const start = [...text].length === 1 ? current + 1 : Math.max(0, current)
  for (let step = 0; step < names.length; step++) {
    const index = (start + step) % names.length
    if (names[index]!.toLowerCase().startsWith(wanted)) return index
  }
  return -1
}

/** The index of an option, by its exact name, otherwise ignoring case. Throws `ElementNotFound` with the options. */
export function optionIndex(names: readonly string[], option: OptionQuery): number {
  const index = 'index' in option ? option.index : indexOfName(names, option.name)
  if (Number.isInteger(index) && index >= 0 && index < names.length) return index
  const wanted = 'index' in option ? `option ${option.index}` : `option ${JSON.stringify(option.name)}`
  throw new Fault('ElementNotFound', `there is no ${wanted}; ${optionsInWords(names)}`, {
    ...option,
    options: names.slice(0, 20),
  })
}

const MAX_NAMED = 10

/** The options of a control, for a message. Of many, the first ones. */
export function optionsInWords(names: readonly string[]): string {
  if (names.length === 0) return 'there are no options'
  const listed = names.slice(0, MAX_NAMED).map((name) => JSON.stringify(name))
  if (names.length > MAX_NAMED) return `there are ${names.length} options, such as ${listed.join(', ')}`
  return names.length === 1 ? `the only option is ${listed[0]}` : `the options are ${listed.join(', ')}`
}

/** The item of an option, of items with one name an enabled one. Throws `ElementNotFound` like `optionIndex`, and `ElementDisabled`. */
export function findOption<Item extends Named>(items: readonly Item[], option: OptionQuery): Item {
  const enabled = items.filter((item) => item.enabled)
  const index = 'name' in option ? indexOfName(namesOf(enabled), option.name) : -1
  if (index >= 0) return enabled[index]!
  const item = items[optionIndex(namesOf(items), option)]!
  assertEnabledOption(item)
  return item
}

/** Throws `ElementDisabled` for an option that cannot be chosen. */
export function assertEnabledOption(item: Named): void {
  if (item.enabled) return
  throw new Fault('ElementDisabled', `the option ${JSON.stringify(item.name)} is disabled`, { element_id: item.id })
}

export const namesOf = (items: readonly Named[]): readonly string[] => items.map(({ name }) => name)

interface Named {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
}

function indexOfName(names: readonly string[], name: string): number {
  const exact = names.indexOf(name)
  return exact >= 0 ? exact : names.findIndex((each) => each.toLowerCase() === name.toLowerCase())
}

function range(a: number, b: number): readonly number[] {
  const low = Math.min(a, b)
  return Array.from({ length: Math.abs(a - b) + 1 }, (_, step) => low + step)
}
