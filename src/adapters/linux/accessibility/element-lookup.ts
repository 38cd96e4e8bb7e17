import { Fault } from '../../../base/fault.ts'
import type { Target } from '../../../desktop/model/desktop.ts'
import { type Element, nodeAt, type Path, pathOf } from '../../../desktop/model/element.ts'
import { describeElement } from '../../find-option.ts'
import type { ElementSource, ElementTree } from './element-tree.ts'

/** An element of a window, with its path and its source. */
export interface FoundElement<S extends ElementTree = ElementTree> {
  readonly windowTree: S
  readonly path: Path
  readonly element: Element
  readonly source: ElementSource
}

/** Finds the target of an action. Throws `ElementNotFound` or `ElementDisabled`. */
export function findTarget<S extends ElementTree>(windowTree: S, target: Target): FoundElement<S> {
  const path = pathOf(windowTree.tree, target.element)
  const element = path && nodeAt(windowTree.tree, path)
  const source = windowTree.sources.get(target.element)
  if (!path || !element || !source)
    throw new Fault('ElementNotFound', `the window no longer has an element ${target.element}`, { ...target })
  if (!element.enabled) throw new Fault('ElementDisabled', `${describeElement(element)} is disabled`, { ...target })
  return { windowTree, path, element, source }
}
