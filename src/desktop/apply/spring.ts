import { isFolderItem, openItem } from '../files/folder.ts'
import { hitTest } from '../hit.ts'
import { type Desktop, windowByUid } from '../model/desktop.ts'
import { type Element, pathOf } from '../model/element.ts'
import { roleKind } from '../model/role.ts'
import { widgetOf } from '../roles/widgets.ts'
import { runShellCommand } from '../shell/shell.ts'
import { closest, closestWhole, type ElementRef, parentOf, refOf } from '../tree/element-ref.ts'
import { activateWindow } from '../windows/focus.ts'
import { panelAt } from '../windows/panel.ts'
import { blockerOf } from '../windows/stacking.ts'
import { heldButton } from './held.ts'
import { hasPayload } from './payload.ts'
import { DWELL_MS, hoverAt, takesInput } from './pointer.ts'

/** Rests the pointer: shows a tooltip, or while something is dragged opens what it rests on. */
export const restAt = (desktop: Desktop): Desktop =>
  heldButton(desktop, 'left') ? springOpen(desktop) : hoverAt(desktop, desktop.pointer, DWELL_MS)

/**
 * Opens the closed tree item, expander or folder, the tab or the window whose button in a bar is below the pointer, if
 * something is dragged that could be dropped there.
 */
export function springOpen(desktop: Desktop): Desktop {
  const dragged = draggedItem(desktop)
  if (!dragged) return desktop
  const { pointer } = desktop
  const panel = panelAt(desktop, pointer)
  if (panel) return panel === 'panel' ? desktop : activateWindow(desktop, panel.window)
  const hit = hitTest(desktop, pointer)
  if (!hit || !('element' in hit) || hit.window.busy || blockerOf(desktop, hit.window) || !takesInput(hit))
    return desktop
  for (let ref: ElementRef | undefined = hit; ref; ref = parentOf(ref)) {
    if (ref.window.uid === dragged.window.uid && ref.element.id === dragged.element.id) return desktop
    const opened = opensAt(desktop, ref, dragged)
    if (opened) return opened
  }
  return desktop
}

/** What the left button drags and could drop. */
function draggedItem(desktop: Desktop): ElementRef | undefined {
  const { grab, dragged } = heldButton(desktop, 'left') ?? {}
  if (!dragged || grab?.element === undefined || grab.overlay) return undefined
  const tree = windowByUid(desktop, grab.window)?.tree
  if (!tree || !pathOf(tree, grab.element)) return undefined
  const pressed = refOf(desktop, { window: grab.window, element: grab.element })
  const holder = closest(pressed, ({ traits }) => traits?.drag !== undefined)
  if (hasPayload(pressed)) return holder
  return closestWhole(pressed, (element) => widgetOf(element)?.dropTarget !== undefined)
}

/** The desktop with an element opened. Undefined for what is open, and what does not open. */
function opensAt(desktop: Desktop, ref: ElementRef, dragged: ElementRef): Desktop | undefined {
  const { element } = ref
  const { shellCommand } = element.traits ?? {}
  if (shellCommand?.does === 'task') return activateWindow(desktop, shellCommand.window)
  if (shellCommand?.does === 'app') return runShellCommand(desktop, shellCommand)
  const kind = roleKind(element.role)
  // The dragged item would go with the content of its own list.
  if (kind === 'listitem')
    return isFolderItem(desktop, ref) && !isInList(dragged, parentOf(ref)) ? openItem(desktop, ref) : undefined
  const isClosed =
    kind === 'treeitem'
      ? element.expanded !== true && element.children.some(isTreeItem)
      : kind === 'expander'
        ? element.expanded !== true
        : kind === 'tab' && element.selected !== true
  return isClosed ? invoked(desktop, ref) : undefined
}

const isTreeItem = ({ role }: Element): boolean => roleKind(role) === 'treeitem'

const invoked = (desktop: Desktop, ref: ElementRef): Desktop => widgetOf(ref.element)!.invoke!(desktop, ref)

const isInList = (item: ElementRef, list: ElementRef | undefined): boolean =>
  list?.window.uid === item.window.uid && closest(item, ({ id }) => id === list.element.id) !== undefined
