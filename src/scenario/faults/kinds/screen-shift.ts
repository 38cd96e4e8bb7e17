import * as z from 'zod'
import { drawInteger } from '../../../base/random.ts'
import type { Action } from '../../../desktop/input/action.ts'
import { windowByUid } from '../../../desktop/model/desktop.ts'
import { chances, defineFault } from '../fault-kind.ts'

/** A click at a point, as a pointer makes it: it does not follow the element. */
const atPoint = (action: Action): Action =>
  action.type === 'click' ? { ...action, target: undefined as never } : action

export const screenShift = defineFault({
  id: 'screen-shift',
  describe: 'The active window moves between the look and the click, so that the click hits another place.',
  params: {
    ...chances({ probability: 0.3, times: 1 }),
    by: z
      .int()
      .min(1)
      .max(2000)
      .describe('The largest shift in each direction, in pixels')
      .meta({ examples: [120] })
      .default(120),
  },
  hook: {
    on: 'action',
    applies: ({ type }) => type === 'click',
    alter: ({ desktop, params, random }, action) => {
      const window = windowByUid(desktop, desktop.active ?? '')
      if (!window) return {}
      const [dx, next] = drawInteger(random, Math.ceil(params.by / 2), params.by)
      const [dy] = drawInteger(next, Math.ceil(params.by / 2), params.by)
      const { x, y } = window.bounds
      return { action: atPoint(action), effects: [{ move: window.uid, x: x + dx, y: y + dy }] }
    },
  },
})
