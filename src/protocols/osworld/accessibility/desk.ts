import type { WindowInfo } from '../../../adapters/computer.ts'
import type { Element } from '../../../desktop/model/element.ts'
import type { Kind } from '../../../desktop/model/role.ts'

/** The windows of a desktop, as the tools of the observer show them. */
export interface AccessibleDesk {
  /** The focused window first. */
  readonly windows: readonly DeskWindow[]
  /** Whether the identifiers of elements are the names that AT-SPI has for their roles, as on real Linux desktops. */
  readonly namesRoles: boolean
}

export interface DeskWindow {
  readonly info: WindowInfo
  /** Undefined for a window without a tree. */
  readonly tree: Element | undefined
}

/** An element and what its place in the tree says about it. */
export interface PlacedElement {
  readonly element: Element
  readonly kind: Kind
  /** The kind of its parent. Undefined for the root of a window. */
  readonly parent: Kind | undefined
  /** Neither hidden nor folded away nor scrolled out of view. */
  readonly isShown: boolean
  readonly window: WindowInfo
}
