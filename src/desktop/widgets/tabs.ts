import type { Desktop } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import { kindOf } from '../model/role.ts'
import { changeRef, type ElementRef, parentOf, refresh, targetOf } from '../tree/element-ref.ts'
import { recordPress } from './action-effect.ts'
import { findOption } from './items/selection.ts'
import { closeMore, scrollMore } from './more.ts'
import type { WidgetBehaviour } from './widget.ts'

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
    return selectTab(desktop, ref, findOption(tabsOf(ref.element), option))
  },
}

/** TabItem: a click selects it. */
export const tabItem: WidgetBehaviour = {
  click: turn,
  invoke: turn,
  key: (desktop, ref, chord) => tabs.key!(desktop, parentOf(ref) ?? ref, chord),
}

function turn(desktop: Desktop, ref: ElementRef): Desktop {
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

const tabsOf = (holder: Element): readonly Element[] =>
  holder.children.filter((child) => kindOf(child.role) === 'tab' && child.enabled && !child.traits?.hidden)

function selectTab(desktop: Desktop, holder: ElementRef, to: Element | undefined): Desktop {
  if (!to) return desktop
  const turned = changeRef(desktop, holder, (element) => {
    const children = element.children.map((child) =>
      kindOf(child.role) === 'tab' ? withFields(child, { selected: child.id === to.id }) : child,
    )
    return children.every((child, index) => child === element.children[index]) ? element : { ...element, children }
  })
  return to.selected === true ? turned : recordPress(turned, { ...targetOf(holder), element: to.id })
}
