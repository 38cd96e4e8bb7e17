import { LruCache } from '../base/lru-cache.ts'
import { type PointerEffect, pointerEffectOf } from '../desktop/apply/pointer-effect.ts'
import { type Desktop, isOnScreen, type Monitor, stackedWindows, type Window } from '../desktop/model/desktop.ts'
import { intersect, type Rect, sameRect } from '../desktop/model/geometry.ts'
import { clockText } from '../desktop/shell/tray.ts'
import {
  frameOf,
  headerBarOf,
  isDialogWindow,
  outerBounds,
  paneStarts,
  raisedTabsEnd,
  sidebarOf,
  sidePartOf,
} from '../desktop/windows/frame.ts'
import { panelOf } from '../desktop/windows/panel.ts'
import { monitorOf } from '../desktop/windows/windowing.ts'
import { box, type DrawOp, shadow, solid } from './frame/draw-op.ts'
import { label } from './frame/label.ts'
import { type Layer, layer } from './frame/layer.ts'
import { samePointed } from './pointed.ts'
import { glass } from './shell/bars.ts'
import { shellLayer } from './shell/shell-layer.ts'
import type { Theme } from './theme/theme.ts'
import { fontFor, inset, type PaintContext } from './widgets/widget.ts'
import { contentLayer } from './window-content.ts'

/** The layers of a whole desktop, the lowest first: wallpaper, windows with those of the shell, panel. */
export function layersOf(desktop: Desktop, theme: Theme): readonly Layer[] {
  const windows = stackedWindows(desktop).filter(isOnScreen).toReversed()
  const bar = panel(desktop, theme)
  const pointer = pointerIn(desktop, theme)
  return [
    wallpaper(desktop.monitors, theme),
    ...windows.flatMap((window) => [
      windowLayer(window, theme, window.uid === desktop.active, pointer, screenBehind(desktop, window, theme)),
      ...(theme.scrim && !theme.isOwnerClear && isBlocked(desktop, window)
        ? [scrimOver(window, theme, theme.scrim)]
        : []),
    ]),
    ...(bar ? [bar] : []),
  ]
}

/** Whether a window waits for a dialog of its own. */
const isBlocked = ({ windows }: Desktop, { uid }: Window): boolean =>
  windows.some((window) => window.modalTo === uid && isOnScreen(window))

const scrimOver = (window: Window, theme: Theme, scrim: string): Layer =>
  cached(`scrim ${theme.style} ${theme.name}`, window, () => {
    const radius = hasRoundCorners(window) ? theme.metrics.radius.window : 0
    return layer({ ops: [box(outerBounds(window, theme.metrics), { fill: scrim, radius })] })
  })

/** The background of all monitors. */
export function wallpaper(monitors: readonly Monitor[], theme: Theme): Layer {
  return cached(`wallpaper ${theme.style} ${theme.name}`, monitors, () =>
    layer({
      ops: monitors.flatMap((monitor) => theme.chrome.wallpaper(monitor, theme)),
      ...(monitors.length === 1 ? { covers: monitors[0]!.bounds } : {}),
    }),
  )
}

/** What the pointer does on a desktop, in a style that shows it. */
export const pointerIn = (desktop: Desktop, theme: Theme): PointerEffect | undefined =>
  theme.hasPointerStates ? pointerEffectOf(desktop) : undefined

/** The monitor whose wallpaper shows through the sidebar of a window: of the active one, where the style has such. */
export const screenBehind = (desktop: Desktop, window: Window, { sidebar }: Theme): Rect | undefined =>
  sidebar && window.uid === desktop.active ? monitorOf(desktop, window.bounds)?.bounds : undefined

/** A window: shadow, title bar, content cut to round corners, edge, and its open popups. */
export function windowLayer(
  window: Window,
  theme: Theme,
  active: boolean,
  pointer?: PointerEffect,
  screen?: Rect,
): Layer {
  const pointed = pointer?.window === window.uid ? pointer : undefined
  if (!pointed) {
    const behind = screen ? ` ${screen.x} ${screen.y} ${screen.width} ${screen.height}` : ''
    return cached(`window ${theme.style} ${theme.name} ${active}${behind}`, window, () =>
      paintAny(window, theme, active, undefined, screen),
    )
  }
  const known = pointedLayers.get(window)
  const isSame = known?.theme === theme && known.active === active && sameRoom(known.screen, screen)
  if (isSame && sameState(known.pointed, pointed)) return known.layer
  const made = paintAny(window, theme, active, pointed, screen)
  pointedLayers.set(window, { theme, active, pointed, screen, layer: made })
  return made
}

/** The latest layer of each window in which the pointer does something. */
const pointedLayers = new WeakMap<
  Window,
  {
    readonly theme: Theme
    readonly active: boolean
    readonly pointed: PointerEffect
    readonly screen: Rect | undefined
    readonly layer: Layer
  }
>()

const sameState = (a: PointerEffect, b: PointerEffect): boolean =>
  a === b || (samePointed(a, b) && sameButton(a.button, b.button))

const sameButton = (a: PointerEffect['button'], b: PointerEffect['button']): boolean =>
  a?.name === b?.name && a?.isPressed === b?.isPressed

const paintAny = (window: Window, theme: Theme, active: boolean, pointed?: PointerEffect, screen?: Rect): Layer =>
  window.shell && theme.shell
    ? shellLayer(window, theme, theme.shell, { ...plainSetting(theme), pointed })
    : paintWindow(window, theme, active, pointed, screen)

const plainSetting = (theme: Theme): PaintContext => ({
  theme,
  chrome: theme.chrome,
  parent: 'other',
  tone: 'plain',
  odd: false,
  naming: 'shown',
  current: undefined,
  card: undefined,
})

function paintWindow(window: Window, theme: Theme, active: boolean, pointed?: PointerEffect, screen?: Rect): Layer {
  const { outer, isRound, dark, surface, title, edge } = chromeOf(window, theme, active, pointed?.button)
  const setting = { ...plainSetting(theme), pointed }
  const popups: Layer[] = []
  const content = contentLayer(window, setting, popups)
  const face = layer({
    ops: [...surface, ...sidebarOps(window, theme, screen), ...title],
    children: [content],
    ...(window.tree.traits?.banner ? {} : { clip: outer, covers: outer }),
    rounded: isRound ? { rect: outer, radius: theme.metrics.radius.window } : undefined,
  })
  return layer({ ops: dark, children: [face, edge, ...popups] })
}

/** What the decorations of a window show, besides its bounds. */
interface Framed extends Pick<Window, 'state' | 'frame' | 'title' | 'busy'> {
  /** The line below the title. */
  readonly subtitle: string | undefined
  /** Where the panes below the band begin. */
  readonly panes: string
  readonly isDialog: boolean
  /** The end of the tabs in the band of the title. */
  readonly tabsEnd: number | undefined
  readonly isBanner: boolean
}

const framedOf = (window: Window): Framed => ({
  state: window.state,
  frame: window.frame,
  title: window.title,
  ...(window.busy !== undefined && { busy: window.busy }),
  subtitle: window.tree.traits?.subtitle,
  panes: paneStarts(window).join(),
  isDialog: isDialogWindow(window),
  tabsEnd: raisedTabsEnd(window.tree),
  isBanner: window.tree.traits?.banner !== undefined,
})

/** The room of the title beside the tools of its band. */
const roomOf = (window: Window, { metrics }: Theme): Rect | undefined =>
  metrics.title.header && headerBarOf(window) ? frameOf(window, metrics)?.room : undefined

/** The decorations of a window, and the values that they depend on. */
interface Chrome {
  readonly of: Framed
  readonly theme: Theme
  readonly active: boolean
  readonly button: PointerEffect['button']
  readonly room: Rect | undefined
  readonly outer: Rect
  readonly isRound: boolean
  /** The shadow. */
  readonly dark: readonly DrawOp[]
  /** Below the sidebar and the title bar. */
  readonly surface: readonly DrawOp[]
  readonly title: readonly DrawOp[]
  /** Above the content: the veil of a busy window, and the border. */
  readonly edge: Layer
}

/** Keyed by the bounds of the window, which rarely change with its content. */
const chromes = new WeakMap<Rect, Chrome>()

function chromeOf(window: Window, theme: Theme, active: boolean, button: PointerEffect['button']): Chrome {
  const known = chromes.get(window.bounds)
  const room = roomOf(window, theme)
  const isSame =
    known?.theme === theme && known.active === active && sameButton(known.button, button) && sameRoom(known.room, room)
  if (isSame && sameFramed(known.of, framedOf(window))) return known
  const made = makeChrome(window, theme, active, button)
  chromes.set(window.bounds, made)
  return made
}

const sameRoom = (a: Rect | undefined, b: Rect | undefined): boolean => a === b || (!!a && !!b && sameRect(a, b))

const sameFramed = (a: Framed, b: Framed): boolean =>
  a.state === b.state &&
  a.frame === b.frame &&
  a.title === b.title &&
  a.busy === b.busy &&
  a.subtitle === b.subtitle &&
  a.panes === b.panes &&
  a.isDialog === b.isDialog &&
  a.tabsEnd === b.tabsEnd &&
  a.isBanner === b.isBanner

function makeChrome(window: Window, theme: Theme, active: boolean, button: PointerEffect['button']): Chrome {
  const { busy, tree } = window
  const outer = outerBounds(window, theme.metrics)
  const isRound = hasRoundCorners(window)
  const shadows = active ? theme.shadows.window : theme.shadows.inactiveWindow
  const corners = theme.hasRoundShadows ? { radius: theme.metrics.radius.window } : {}
  const veil = busy
    ? [box(outer, { fill: `${theme.window.surface}80`, radius: isRound ? theme.metrics.radius.window : 0 })]
    : []
  const line = isRound ? [box(outer, { border: theme.window.edge, radius: theme.metrics.radius.window })] : []
  return {
    of: framedOf(window),
    theme,
    active,
    button,
    room: roomOf(window, theme),
    outer,
    isRound,
    dark: isRound ? shadows.map((each) => shadow(outer, { ...each, ...corners })) : [],
    surface: tree.traits?.banner ? [] : [solid(outer, theme.window.surface)],
    title: tree.traits?.banner ? [] : theme.chrome.titleBar(window, theme, active, button),
    edge: layer({ ops: [...veil, ...line] }),
  }
}

/** Whether a window is painted with round corners. */
export const hasRoundCorners = ({ state, frame, bounds, shell, tree }: Window): boolean =>
  shell === undefined && !tree.traits?.banner && state === 'normal' && (frame !== 'none' || isSmall(bounds))

/** A small window without a frame is styled like a toast or a menu. */
const isSmall = ({ width, height }: Rect): boolean => width <= 480 && height <= 320

/** Recent panels, keyed by their content. */
const panels = new LruCache<string, Layer | undefined>(64)

function panel(desktop: Desktop, theme: Theme): Layer | undefined {
  if (!desktop.panel) return undefined
  const windows = desktop.windows.map(({ uid, handle, title, state, modalTo }) => [uid, handle, title, state, modalTo])
  const shown = JSON.stringify([
    theme.style,
    theme.name,
    desktop.monitors,
    windows,
    desktop.active,
    desktop.nowMs,
    desktop.dateNames,
  ])
  return panels.get(shown) ?? panels.keep(shown, panelLayer(desktop, theme))
}

function panelLayer(desktop: Desktop, theme: Theme): Layer | undefined {
  const panel = panelOf(desktop)
  if (!panel) return undefined
  const { bounds } = panel
  const buttons = panel.buttons.flatMap(({ window: uid, bounds: area, isActive }) => {
    const window = desktop.windows.find((other) => other.uid === uid)
    const isOpen = window?.state !== 'minimized'
    const line = { x: area.x + 10, y: area.y + area.height - 3, width: Math.max(0, area.width - 20), height: 3 }
    return [
      box(area, {
        fill: isActive ? theme.panel.active : theme.panel.button,
        ...(theme.panel.outline ? { border: theme.panel.outline } : {}),
        radius: 5,
      }),
      ...label(inset(area, Math.min(10, area.width >> 3), 0), window?.title ?? '', {
        font: fontFor(theme, 20, 'panel'),
        colour: isOpen ? theme.panel.text : theme.panel.muted,
      }),
      ...(isActive && line.width > 4 ? [box(line, { fill: theme.accent, radius: 1 })] : []),
    ]
  })
  const time = inset(panel.clock, 12, 0)
  return layer({
    ops: [
      solid(bounds, theme.panel.bar),
      solid({ ...bounds, height: 1 }, theme.panel.edge),
      ...buttons,
      ...label(time, clockText(desktop), {
        font: fontFor(theme, 20, 'panel'),
        colour: theme.panel.text,
        align: 'right',
      }),
    ],
    clip: bounds,
    covers: bounds,
  })
}

const memories = new Map<string, WeakMap<object, Layer>>()

/** The cached layer of a value, or a new one. */
function cached(way: string, value: object, make: () => Layer): Layer {
  const memory = memories.get(way) ?? new WeakMap<object, Layer>()
  memories.set(way, memory)
  const made = memory.get(value) ?? make()
  memory.set(value, made)
  return made
}

/** Recent operations, so that a window that does not move keeps its own. */
const recent = new LruCache<string, readonly DrawOp[]>(64)

/**
 * What is behind the sidebar of a window and its part of the band of the title: one colour, or the wallpaper of a monitor below
 * a tint.
 */
function sidebarOps(window: Window, theme: Theme, screen: Rect | undefined): readonly DrawOp[] {
  if (!theme.sidebar) return []
  const areas = [sidebarOf(window)?.bounds, sidePartOf(window)]
  return areas.flatMap((area) => (area ? opsBehind(area, theme, screen) : []))
}

function opsBehind(area: Rect, theme: Theme, screen: Rect | undefined): readonly DrawOp[] {
  if (!theme.sidebar) return []
  const { fill, glass: tint } = theme.sidebar
  const shown = screen && intersect(area, screen)
  if (!shown) return [solid(area, fill)]
  const key = JSON.stringify([theme.style, theme.name, area, screen])
  return recent.get(key) ?? recent.keep(key, [solid(area, fill), ...glass(shown, tint, screen, theme)])
}
