import type { Point } from '../../../desktop/model/geometry.ts'
import type { WrittenScenario } from '../../schema/scenario.ts'
import { isPlainObject, type PlainObject, rewriteJson } from '../rewrite-json.ts'

/** The pairs of keys that tools have for a point. */
const POINT_KEYS = [
  ['x', 'y'],
  ['from_x', 'from_y'],
  ['to_x', 'to_y'],
  ['x1', 'y1'],
  ['x2', 'y2'],
] as const

/** Moves the points at which the solution acts. */
export function movePoints(written: WrittenScenario, move: (point: Point) => Point): WrittenScenario {
  const { solution, solutions } = written
  const moved = <T>(part: T): T =>
    rewriteJson(part, (key, value) => (key === 'with' && isPlainObject(value) ? within(value, move) : undefined))
  return {
    ...written,
    ...(solution && { solution: moved(solution) }),
    ...(solutions && { solutions: moved(solutions) }),
  }
}

function within(args: PlainObject, move: (point: Point) => Point): PlainObject | undefined {
  let changed: PlainObject | undefined
  for (const [across, down] of POINT_KEYS) {
    const { [across]: x, [down]: y } = args
    if (typeof x !== 'number' || typeof y !== 'number') continue
    const moved = move({ x, y })
    changed = { ...args, ...changed, [across]: moved.x, [down]: moved.y }
  }
  return changed
}
