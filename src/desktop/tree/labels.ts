import type { Element } from '../model/element.ts'
import { kindOf, kindsWhere, kindsWith } from '../model/role.ts'
import { widgetOf } from '../widgets/widgets.ts'

/** Pressed as a whole: all their content is part of them. */
const PRESSED = kindsWhere((role) => role.label === 'parts')
/** Selectable items. Their parts label them if they have no name. */
const CHOSEN = kindsWhere((role) => role.label === 'parts when nameless')
/** Selectable in any container. */
const SEPARATE = kindsWith('separate')
/** Contain more than their label: a page, items, a menu. */
const HOLDERS = kindsWith('moreThanLabel')
const LABELS = kindsWith('labels')

/**
 * All texts that label an element: its name and, for a control, the texts of its parts, one by one and joined, with and
 * without blanks. The parts of a selectable item count only if it has no name. `reacts` means that a reaction handles
 * clicks on the element although its role is not clickable, so it counts as such an item.
 */
export function labelsOf(element: Element, { reacts = false } = {}): readonly string[] {
  const kind = kindOf(element.role)
  const labels = [element.name]
  if (PRESSED.has(kind)) collect(element, (part) => !SEPARATE.has(kindOf(part.role)), labels)
  else if ((CHOSEN.has(kind) || reacts) && isNameless(element))
    collect(element, HOLDERS.has(kind) ? isLabel : isPlainPart, labels)
  if (labels.length <= 2) return labels
  const words = labels.filter((text) => text.trim() !== '')
  return [...labels, words.join(' '), words.join('')]
}

/** A name without a letter or digit, such as an icon of a symbol font, does not count. */
const isNameless = ({ name }: Element): boolean => !/[\p{L}\p{N}]/u.test(name)

const isLabel = ({ role }: Element): boolean => LABELS.has(kindOf(role))
const isPlainPart = (part: Element): boolean => kindOf(part.role) === 'cell' || !widgetOf(part)?.click

function collect(element: Element, isPart: (element: Element) => boolean, into: string[]): void {
  for (const text of [element.value, element.description]) if (text !== null) into.push(text)
  for (const child of element.children) {
    if (!isPart(child)) continue
    into.push(child.name)
    collect(child, isPart, into)
  }
}
