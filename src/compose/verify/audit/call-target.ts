import type { SyntheticComputer } from '../../../adapters/synthetic/synthetic.ts'
import { type Element, nodeAt, pathOf } from '../../../desktop/model/element.ts'
import { querySelectorAll } from '../../../desktop/tree/select.ts'
import type { ProgramCall } from '../../../scenario/solution.ts'

/** The element that a call names, with its window and its parent. */
export interface CallTarget {
  readonly window: string
  readonly element: Element
  readonly parent: Element | undefined
}

/** The element that a call names by selector or id; the front window that has one counts. */
export function targetOfCall({ desktop }: SyntheticComputer, { args }: ProgramCall): CallTarget | undefined {
  for (const { uid, tree } of desktop.windows) {
    if (typeof args.window_uid === 'string' && args.window_uid !== uid) continue
    const path =
      typeof args.element_id === 'string'
        ? pathOf(tree, args.element_id)
        : typeof args.selector === 'string'
          ? querySelectorAll(tree, args.selector)[0]?.path
          : undefined
    const element = path && nodeAt(tree, path)
    if (path && element)
      return { window: uid, element, parent: path.length === 0 ? undefined : nodeAt(tree, path.slice(0, -1)) }
  }
  return undefined
}
