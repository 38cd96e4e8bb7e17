import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anyAction, everything, point } from '../../../test/support/desktop/anything.ts'
import { Fault } from '../../base/fault.ts'
import { hitTest } from '../hit.ts'
import type { Action } from '../input/action.ts'
import type { Desktop } from '../model/desktop.ts'
import { nodeAt } from '../model/element.ts'
import { contains } from '../model/geometry.ts'
import { shownBounds } from '../visible-bounds.ts'
import { apply } from './apply.ts'

const FAULTS = [
  'BadRequest',
  'ElementDisabled',
  'ElementNotFound',
  'ElementOccluded',
  'PatternUnsupported',
  'WindowGone',
]

/** The desktop after an action, or the same one when the action was refused. */
function attempt(on: Desktop, action: Action): Desktop {
  try {
    return apply(on, action, { isInteractive: true })
  } catch (error) {
    expect(error).toBeInstanceOf(Fault)
    expect(FAULTS).toContain((error as Fault).code)
    return on
  }
}

it('[DT54] rejects impossible actions, and a rejected action changes nothing', () => {
  const before = everything()
  const frozen = JSON.stringify(before)
  fc.assert(
    fc.property(anyAction(), (make) => {
      attempt(before, make(before))
      expect(JSON.stringify(before)).toBe(frozen)
    }),
    { numRuns: 300 },
  )
})

it('[DT54] hits only elements that are visible at the point', () => {
  fc.assert(
    fc.property(
      fc.array(anyAction(), { maxLength: 40 }),
      fc.array(point(), { minLength: 20, maxLength: 20 }),
      (actions, points) => {
        const on = actions.reduce((next, make) => attempt(next, make(next)), everything())
        for (const at of points) {
          const hit = hitTest(on, at)
          if (!hit || !('element' in hit)) continue
          const shown = hit.path.length === 0 ? hit.window.bounds : shownBounds(hit.window.tree, hit.path)
          expect(shown && contains(shown, at)).toBe(true)
          expect(nodeAt(hit.window.tree, hit.path)).toBe(hit.element)
        }
      },
    ),
    { numRuns: 50 },
  )
})
