import type { Desktop, Window } from '../../desktop/model/desktop.ts'
import type { Element, Path } from '../../desktop/model/element.ts'
import { centerOf, contains, isEmptyRect, type Rect } from '../../desktop/model/geometry.ts'
import { kindOf, kindsWhere } from '../../desktop/model/role.ts'
import { visibilityOf } from '../../desktop/tree/visibility.ts'
import { shownBounds } from '../../desktop/tree/visible-bounds.ts'
import { createPainter } from '../painter.ts'
import type { Picture } from '../picture.ts'
import type { ThemeName } from '../theme.ts'

/** An element that is neither hidden nor folded away, with its position in the tree. */
export interface LintedElement {
  readonly element: Element
  readonly path: Path
  /** Its ancestors, outermost first. */
  readonly above: readonly Element[]
  /** The part that its ancestors do not clip. Undefined when they clip it completely. */
  readonly shown: Rect | undefined
  /** Whether it is above the rest of its window: in a popup, a dialog or a toast. */
  readonly isRaised: boolean
  readonly isControl: boolean
}

/** A window and what the rules look at. */
export interface LintedWindow {
  readonly desktop: Desktop
  readonly window: Window
  /** The window alone, with its painted text. */
  readonly picture: Picture
  readonly elements: readonly LintedElement[]
}

/** Kinds that people click, type in or choose. */
const CONTROLS = kindsWhere(({ focus, item }) => focus !== 'never' || item === 'row')
const DIALOGS: ReadonlySet<string> = new Set(['dialog', 'toast', 'tooltip'])

/** Prepares a window for the rules. */
export function lintedWindow(desktop: Desktop, window: Window, theme: ThemeName): LintedWindow {
  const elements: LintedElement[] = []
  const look = (element: Element, path: Path, above: readonly Element[], isRaised: boolean): void => {
    elements.push({
      element,
      path,
      above,
      shown: shownBounds(window.tree, path),
      isRaised,
      isControl: CONTROLS.has(kindOf(element.role)),
    })
    element.children.forEach((child, index) => {
      const visibility = visibilityOf(element, child)
      if (child.traits?.hidden || visibility === 'folded') return
      const isAbove = isRaised || visibility === 'popup' || DIALOGS.has(kindOf(child.role))
      look(child, [...path, index], [...above, element], isAbove)
    })
  }
  if (!window.tree.traits?.hidden) look(window.tree, [], [], false)
  return { desktop, window, picture: createPainter({ theme }).window(desktop, window.uid), elements }
}

/** The innermost element that shows a painted text, by the middle of its bounds on the screen. */
export function elementAt({ elements }: LintedWindow, bounds: Rect): LintedElement | undefined {
  const middle = centerOf(bounds)
  const around = elements.filter(({ shown }) => shown && !isEmptyRect(shown) && contains(shown, middle))
  const raised = around.filter(({ isRaised }) => isRaised)
  return (raised.length > 0 ? raised : around).reduce<LintedElement | undefined>(
    (inner, each) => (inner && inner.path.length > each.path.length ? inner : each),
    undefined,
  )
}
