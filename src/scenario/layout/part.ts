import type { Node } from 'yoga-layout'
import type { Element } from '../../desktop/model/element.ts'

/** A part of a layout: a node of the engine, its element, and the parts inside it. */
export interface Part {
  readonly node: Node
  readonly element?: Element
  readonly parts: readonly Part[]
}
