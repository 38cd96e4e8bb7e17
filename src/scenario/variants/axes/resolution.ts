import type { Rect } from '../../../desktop/model/geometry.ts'
import { buildMonitors } from '../../load/build.ts'
import type { WrittenScenario } from '../../schema/scenario.ts'
import { windowsOf } from '../../schema/visit.ts'
import { type VariantAxis, type VariedScenario, warned } from '../axis.ts'
import { boundsOf, fitInto, placeWindows, roomOf } from '../geometry/windows.ts'

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
  samples: (written) => SAMPLES.filter((value) => everyWindowFits(written, value)),
  apply: (subject, value) => resized(subject, value),
}

/** Whether no window must be made smaller. */
function everyWindowFits(written: WrittenScenario, value: string): boolean {
  const room = roomOf(withSize(written, value))
  return Object.values(written.states).every((state) =>
    windowsOf(state).every((window) => {
      const { width, height } = boundsOf(window)
      return window.state === 'maximized' || (width <= room.width && height + 32 <= room.height)
    }),
  )
}

function withSize(written: WrittenScenario, value: string): WrittenScenario {
  const size = sizeOf(value)!
  const monitors = buildMonitors(written)
  const primary = monitors.find((monitor) => monitor.primary) ?? monitors[0]!
  const grown = { x: size.width - primary.bounds.width, y: size.height - primary.bounds.height }
  return {
    ...written,
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
  const { written } = subject
  const before = roomOf(written)
  const changed = withSize(written, value)
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
    written,
  )
  const warnings = [...shrunk].map(
    (uid) => `resolution=${value}: the window ${uid} does not fit and is smaller; its content scrolls`,
  )
  return warned({ ...subject, written: placed }, warnings)
}
