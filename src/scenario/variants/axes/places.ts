import { drawInteger, type Random, split } from '../../../base/random.ts'
import { type Rect, unite } from '../../../desktop/model/geometry.ts'
import { MAX_TITLE_HEIGHT_PX } from '../../../desktop/style/metrics.ts'
import { buildMonitors } from '../../build-window.ts'
import type { AuthoredScenario } from '../../scenario-file.ts'
import { windowsOf } from '../../visit.ts'
import { choiceAxis, numberAxis, type VariantAxis, type VariedScenario, warned, withAuthored } from '../axis.ts'
import { boundsOf, fitInto, placeWindows, roomOf } from '../window-geometry.ts'

const ADDED = { width: 1280, height: 1024 }

/** The place of a further monitor around those of the file. */
const MONITOR_PLACES: Readonly<Record<string, (all: Rect) => Rect>> = {
  right: ({ x, y, width }) => ({ x: x + width, y, ...ADDED }),
  left: ({ x, y }) => ({ x: x - ADDED.width, y, ...ADDED }),
  above: ({ x, y }) => ({ x, y: y - ADDED.height, ...ADDED }),
  below: ({ x, y, height }) => ({ x, y: y + height, ...ADDED }),
}

/** A further monitor, with negative coordinates if it is to the left or above. */
export const monitors = choiceAxis({
  name: 'monitors',
  about: 'A further, empty monitor on one side. To the left and above, its coordinates are negative.',
  choices: Object.keys(MONITOR_PLACES),
  apply: (subject, value) => {
    const own = buildMonitors(subject.authored)
    const all = own.map(({ bounds }) => bounds).reduce(unite)
    return withAuthored(subject, {
      ...subject.authored,
      monitors: [
        ...own.map(({ bounds, primary, scaleFactor }) => ({ bounds, primary, scale_factor: scaleFactor })),
        { bounds: MONITOR_PLACES[value]!(all) },
      ],
    })
  },
})

const SAMPLES = [
  '1024x768',
  '1280x720',
  '1280x1024',
  '1366x768',
  '1440x900',
  '1600x1200',
  '1920x1080',
  '2560x1080',
  '1080x1920',
]
const MIN_SIDE = 320
const MAX_SIDE = 7680

const sizeOf = (value: string): { readonly width: number; readonly height: number } | undefined => {
  const found = /^(\d{1,5})x(\d{1,5})$/.exec(value)
  const [width, height] = [Number(found?.[1]), Number(found?.[2])]
  const fits = (side: number) => side >= MIN_SIDE && side <= MAX_SIDE
  return found && fits(width) && fits(height) ? { width, height } : undefined
}

/** The size of the primary monitor. Windows keep their relative place, and their size as far as they fit. */
export const resolution: VariantAxis = {
  name: 'resolution',
  about: 'The size and aspect of the primary monitor. Windows keep their relative place, and their size if they fit.',
  values: `WIDTHxHEIGHT, each from ${MIN_SIDE} to ${MAX_SIDE}, such as 1920x1080`,
  problem: (value) => (sizeOf(value) ? undefined : `expected ${resolution.values}`),
  obstacle: () => undefined,
  samples: (authored) => SAMPLES.filter((value) => everyWindowFits(authored, value)),
  apply: (subject, value) => resized(subject, value),
}

/** Whether no window must be made smaller. */
function everyWindowFits(authored: AuthoredScenario, value: string): boolean {
  const room = roomOf(withSize(authored, value))
  return Object.values(authored.states).every((state) =>
    windowsOf(state).every((window) => {
      const { width, height } = boundsOf(window)
      return window.state === 'maximized' || (width <= room.width && height + 32 <= room.height)
    }),
  )
}

function withSize(authored: AuthoredScenario, value: string): AuthoredScenario {
  const size = sizeOf(value)!
  const monitors = buildMonitors(authored)
  const primary = monitors.find((monitor) => monitor.primary) ?? monitors[0]!
  const grown = { x: size.width - primary.bounds.width, y: size.height - primary.bounds.height }
  return {
    ...authored,
    monitors: monitors.map(({ bounds, primary: isPrimary, scaleFactor }) => ({
      bounds: isPrimary
        ? { ...bounds, ...size }
        : // Monitors to the right of it or below it stay there.
          {
            ...bounds,
            x: bounds.x >= primary.bounds.x + primary.bounds.width ? bounds.x + grown.x : bounds.x,
            y: bounds.y >= primary.bounds.y + primary.bounds.height ? bounds.y + grown.y : bounds.y,
          },
      primary: isPrimary,
      scale_factor: scaleFactor,
    })),
  }
}

function resized(subject: VariedScenario, value: string): VariedScenario {
  const { authored } = subject
  const before = roomOf(authored)
  const changed = withSize(authored, value)
  const after = roomOf(changed)
  const shrunk = new Set<string>()
  const place = (at: Rect): Rect => {
    const share = (from: number, room: number, size: number, next: number) =>
      room > size ? Math.round(((from * Math.max(0, next - size)) / (room - size)) | 0) : from
    return fitInto(after, {
      ...at,
      x: after.x + share(at.x - before.x, before.width, at.width, after.width),
      y: after.y + share(at.y - before.y, before.height, at.height, after.height),
    })
  }
  const placed = placeWindows(
    changed,
    after,
    ({ uid, bounds, window }) => {
      if (window.state === 'maximized') return bounds
      const to = place(bounds)
      if (to.width < bounds.width || to.height < bounds.height) shrunk.add(uid)
      return to
    },
    authored,
  )
  const warnings = [...shrunk].map(
    (uid) => `resolution=${value}: the window ${uid} does not fit and is smaller; its content scrolls`,
  )
  return warned({ ...subject, authored: placed }, warnings)
}

const STEP = 48

/** How far the windows of a state cover each other. */
export const overlap = choiceAxis({
  name: 'overlap',
  about: 'How windows cover each other: cascaded with their title bars in view, or stacked at the front window.',
  choices: ['cascaded', 'stacked'],
  obstacle: (authored) => (hasSeveral(authored) ? undefined : 'no state has two windows that could cover each other'),
  apply: (subject, value) => {
    const { authored } = subject
    const room = roomOf(authored)
    const fronts = frontsOf(authored)
    return withAuthored(
      subject,
      placeWindows(authored, room, ({ uid, bounds, window }) => {
        const front = fronts.order.indexOf(uid)
        const anchor = fronts.anchor
        if (window.state === 'maximized' || front <= 0 || !anchor) return bounds
        // Windows behind are up and to the left of those in front, so that their titles show.
        const step = value === 'cascaded' ? STEP * front : 0
        return fitInto(room, { ...bounds, x: anchor.x - step, y: anchor.y - step })
      }),
    )
  },
})

const freeWindows = (authored: AuthoredScenario) =>
  Object.values(authored.states).map((state) =>
    windowsOf(state).filter((window) => window.modal_to === undefined && window.state !== 'maximized'),
  )

const hasSeveral = (authored: AuthoredScenario): boolean => freeWindows(authored).some((windows) => windows.length > 1)

/** The windows from front to back, as the state with most windows lists them, and the place of the front one. */
function frontsOf(authored: AuthoredScenario) {
  const most = freeWindows(authored).reduce((all, windows) => (windows.length > all.length ? windows : all), [])
  const [first] = most
  return { order: most.map(({ uid }) => uid ?? ''), anchor: first && boundsOf(first) }
}

/** The place of a window in the free space, as shares from the left and from the top. */
const WINDOW_PLACES: Readonly<Record<string, readonly [across: number, down: number]>> = {
  'top-left': [0, 0],
  'top-right': [1, 0],
  center: [0.5, 0.5],
  'bottom-left': [0, 1],
  'bottom-right': [1, 1],
}

/** Where windows are on the primary monitor. */
export const windowPosition = choiceAxis({
  name: 'window_position',
  about: 'Where windows are on the primary monitor. Dialogs move with their owner.',
  choices: ['random', ...Object.keys(WINDOW_PLACES)],
  apply: (subject, value, random) => {
    const room = roomOf(subject.authored)
    return withAuthored(
      subject,
      placeWindows(subject.authored, room, ({ uid, bounds, window }) =>
        window.state === 'maximized' ? bounds : at(room, bounds, WINDOW_PLACES[value] ?? drawn(random, uid)),
      ),
    )
  },
})

const STEPS = 1000

/** The same place for a window in every state. */
function drawn(random: Random, uid: string): readonly [number, number] {
  const [across, next] = drawInteger(split(random, uid), 0, STEPS)
  const [down] = drawInteger(next, 0, STEPS)
  return [across / STEPS, down / STEPS]
}

function at(room: Rect, bounds: Rect, [across, down]: readonly [number, number]): Rect {
  const top = bounds.y - room.y >= MAX_TITLE_HEIGHT_PX ? MAX_TITLE_HEIGHT_PX : 0
  return fitInto(room, {
    ...bounds,
    x: room.x + Math.round(across * Math.max(0, room.width - bounds.width)),
    y: room.y + top + Math.round(down * Math.max(0, room.height - bounds.height - top)),
  })
}

/** A display scale: everything is larger or smaller, and so is the screen in pixels. */
export const scale = numberAxis({
  name: 'scale',
  about:
    'The scale of the display: windows, controls, texts and the screen have more or fewer pixels. Monitors report it.',
  least: 0.75,
  most: 2,
  sampled: ['0.75', '1.25', '1.5', '2'],
  apply: (subject, value) => ({
    ...subject,
    ratio: subject.ratio * Number(value),
    scale: subject.scale * Number(value),
  }),
})
