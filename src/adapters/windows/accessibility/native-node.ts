import type { Rect } from '../../../desktop/model/geometry.ts'
import type { ElementTraits } from '../../../desktop/model/traits.ts'
import type { WindowHandle } from '../window-list/native-window.ts'
import type { ControlKind } from './control-classes.ts'
import type { UiaElement } from './uia/client.ts'

/** What an element is for the system: where its actions go. */
export type NativeSource =
  /** The root of a window. */
  | { readonly is: 'window'; readonly hwnd: WindowHandle }
  | {
      readonly is: 'control'
      readonly hwnd: WindowHandle
      readonly kind: ControlKind | undefined
      readonly style: number
    }
  /** An item of a control: its index, the handle of a tree item, or the command of a button of a tool bar. */
  | {
      readonly is: 'item'
      readonly hwnd: WindowHandle
      readonly kind: ControlKind
      readonly item: number | bigint
      readonly command?: number
    }
  /** An item of a menu: its position in the menu bar of a window or in an open menu. */
  | { readonly is: 'menu'; readonly hwnd: WindowHandle; readonly position: number }
  | { readonly is: 'uia'; readonly element: UiaElement }

/** An element as its program describes it. Its key is the same in each reading, as long as the program keeps it. */
export interface NativeNode {
  readonly key: string
  readonly role: string
  readonly name: string
  readonly bounds: Rect
  readonly source: NativeSource
  readonly children: readonly NativeNode[]
  readonly value?: string
  readonly enabled?: boolean
  readonly focused?: boolean
  readonly description?: string
  readonly keyboardShortcut?: string
  readonly identifier?: string
  readonly selected?: boolean
  readonly expanded?: boolean
  readonly valueNow?: number
  readonly valueMin?: number
  readonly valueMax?: number
  readonly traits?: ElementTraits
}
