import { changeWindow, type Window, windowByUid } from '../../../desktop/model/desktop.ts'
import type { Metrics } from '../../../desktop/style/metrics.ts'
import { styleMetrics } from '../../../desktop/style/style.ts'
import { placed } from '../../../desktop/tree/reposition.ts'
import { layOutWindow } from '../../layout/layout.ts'
import type { MoveEffect } from '../../schema/effect.ts'
import { withDesktop } from '../scenario-run.ts'
import { type ApplyEffect, skipEffect } from './context.ts'

/** Moves and resizes a window. A maximised window is no longer maximised. */
export const applyMove: ApplyEffect<MoveEffect> = (run, effect) =>
  windowByUid(run.desktop, effect.move)
    ? withDesktop(
        run,
        changeWindow(run.desktop, effect.move, (window) =>
          movedWindow(window, effect, styleMetrics(run.desktop.style, run.desktop.language)),
        ),
      )
    : skipEffect(run, 'move', `no window "${effect.move}" is open`)

function movedWindow({ restoreTo, ...window }: Window, { x, y, width, height }: MoveEffect, metrics: Metrics): Window {
  const from = restoreTo ?? window.bounds
  const bounds = {
    x: x ?? from.x,
    y: y ?? from.y,
    width: width ?? from.width,
    height: height ?? from.height,
  }
  const state = window.state === 'maximized' ? 'normal' : window.state
  return layOutWindow({ ...window, state, bounds, tree: placed(window.tree, bounds) }, metrics)
}
