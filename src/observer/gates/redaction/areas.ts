import type { Awaitable } from '../../../base/async.ts'
import { type Element, nodeAt } from '../../../desktop/model/element.ts'
import type { ElementArea } from '../../../paint/annotations/areas.ts'

/** Areas whose elements are those of the redacted trees. Without a tree, an element keeps its role and its id only. */
export async function redactedAreas(
  areas: readonly ElementArea[],
  treeOf: (uid: string) => Awaitable<Element | undefined>,
): Promise<readonly ElementArea[]> {
  const trees = new Map<string, Element | undefined>()
  for (const { window } of areas) if (!trees.has(window)) trees.set(window, await treeOf(window))
  return areas.map((area) => {
    const tree = trees.get(area.window)
    const shown = tree && nodeAt(tree, area.path)
    const known = shown?.id === area.element.id ? shown : undefined
    return { ...area, element: known ?? { ...area.element, name: '', value: null, description: null, children: [] } }
  })
}
