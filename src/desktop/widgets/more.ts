import type { Desktop } from '../model/desktop.ts'
import { type ElementRef, parentOf, refresh } from '../tree/element-ref.ts'
import { isOpen, moreButtonOf } from '../tree/visibility.ts'
import { closePopup } from './popups/popup.ts'
import { openPopup, scrollPopup } from './popups/popup-placement.ts'
import { overflowing } from './scrolling/scrolling.ts'
import type { WidgetBehaviour } from './widget.ts'

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
export const scrollMore: NonNullable<WidgetBehaviour['scroll']> = (desktop, bar, clicks, axis) =>
  isOpen(bar.element) && axis === 'y' ? scrollPopup(desktop, bar, clicks) : undefined

/** ToolBar: scrolls like other elements whose content does not fit, and its menu like a menu. */
export const barWithMenu: WidgetBehaviour = {
  scroll: (desktop, ref, clicks, axis) =>
    isOpen(ref.element) ? scrollMore(desktop, ref, clicks, axis) : overflowing.scroll!(desktop, ref, clicks, axis),
}
