import type { Window } from '../model/desktop.ts'
import type { Element } from '../model/element.ts'
import { kindOf } from '../model/role.ts'

/** Whether a window is a dialog: it blocks another one, or ends with buttons that accept and cancel. */
export const isDialogWindow = ({ modalTo, tree }: Pick<Window, 'modalTo' | 'tree'>): boolean =>
  modalTo !== undefined || tree.children.some(({ traits }) => traits?.footer === true)

/** The lower edge of the tabs that are in the band of the title of a dialog, or raised from it. Undefined without such tabs. */
export function raisedTabsEnd({ children }: Element): number | undefined {
  const tabs =
    children.find(({ role }) => kindOf(role) === 'tabs')?.children.filter(({ traits }) => traits?.raised) ?? []
  return tabs.length > 0 ? Math.max(...tabs.map(({ bounds }) => bounds.y + bounds.height)) : undefined
}
