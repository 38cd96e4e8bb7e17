import { shownDescription } from '../../../desktop/model/control-metrics.ts'
import { changeWindow, type Desktop, isHiddenWindow, type Window } from '../../../desktop/model/desktop.ts'
import { changeAt, countNodes, type Element, nodeAt, pathOf, withFields } from '../../../desktop/model/element.ts'
import { cellNamed } from '../../../desktop/model/formula-text.ts'
import { fillMarkup, type RichText } from '../../../desktop/model/rich-text.ts'
import { terminalTextOf } from '../../../desktop/model/terminal-text.ts'
import type { ElementTraits, LayoutPlace } from '../../../desktop/model/traits.ts'
import { styleMetrics } from '../../../desktop/style/style.ts'
import { changeRef, refOf, withTraits } from '../../../desktop/tree/element-ref.ts'
import { placed, without } from '../../../desktop/tree/tree-edits.ts'
import { goToGridCell } from '../../../desktop/widgets/cell-cursor.ts'
import { isField } from '../../../desktop/widgets/edit.ts'
import { editStateOf, withEditState } from '../../../desktop/widgets/text.ts'
import { isMultiline, withCaretShown } from '../../../desktop/widgets/text-view.ts'
import { activateWindow, focusElement } from '../../../desktop/windows/focus.ts'
import { buildChildren, linksIn, textOfFile, traitsOf, withoutUndefined } from '../../build-window.ts'
import { layOutWindow, needsLayout } from '../../layout/layout.ts'
import { elementWithId } from '../../live-context.ts'
import { withDesktop } from '../../scenario-run.ts'
import type { ElementChange } from '../../schema/effect.ts'
import { type ApplyEffect, type FillText, fillElement, skipEffect, textFiller } from './context.ts'

/** Changes the fields of an element, appends children to it, focuses or removes it. A missing element is skipped and recorded. */
export const applyElementChange: ApplyEffect<ElementChange> = (run, change, context) => {
  const { id, window } = change
  const found =
    id === undefined ? undefined : elementWithId(run.desktop, id, window, context.near, context.event?.within)
  if (id !== undefined && !found)
    return skipEffect(
      run,
      'id',
      `there is no element ${JSON.stringify(id)}${window === undefined ? '' : ` in ${window}`}`,
    )
  const fill = textFiller(run, context, change.window ?? context.near)
  const exact = found ? { ...change, id: found.element.id } : change
  return withDesktop(run, changedElement(run.desktop, exact, fill, context.near))
}

/** The desktop with fields of an element changed, and laid out if that is needed. */
export function changedElement(
  desktop: Desktop,
  change: ElementChange,
  fill: FillText,
  near: string | undefined,
): Desktop {
  const { id } = change
  if (id === undefined) return desktop
  const found = elementWithId(desktop, id, change.window, near)
  if (!found) return desktop
  const { uid } = found.window
  const metrics = styleMetrics(desktop.style, desktop.language)
  const written = changeWindow(desktop, uid, (window) => {
    const path = pathOf(window.tree, id)!
    if (change.remove) return layOutWindow({ ...window, tree: without(window.tree, path) }, metrics)
    const tree = changeAt(window.tree, path, (element) => changeElement(desktop, window, element, change, fill))
    if (tree === window.tree) return window
    const parent = path.length === 0 ? undefined : nodeAt(window.tree, path.slice(0, -1))
    const next = { ...window, tree }
    return needsLayout(found.element, nodeAt(tree, path)!, parent, metrics) ? layOutWindow(next, metrics) : next
  })
  const placed = change.cell === undefined ? written : withCurrentCell(written, uid, id, fill(change.cell))
  const changed = change.caret === undefined ? placed : withCaret(placed, uid, id, fill(change.caret))
  if (isHiddenWindow(found.window) && change.hidden === false && !change.remove) return activateWindow(changed, uid)
  if (change.focused === true) return focusElement(changed, { window: uid, element: id })
  const loses = change.focused === false && changed.active === uid && found.window.focus === id
  return loses ? focusElement(changed, undefined) : changed
}

/** Goes to a cell of a table by its name. */
function withCurrentCell(desktop: Desktop, window: string, element: string, name: string): Desktop {
  const cell = cellNamed(name.trim())
  const holder = refOf(desktop, { window, element })
  const grid = holder.element.traits?.grid
  const isThere = cell && grid && cell.row < grid.order.length && cell.column < grid.columns.length
  return isThere ? goToGridCell(desktop, holder, cell) : desktop
}

/** Puts the caret of a field at a place, or selects the text between two. */
function withCaret(desktop: Desktop, window: string, element: string, places: string): Desktop {
  const holder = refOf(desktop, { window, element })
  const [from = Number.NaN, at = from] = places.split('-').map(Number)
  if (!isField(holder.element) || !Number.isInteger(from) || !Number.isInteger(at)) return desktop
  return changeRef(desktop, holder, (field) => {
    const text = editStateOf(field).text
    const moved = withEditState(field, { text, from: Math.min(from, text.length), at: Math.min(at, text.length) })
    return isMultiline(field) ? withCaretShown(moved) : moved
  })
}

/** Whether a change gives a field other content or other rules, so that its message no longer holds. */
const changesContent = (element: Element, change: ElementChange, value: string | null | undefined): boolean =>
  (value !== undefined && value !== element.value) ||
  (change.selected !== undefined && change.selected !== element.selected) ||
  change.value_now !== undefined ||
  change.validation !== undefined

function changeElement(
  desktop: Desktop,
  window: Window,
  element: Element,
  change: ElementChange,
  fill: FillText,
): Element {
  const text = (template: string | null | undefined) => (typeof template === 'string' ? fill(template) : template)
  const file = text(change.file)
  const content = change.value === undefined ? textOfFile(desktop.files, file) : text(change.value)
  const terminal = terminalTextOf(element.role, content)
  const value = terminal?.text ?? content
  const { invalid } = element.traits ?? {}
  const hasNewContent = invalid !== undefined && changesContent(element, change, value)
  const restored = hasNewContent ? invalid.description : undefined
  const shown = {
    ...(change.avatar !== undefined && { avatar: fill(change.avatar) }),
    ...(change.badge !== undefined && { badge: fill(change.badge) }),
    ...(change.subtitle !== undefined && { subtitle: fill(change.subtitle) }),
  }
  const description =
    change.description === undefined ? (restored ?? newDescription(element, shown)) : text(change.description)
  const rich = change.rich === undefined ? undefined : fillMarkup(change.rich, fill)
  const fields = withoutUndefined({
    name: text(change.name) ?? undefined,
    value,
    enabled: change.enabled,
    keyboardShortcut: change.keyboard_shortcut,
    description,
    selected: change.selected,
    expanded: change.expanded,
    valueNow: newNumber(element, change),
    valueMin: change.value_min,
    valueMax: change.value_max,
  }) as Partial<Element>
  const { append, at, grow, width, height, bounds, value_now: _, ...rest } = change
  const traits = {
    ...traitsOf({ ...rest, ...shown, rich }, styleMetrics(desktop.style, desktop.language), desktop),
    ...(file !== undefined && { path: file ?? undefined }),
  }
  // The caret and the undo history belong to the previous text, the current item to the previous folder.
  const edited = {
    ...traits,
    ...(value !== undefined && { caret: undefined, history: undefined, terminal }),
    ...(hasNewContent && { invalid: undefined }),
    ...(change.folder !== undefined && { current: undefined, anchor: undefined, scrolled: undefined }),
  }
  let next = withFields(element, fields)
  if (traits.rich) next = withRichText(next, traits.rich)
  else if (next.traits?.rich && next.traits.rich.text !== next.name) next = withoutRichText(next)
  if (
    Object.keys(edited).some(
      (name) => next.traits?.[name as keyof typeof traits] !== edited[name as keyof typeof traits],
    )
  )
    next = withTraits(next, { ...edited })
  if (bounds) next = ownPlace(placed(next, bounds))
  else next = withPlace(next, withoutUndefined({ at, grow, width, height }) as LayoutPlace)
  return append && countNodes(window.tree) < MAX_ELEMENTS
    ? {
        ...next,
        children: buildChildren(
          window,
          next,
          append.map((child) => fillElement(child, fill)),
          desktop,
        ),
      }
    : next
}

/** The description that shows the second line and the count of an element, if it is not one of its own. */
function newDescription(element: Element, shown: Pick<ElementTraits, 'badge' | 'subtitle'>): string | null | undefined {
  if (element.description !== shownDescription(element)) return undefined
  return shownDescription({ traits: { ...element.traits, ...shown } })
}

/** An element with other formatted text, and the links in it. */
const withRichText = (element: Element, rich: RichText): Element =>
  withFields(element, {
    name: rich.text,
    children: [...element.children.filter(({ traits }) => !traits?.inText), ...linksIn(rich)],
  })

/** A text with another name is plain. */
const withoutRichText = (element: Element): Element =>
  withTraits(withFields(element, { children: element.children.filter(({ traits }) => !traits?.inText) }), {
    rich: undefined,
  })

/** The maximum number of elements in a window; a timer cannot append more. */
const MAX_ELEMENTS = 50_000

/** An element that its parent places otherwise. One that had bounds of its own is placed by its parent then. */
function withPlace(element: Element, changes: LayoutPlace): Element {
  const place = { ...element.place, ...changes }
  const isSame = Object.keys(changes).length === 0 || JSON.stringify(place) === JSON.stringify(element.place)
  return isSame ? element : withFields(element, { place })
}

/** An element with new bounds is no longer placed by its parent's layout. */
function ownPlace({ place: _, ...element }: Element): Element {
  return element
}

function newNumber(element: Element, { value_now, value_min, value_max }: ElementChange): number | undefined {
  if (typeof value_now !== 'object') return value_now
  const sum = (element.valueNow ?? 0) + value_now.add
  return Math.min(value_max ?? element.valueMax ?? sum, Math.max(value_min ?? element.valueMin ?? sum, sum))
}
