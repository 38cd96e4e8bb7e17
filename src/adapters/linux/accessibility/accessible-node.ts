import type { ObjectRef } from '../dbus/bus.ts'
import type { NodeAttributes, NodeDetails } from './node-details.ts'

/** An accessible object as its program describes it, not yet normalised across toolkits. */
export interface AccessibleNode extends NodeAttributes, NodeDetails {
  readonly ref: ObjectRef
  readonly children: readonly AccessibleNode[]
  /** The number of children, when only some of them were read. */
  readonly childCount?: number
  /** Its index among all children of its container, when only some of them were read. */
  readonly index?: number
  /** A stable key where the program replaces objects: the position of a cell in a LibreOffice sheet. */
  readonly key?: string
  /** The node that actions use instead, for a table row that has no object of its own. */
  readonly actionNode?: AccessibleNode
}
