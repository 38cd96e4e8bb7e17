import type { Window } from '../../desktop/model/desktop.ts'
import { type Element, withFields } from '../../desktop/model/element.ts'
import { kindOf } from '../../desktop/model/role.ts'
import type { DialogMetrics, Metrics } from '../../desktop/style/metrics.ts'
import { withTraits } from '../../desktop/tree/element-ref.ts'
import { isDialog } from '../../desktop/tree/modal.ts'
import { visibilityOf } from '../../desktop/tree/visibility.ts'

/** A wider window with buttons at its end is not a dialog. */
const MAX_DIALOG_PX = 640

/**
 * Marks the row of buttons at the end of a dialog, and the tabs above the content of a window that is one, where the
 * style has dialogs of its own. Returns the same window if nothing changes.
 */
export function withFooters(window: Window, { dialog }: Metrics): Window {
  if (!dialog) return window
  const { tree, frame, bounds } = window
  const last = frame !== 'inside' || bounds.width > MAX_DIALOG_PX ? undefined : footerOf(tree)
  const footer = last && accepts(last) && cancels(last) ? last : undefined
  const children = tree.children.map((child) => {
    if (isDialog(child)) return withFooterIn(child)
    if (kindOf(child.role) === 'tabs') return withRaisedTabs(child, footer !== undefined && raises(dialog, tree, child))
    return marked(child, child === footer)
  })
  const isSame = children.every((child, index) => child === tree.children[index])
  return isSame ? window : { ...window, tree: withFields(tree, { children }) }
}

function withFooterIn(dialog: Element): Element {
  const footer = footerOf(dialog)
  const children = dialog.children.map((child) => marked(child, child === footer))
  return children.every((child, index) => child === dialog.children[index]) ? dialog : withFields(dialog, { children })
}

/** The row of buttons that a tree ends with. */
function footerOf(parent: Element): Element | undefined {
  const last = parent.children.findLast(
    (child) => !child.traits?.hidden && child.place !== undefined && visibilityOf(parent, child) === 'inline',
  )
  const isRow = last !== undefined && kindOf(last.role) === 'pane' && last.layout?.arrange === 'row'
  if (!isRow) return undefined
  const shown = shownIn(last)
  return shown.length > 0 && shown.every(isButton) ? last : undefined
}

const shownIn = ({ children }: Element): readonly Element[] => children.filter(({ traits }) => !traits?.hidden)

const isButton = ({ role, place }: Element): boolean => kindOf(role) === 'button' && place !== undefined

const accepts = (row: Element): boolean => shownIn(row).some(({ traits }) => traits?.presses === 'enter')

const cancels = (row: Element): boolean =>
  shownIn(row).some(({ traits }) => traits?.presses === 'escape' || traits?.closes === true)

function marked(element: Element, isFooter: boolean): Element {
  const footer = isFooter || undefined
  return element.traits?.footer === footer ? element : withTraits(element, { footer })
}

/** Whether a style raises the tabs of a dialog: all, or those with icons directly below its title. */
const raises = ({ raisesTabs, iconTabs }: DialogMetrics, tree: Element, tabs: Element): boolean =>
  raisesTabs || (iconTabs !== undefined && tabs === tree.children.find(isPlaced) && haveIcons(tabs))

const isPlaced = ({ traits, place }: Element): boolean => !traits?.hidden && place !== undefined

function haveIcons({ children }: Element): boolean {
  const tabs = children.filter(({ role }) => kindOf(role) === 'tab')
  return tabs.length > 0 && tabs.every(({ traits }) => traits?.icon !== undefined)
}

function withRaisedTabs(tabs: Element, isRaised: boolean): Element {
  const raised = isRaised || undefined
  const children = tabs.children.map((tab) =>
    kindOf(tab.role) !== 'tab' || tab.traits?.raised === raised ? tab : withTraits(tab, { raised }),
  )
  return children.every((tab, index) => tab === tabs.children[index]) ? tabs : withFields(tabs, { children })
}
