import { drawInteger, type Random, split } from '../../../base/random.ts'
import type { Rect } from '../../../desktop/model/geometry.ts'
import { MAX_TITLE_HEIGHT_PX } from '../../../desktop/style/metrics.ts'
import { choiceAxis, withWritten } from '../axis.ts'
import { fitInto, placeWindows, roomOf } from '../geometry/windows.ts'

/** The place of a window in the free space, as shares from the left and from the top. */
const PLACES: Readonly<Record<string, readonly [across: number, down: number]>> = {
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
  choices: ['random', ...Object.keys(PLACES)],
  apply: (subject, value, random) => {
    const room = roomOf(subject.written)
    return withWritten(
      subject,
      placeWindows(subject.written, room, ({ uid, bounds, window }) =>
        window.state === 'maximized' ? bounds : at(room, bounds, PLACES[value] ?? drawn(random, uid)),
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
