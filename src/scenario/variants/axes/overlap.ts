import type { WrittenScenario } from '../../schema/scenario.ts'
import { windowsOf } from '../../schema/visit.ts'
import { choiceAxis, withWritten } from '../axis.ts'
import { boundsOf, fitInto, placeWindows, roomOf } from '../geometry/windows.ts'

const STEP = 48

/** How far the windows of a state cover each other. */
export const overlap = choiceAxis({
  name: 'overlap',
  about: 'How windows cover each other: cascaded with their title bars in view, or stacked at the front window.',
  choices: ['cascaded', 'stacked'],
  obstacle: (written) => (hasSeveral(written) ? undefined : 'no state has two windows that could cover each other'),
  apply: (subject, value) => {
    const { written } = subject
    const room = roomOf(written)
    const fronts = frontsOf(written)
    return withWritten(
      subject,
      placeWindows(written, room, ({ uid, bounds, window }) => {
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

const freeWindows = (written: WrittenScenario) =>
  Object.values(written.states).map((state) =>
    windowsOf(state).filter((window) => window.modal_to === undefined && window.state !== 'maximized'),
  )

const hasSeveral = (written: WrittenScenario): boolean => freeWindows(written).some((windows) => windows.length > 1)

/** The windows from front to back, as the state with most windows lists them, and the place of the front one. */
function frontsOf(written: WrittenScenario) {
  const most = freeWindows(written).reduce((all, windows) => (windows.length > all.length ? windows : all), [])
  const [first] = most
  return { order: most.map(({ uid }) => uid ?? ''), anchor: first && boundsOf(first) }
}
