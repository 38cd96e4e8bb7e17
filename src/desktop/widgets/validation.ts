import { compilePattern } from '../../base/pattern.ts'
import { type Desktop, desktopWith, type Window, windowByUid } from '../model/desktop.ts'
import { type Element, nodeAt, type Path, valueText, walk } from '../model/element.ts'
import { roleKind } from '../model/role.ts'
import type { FieldValidation } from '../model/traits.ts'
import { changeRef, closest, type ElementRef, refresh, targetOf, withTraits } from '../tree/element-ref.ts'
import { isDialog } from '../tree/modal.ts'
import { subtreePredicate, visibilityOf } from '../tree/visibility.ts'
import { focusElement } from '../windows/focus.ts'
import { reveal } from './scrolling.ts'

const holdsRules = subtreePredicate('special', ({ traits }) => traits?.validation !== undefined)

/**
 * Blocks a button that submits while a shown field of its dialog or window is invalid: shows the problems and focuses the
 * first invalid field. Returns undefined if nothing blocks the button.
 */
export function refuseSubmit(desktop: Desktop, button: ElementRef): Desktop | undefined {
  const { submits, presses } = button.element.traits ?? {}
  if (!(submits ?? presses === 'enter') || !holdsRules(button.window.tree)) return undefined
  const scope = closest(button, isDialog)?.path ?? []
  const invalid = fieldsBelow(button.window, scope).filter(({ element }) => problemOf(element) !== undefined)
  const [first] = invalid
  if (!first) return undefined
  const shown = invalid.reduce((next, field) => changeRef(next, field, checked), desktop)
  const focused = focusElement(shown, targetOf(first))
  return desktopWith(reveal(focused, refresh(focused, first)!), { refused: true })
}

/** The shown and enabled fields with rules below a path, in document order. */
function fieldsBelow(window: Window, from: Path): readonly ElementRef[] {
  const found: ElementRef[] = []
  const visit = (node: Element, path: Path): void => {
    if (node.traits?.hidden || !node.enabled) return
    if (node.traits?.validation) found.push({ window, path, element: node })
    node.children.forEach((child, index) => {
      if (visibilityOf(node, child) !== 'folded') visit(child, [...path, index])
    })
  }
  visit(nodeAt(window.tree, from)!, from)
  return found
}

/**
 * Checks the field that lost the focus, and fields with a shown problem whose content changed. Other fields show no
 * problem before the user has left them.
 */
export function withFieldsChecked(before: Desktop, after: Desktop): Desktop {
  const window = before.active === undefined ? undefined : windowByUid(before, before.active)
  const now = window && windowByUid(after, window.uid)
  if (!window || !now || window.tree === now.tree || !holdsRules(now.tree)) return after
  return fieldsBelow(window, []).reduce((next, field) => {
    const here = refresh(next, field)
    if (!here?.element.traits?.validation || here.element === field.element) return next
    const isLeft = field.element.focused && !here.element.focused
    const isShown = here.element.traits.invalid !== undefined
    return isLeft || isShown ? changeRef(next, here, checked) : next
  }, after)
}

/** A field with its problem shown, or without one. The message is also its description. */
function checked(field: Element): Element {
  const message = problemOf(field)
  const shown = field.traits?.invalid
  if (message === shown?.message) return field
  const description = shown ? shown.description : field.description
  if (message === undefined) return { ...withTraits(field, { invalid: undefined }), description }
  return { ...withTraits(field, { invalid: { message, description } }), description: message }
}

/** Why the content of a field breaks its rules. Undefined if it keeps them. */
export function problemOf(field: Element): string | undefined {
  const { validation } = field.traits ?? {}
  const problem = validation && brokenRule(contentOf(field), validation)
  return problem === undefined ? undefined : (validation?.message ?? problem)
}

/** The text of a field; of a check box or list, a text if something is chosen. */
function contentOf(field: Element): string {
  switch (roleKind(field.role)) {
    case 'checkbox':
    case 'toggle':
      return field.selected === true ? 'on' : ''
    case 'list':
    case 'tree':
    case 'table':
      return (field.traits?.rows?.selected.length ?? 0) > 0 ||
        [...walk(field)].some((item) => item !== field && item.selected === true)
        ? 'on'
        : ''
    default:
      return valueText(field) ?? ''
  }
}

function brokenRule(content: string, { required, pattern, min, max }: FieldValidation): string | undefined {
  if (content.trim() === '') return required ? 'This field is required' : undefined
  if (pattern !== undefined && !compilePattern(pattern).whole(content)) return 'The format is not valid'
  if (min === undefined && max === undefined) return undefined
  if (typeof (min ?? max) === 'string') {
    if (min !== undefined && content < String(min)) return `Enter ${min} or later`
    return max !== undefined && content > String(max) ? `Enter ${max} or earlier` : undefined
  }
  const number = Number(content)
  if (Number.isNaN(number)) return 'Enter a number'
  if (min !== undefined && number < Number(min)) return `Enter ${min} or more`
  return max !== undefined && number > Number(max) ? `Enter ${max} or less` : undefined
}
