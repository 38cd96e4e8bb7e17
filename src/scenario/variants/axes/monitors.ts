import { type Rect, unite } from '../../../desktop/model/geometry.ts'
import { buildMonitors } from '../../load/build.ts'
import { choiceAxis, withWritten } from '../axis.ts'

const ADDED = { width: 1280, height: 1024 }

/** The place of a further monitor around those of the file. */
const PLACES: Readonly<Record<string, (all: Rect) => Rect>> = {
  right: ({ x, y, width }) => ({ x: x + width, y, ...ADDED }),
  left: ({ x, y }) => ({ x: x - ADDED.width, y, ...ADDED }),
  above: ({ x, y }) => ({ x, y: y - ADDED.height, ...ADDED }),
  below: ({ x, y, height }) => ({ x, y: y + height, ...ADDED }),
}

/** A further monitor, with negative coordinates if it is to the left or above. */
export const monitors = choiceAxis({
  name: 'monitors',
  about: 'A further, empty monitor on one side. To the left and above, its coordinates are negative.',
  choices: Object.keys(PLACES),
  apply: (subject, value) => {
    const own = buildMonitors(subject.written)
    const all = own.map(({ bounds }) => bounds).reduce(unite)
    return withWritten(subject, {
      ...subject.written,
      monitors: [
        ...own.map(({ bounds, primary, scaleFactor }) => ({ bounds, primary, scale_factor: scaleFactor })),
        { bounds: PLACES[value]!(all) },
      ],
    })
  },
})
