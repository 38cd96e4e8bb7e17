import type { Desktop } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import { roleKind } from '../model/role.ts'
import { changeRef, type ElementRef, parentOf, refresh, targetOf } from '../tree/element-ref.ts'
import { isOpen, moreButtonOf } from '../tree/visibility.ts'
import { closePopup } from './popup.ts'
import { openPopup, scrollPopup } from './popup-placement.ts'
import { overflowing } from './scrolling.ts'
import { findOption } from './selection.ts'
import { recordPress, type WidgetBehaviour } from './widget.ts'

/** Opens or closes the menu of what does not fit into a bar. `ref` is its button. */
export function toggleMore(desktop: Desktop, ref: ElementRef): Desktop {
  const bar = parentOf(ref)
  if (!bar) return desktop
  return isOpen(bar.element) ? closePopup(desktop, bar) : openPopup(desktop, bar, 'below')
}

/** Closes the menu of the bar that an element is in, as a press in it does. */
export function closeMore(desktop: Desktop, ref: ElementRef): Desktop {
  const bar = parentOf(ref)
  const here = bar && moreButtonOf(bar.element) && refresh(desktop, bar)
  return here && isOpen(here.element) ? closePopup(desktop, here) : desktop
}

/** The wheel over the open menu of a bar scrolls the menu. */
const scrollMore: NonNullable<WidgetBehaviour['scroll']> = (desktop, bar, clicks, axis) =>
  isOpen(bar.element) && axis === 'y' ? scrollPopup(desktop, bar, clicks) : undefined

/** ToolBar: scrolls like other elements whose content does not fit, and its menu like a menu. */
export const barWithMenu: WidgetBehaviour = {
  scroll: (desktop, ref, clicks, axis) =>
    isOpen(ref.element) ? scrollMore(desktop, ref, clicks, axis) : overflowing.scroll!(desktop, ref, clicks, axis),
}

/** Tab: the row of tabs takes the focus. Arrows, Home and End select another, ctrl+Tab does from anywhere. */
export const tabs: WidgetBehaviour = {
  key(desktop, ref, { modifiers, key }) {
    if (modifiers.length > 0) return undefined
    if (key === 'right' || key === 'down') return selectTabBy(desktop, ref, 1)
    if (key === 'left' || key === 'up') return selectTabBy(desktop, ref, -1)
    if (key === 'home') return selectTab(desktop, ref, tabsOf(ref.element)[0])
    return key === 'end' ? selectTab(desktop, ref, tabsOf(ref.element).at(-1)) : undefined
  },
  scroll: scrollMore,
  select(desktop, ref, option) {
    return selectTab(desktop, ref, findOption(shownTabsOf(ref.element), option))
  },
}

/** TabItem: a click selects it. */
export const tabItem: WidgetBehaviour = {
  click: activateTab,
  invoke: activateTab,
  key: (desktop, ref, chord) => tabs.key!(desktop, parentOf(ref) ?? ref, chord),
}

function activateTab(desktop: Desktop, ref: ElementRef): Desktop {
  const closed = closeMore(desktop, ref)
  const holder = parentOf(closed === desktop ? ref : refresh(closed, ref)!)
  return holder ? selectTab(closed, holder, ref.element) : desktop
}

/** Selects the next or previous enabled tab, and wraps around. */
export function selectTabBy(desktop: Desktop, holder: ElementRef, direction: 1 | -1): Desktop {
  const items = tabsOf(holder.element)
  const here = Math.max(
    0,
    items.findIndex(({ selected }) => selected === true),
  )
  return selectTab(desktop, holder, items.at((here + direction) % Math.max(1, items.length)))
}

const shownTabsOf = (holder: Element): readonly Element[] =>
  holder.children.filter((child) => roleKind(child.role) === 'tab' && !child.traits?.hidden)

const tabsOf = (holder: Element): readonly Element[] => shownTabsOf(holder).filter(({ enabled }) => enabled)

function selectTab(desktop: Desktop, holder: ElementRef, to: Element | undefined): Desktop {
  if (!to) return desktop
  const turned = changeRef(desktop, holder, (element) => {
    const children = element.children.map((child) =>
      roleKind(child.role) === 'tab' ? withFields(child, { selected: child.id === to.id }) : child,
    )
    return children.every((child, index) => child === element.children[index]) ? element : { ...element, children }
  })
  return to.selected === true ? turned : recordPress(turned, { ...targetOf(holder), element: to.id })
}
