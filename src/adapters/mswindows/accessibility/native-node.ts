import { type Element, shaped } from '../../../desktop/model/element.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import type { ElementTraits } from '../../../desktop/model/traits.ts'
import type { WindowHandle } from '../native-windows.ts'
import type { ControlKind } from './control-classes.ts'
import type { UiaElement } from './uia-client.ts'

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

/** A label as a person reads it, and the key that its underlined letter names. */
export interface Label {
  readonly name: string
  /** Such as `Alt+F`. */
  readonly accessKey?: string
  /** The shortcut after a tab, such as `Ctrl+S`. */
  readonly shortcut?: string
}

/** Splits the text of a button, label or menu item: `&Save as…\tCtrl+S`. Two ampersands are one. */
export function parseLabel(text: string): Label {
  const [written = '', shortcut] = text.split('\t')
  const key = /(?:^|[^&])(?:&&)*&([^&\s])/.exec(written)?.[1]
  // East Asian labels put the letter in brackets behind the text.
  const name = written
    .replace(/\s*\(&[^&)]\)/, '')
    .replace(/&(.)/g, '$1')
    .trim()
  return {
    name,
    ...(key !== undefined && { accessKey: `Alt+${key.toUpperCase()}` }),
    ...(shortcut !== undefined && shortcut !== '' && { shortcut }),
  }
}

/** The name that a label gives to the control behind it, without its colon. */
export const labelName = (text: string): string => parseLabel(text).name.replace(/\s*[:：]$/, '')

const MAX_ELEMENT_IDS = 100_000

/** The elements of one window, which keep their ids from one reading to the next. */
export interface WindowElementIds {
  /** The id of a key: `root`, or `w2-e17` in the order in which keys first appear. */
  idOf(key: string): string
}

/** Creates the ids of the window with a number, which is a part of them. */
export function createWindowElementIds(windowNumber: number): WindowElementIds {
  let ids = new Map<string, string>()
  let last = 0
  return {
    idOf(key) {
      if (key === 'root') return 'root'
      const known = ids.get(key)
      if (known) return known
      if (ids.size >= MAX_ELEMENT_IDS) ids = new Map()
      const id = `w${windowNumber}-e${++last}`
      ids.set(key, id)
      return id
    },
  }
}

/** A tree as clients see it, and what the system knows each of its elements as. */
export interface NativeTree {
  readonly tree: Element
  readonly sources: ReadonlyMap<string, NativeSource>
}

/** Converts nodes to elements. At most one is focused: the innermost. */
export function toNativeTree(root: NativeNode, { idOf }: WindowElementIds): NativeTree {
  const sources = new Map<string, NativeSource>()
  const focused = innermostFocused(root)
  const convert = (node: NativeNode): Element => {
    const id = idOf(node.key)
    sources.set(id, node.source)
    return shaped({
      id,
      role: node.role,
      name: node.name,
      value: node.value ?? null,
      bounds: node.bounds,
      enabled: node.enabled !== false,
      focused: node === focused,
      keyboardShortcut: node.keyboardShortcut ?? null,
      description: node.description ?? null,
      children: node.children.map(convert),
      ...(node.identifier !== undefined && { identifier: node.identifier }),
      ...(node.selected !== undefined && { selected: node.selected }),
      ...(node.expanded !== undefined && { expanded: node.expanded }),
      ...(node.valueNow !== undefined && { valueNow: node.valueNow }),
      ...(node.valueMin !== undefined && { valueMin: node.valueMin }),
      ...(node.valueMax !== undefined && { valueMax: node.valueMax }),
      ...(node.traits && { traits: node.traits }),
    })
  }
  return { tree: convert(root), sources }
}

function innermostFocused(node: NativeNode): NativeNode | undefined {
  for (const child of node.children) {
    const found = innermostFocused(child)
    if (found) return found
  }
  return node.focused ? node : undefined
}
