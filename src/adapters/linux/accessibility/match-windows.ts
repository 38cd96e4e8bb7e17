import type { Rect } from '../../../desktop/model/geometry.ts'
import type { XWindow } from '../x11/windows.ts'

/** A window as its program reports it over accessibility. */
export interface AccessibleWindow {
  readonly name: string
  readonly extents: Rect | undefined
}

type WindowToMatch = Pick<XWindow, 'title' | 'bounds' | 'inner' | 'popup'>

const SAME_TITLE = 8
const SAME_SIZE = 4
const SAME_POSITION = 2
/** Borders and shadows make sizes differ by up to this much, in pixels. */
const TOLERANCE_PX = 12

/**
 * Returns the index of the accessible window of each X window of a program, or undefined where there is none. The best
 * pairs match first, by title, then size, then position; equal scores match in order.
 */
export function matchWindows(
  windows: readonly WindowToMatch[],
  frames: readonly AccessibleWindow[],
): readonly (number | undefined)[] {
  const pairs = windows.flatMap((window, windowIndex) =>
    frames.map((frame, frameIndex) => ({ windowIndex, frameIndex, score: matchScore(window, frame) })),
  )
  const matched = new Array<number | undefined>(windows.length).fill(undefined)
  const taken = new Set<number>()
  for (const { windowIndex, frameIndex, score } of pairs.sort((a, b) => b.score - a.score)) {
    if (matched[windowIndex] !== undefined || taken.has(frameIndex)) continue
    // A popup has no title to match, and a wrong tree is worse than none.
    if (windows[windowIndex]!.popup && score < SAME_SIZE) continue
    matched[windowIndex] = frameIndex
    taken.add(frameIndex)
  }
  return matched
}

function matchScore(window: WindowToMatch, { name, extents }: AccessibleWindow): number {
  const title = !window.popup && name !== '' && name === window.title ? SAME_TITLE : 0
  if (!extents) return title
  const sizes = [window.bounds, window.inner]
  const size = sizes.some((rect) => near(rect.width, extents.width) && near(rect.height, extents.height))
  const place = sizes.some((rect) => near(rect.x, extents.x) && near(rect.y, extents.y))
  return title + (size ? SAME_SIZE : 0) + (size && place ? SAME_POSITION : 0)
}

const near = (a: number, b: number): boolean => Math.abs(a - b) <= TOLERANCE_PX
