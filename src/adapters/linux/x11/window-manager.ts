import { cardinals, type Display } from './display.ts'

/**
 * The window manager of a screen: `ewmh` publishes its state, `icccm` is an older one that publishes nothing, such as twm,
 * and `none` means that no window manager runs.
 */
export type WindowManagerKind = 'ewmh' | 'icccm' | 'none'

const SUBSTRUCTURE_REDIRECT = 1 << 20
/** Window managers place a client in one or two frame windows. */
const MAX_FRAME_DEPTH = 3

/** The kind of window manager that currently manages a screen. */
export async function windowManagerKindOf(display: Display): Promise<WindowManagerKind> {
  const { client, root } = display
  const [own] = cardinals(await display.property(root, '_NET_SUPPORTING_WM_CHECK'))
  // A window manager that was killed leaves its properties behind, but not its own window.
  if (own !== undefined && (await display.property(own, '_NET_SUPPORTING_WM_CHECK')) !== undefined) return 'ewmh'
  const attributes = await display.tryRequest<{ allEventMasks: number }>((done) =>
    client.GetWindowAttributes(root, done),
  )
  return (attributes?.allEventMasks ?? 0) & SUBSTRUCTURE_REDIRECT ? 'icccm' : 'none'
}

/** The windows of an EWMH window manager. Some set the list in stacking order only once there are two windows. */
export async function managedWindows(display: Display): Promise<ReadonlySet<number>> {
  const names = ['_NET_CLIENT_LIST_STACKING', '_NET_CLIENT_LIST']
  const lists = await Promise.all(names.map((name) => display.property(display.root, name).then(cardinals)))
  return new Set(lists.flat())
}

/** The client window in a frame of an ICCCM window manager, which has `WM_STATE`. Undefined when there is none. */
export async function clientWindowIn(display: Display, frame: number, depth = 0): Promise<number | undefined> {
  if (await display.property(frame, 'WM_STATE')) return frame
  if (depth === MAX_FRAME_DEPTH) return undefined
  const tree = await display.tryRequest<{ children: readonly number[] }>((done) =>
    display.client.QueryTree(frame, done),
  )
  for (const child of tree?.children ?? []) {
    const client = await clientWindowIn(display, child, depth + 1)
    if (client !== undefined) return client
  }
  return undefined
}

/** The X window that receives keys. 0 when there is none. */
export async function keyboardWindow(display: Display): Promise<number> {
  const { client, root } = display
  const { focus } = await display.request<{ focus: number }>((done) => client.GetInputFocus(done))
  if (focus !== POINTER_ROOT) return focus === root ? 0 : focus
  // The window under the pointer receives keys.
  const pointer = await display.request<{ child: number }>((done) => client.QueryPointer(root, done))
  return pointer.child
}

const POINTER_ROOT = 1
