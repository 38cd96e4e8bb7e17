import type { Window } from '../../desktop/model/desktop.ts'
import { intersect, type Rect, subtractAll } from '../../desktop/model/geometry.ts'
import { projectRect, type ScreenProjection } from '../../desktop/projection.ts'
import type { Metrics } from '../../desktop/style/metrics.ts'
import { outerBounds } from '../../desktop/windows/frame.ts'
import { hasRoundCorners } from '../desktop/desktop-layers.ts'
import { cornerCoverage } from '../frame/frame-buffer.ts'

/** Parts of a window without the pixels that its round corners leave to what is behind it, by more than half. */
export function withoutCorners(
  window: Window,
  parts: readonly Rect[],
  metrics: Metrics,
  projection: ScreenProjection | undefined,
): readonly Rect[] {
  if (!hasRoundCorners(window)) return parts
  const outer = projection ? projectRect(projection, outerBounds(window, metrics)) : outerBounds(window, metrics)
  const { window: plain } = metrics.radius
  const radius = projection ? Math.max(1, Math.round(plain * projection.ratio)) : plain
  const corners = cornersOf(outer, radius)
  if (!parts.some((part) => corners.some((corner) => intersect(corner, part)))) return parts
  const cut = cutRows(outer, radius)
  return parts.flatMap((part) =>
    subtractAll(
      part,
      cut.filter((row) => intersect(row, part)),
    ),
  )
}

function cornersOf({ x, y, width, height }: Rect, radius: number): readonly Rect[] {
  const square = { width: radius, height: radius }
  const [right, bottom] = [x + width - radius, y + height - radius]
  return [x, right].flatMap((left) => [y, bottom].map((top) => ({ x: left, y: top, ...square })))
}

/** The pixels that are cut from the corners of a rectangle, a row each. */
function cutRows({ x, y, width, height }: Rect, radius: number): readonly Rect[] {
  const coverage = cornerCoverage(radius)
  const rows: Rect[] = []
  for (let row = 0; row < radius; row++) {
    let cut = 0
    while (cut < radius && coverage[row * radius + cut]! < 128) cut++
    if (cut === 0) continue
    for (const top of [y + row, y + height - 1 - row])
      for (const left of [x, x + width - cut]) rows.push({ x: left, y: top, width: cut, height: 1 })
  }
  return rows
}
