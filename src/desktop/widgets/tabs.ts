import type { Desktop } from '../model/desktop.ts'
import { type Element, withFields } from '../model/element.ts'
import { kindOf } from '../model/role.ts'
import { changeSpot, parentOf, type Spot, targetOf } from '../tree/spot.ts'
import { notePress } from './pressed.ts'
import { optionAmong } from './selection.ts'
import type { Widget } from './widget.ts'

/** Tab: the row of tabs has the keyboard; arrows, Home and End turn to another, ctrl+Tab does from anywhere. */
export const tabs: Widget = {
  key(desktop, spot, { modifiers, key }) {
    if (modifiers.length > 0) return undefined
    if (key === 'right' || key === 'down') return turnBy(desktop, spot, 1)
    if (key === 'left' || key === 'up') return turnBy(desktop, spot, -1)
    if (key === 'home') return turnTo(desktop, spot, tabsOf(spot.element)[0])
    return key === 'end' ? turnTo(desktop, spot, tabsOf(spot.element).at(-1)) : undefined
  },
  select(desktop, spot, option) {
    return turnTo(desktop, spot, optionAmong(tabsOf(spot.element), option))
  },
}

/** TabItem: a click turns to it. */
export const tabItem: Widget = {
  click: turn,
  invoke: turn,
  key: (desktop, spot, chord) => tabs.key!(desktop, parentOf(spot) ?? spot, chord),
}

function turn(desktop: Desktop, spot: Spot): Desktop {
  const holder = parentOf(spot)
  return holder ? turnTo(desktop, holder, spot.element) : desktop
}

/** The next enabled tab, or the one before, round and round. */
export function turnBy(desktop: Desktop, holder: Spot, direction: 1 | -1): Desktop {
  const items = tabsOf(holder.element)
  const here = Math.max(
    0,
    items.findIndex(({ selected }) => selected === true),
  )
  return turnTo(desktop, holder, items.at((here + direction) % Math.max(1, items.length)))
}

const tabsOf = (holder: Element): readonly Element[] =>
  holder.children.filter((child) => kindOf(child.role) === 'tab' && child.enabled && !child.traits?.hidden)

function turnTo(desktop: Desktop, holder: Spot, to: Element | undefined): Desktop {
  if (!to) return desktop
  const turned = changeSpot(desktop, holder, (element) => {
    const children = element.children.map((child) =>
      kindOf(child.role) === 'tab' ? withFields(child, { selected: child.id === to.id }) : child,
    )
    return children.every((child, index) => child === element.children[index]) ? element : { ...element, children }
  })
  return to.selected === true ? turned : notePress(turned, { ...targetOf(holder), element: to.id })
}
