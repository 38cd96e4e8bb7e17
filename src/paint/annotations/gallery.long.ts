import { describe, expect, it } from 'vitest'
import { shareOf } from '../../../.ci/share.ts'
import { galleryNames } from '../../compose/gallery.ts'
import { memorySession } from '../../compose/memory-session.ts'
import { playSolution } from '../../compose/play-solution.ts'
import { drawVariants, loadScenario } from '../../compose/preview.ts'
import { hitTest } from '../../desktop/hit.ts'
import { contains } from '../../desktop/model/geometry.ts'
import { roleKind } from '../../desktop/model/role.ts'
import { projectRect, unprojectPoint } from '../../desktop/projection.ts'
import { DESKTOP_STYLES } from '../../desktop/style/style.ts'
import { panelAt, primaryMonitor } from '../../desktop/windows/panel.ts'
import type { Scenario } from '../../scenario/scenario.ts'
import { type ElementArea, visibleAreas } from './areas.ts'

// Rules such as [AN1] are stated in README.md beside this file.

const SEED = 3
const VARIANTS = 2
/** Popups whose edges are not hit hide the pixels below them; so do round corners. No more pixels than this are in no area. */
const MAX_MISSING_SHARE = 0.01

/** Compares the areas at the edges of each part, and on a grid over the picture, with hit tests. */
function comparison(scenario: Scenario, { run }: ReturnType<typeof memorySession>['computer']) {
  const { desktop } = run
  const { projection } = scenario
  const areas = visibleAreas(desktop, { projection })
  const monitor = primaryMonitor(desktop)!.bounds
  const screen = projection ? projectRect(projection, monitor) : monitor
  const hitAt = (x: number, y: number) => {
    const pixel = { x: x + screen.x, y: y + screen.y }
    const at = projection ? unprojectPoint(projection, pixel) : pixel
    const hit = panelAt(desktop, at) ? undefined : hitTest(desktop, at)
    return hit && 'path' in hit ? hit : undefined
  }
  const isHit = ({ window, path }: ElementArea, x: number, y: number) => {
    const hit = hitAt(x, y)
    return hit?.window.uid === window && path.every((index, depth) => hit.path[depth] === index)
  }
  const wrong = areas
    .filter(({ element }) => roleKind(element.role) !== 'tooltip')
    .flatMap((area) =>
      area.parts.flatMap(({ x, y, width, height }) => {
        const [right, bottom] = [x + width - 1, y + height - 1]
        const points = [x, right, x + (width >> 1)].flatMap((left) =>
          [y, bottom, y + (height >> 1)].map((top) => [left, top]),
        )
        return points.flatMap(([left, top]) =>
          isHit(area, left!, top!) ? [] : [`${scenario.name} ${area.element.id} at ${left},${top}`],
        )
      }),
    )
  let hits = 0
  let missing = 0
  for (let y = 3; y < screen.height; y += 9)
    for (let x = (y * 13) % 17; x < screen.width; x += 17) {
      const hit = hitAt(x, y)
      if (!hit) continue
      hits++
      const area = areas.find(({ window, element }) => window === hit.window.uid && element === hit.element)
      if (!area?.parts.some((part) => contains(part, { x, y }))) missing++
    }
  return { wrong, hits, missing }
}

describe.each(shareOf(galleryNames()))('the areas of %s', (name) => {
  it('[AN1] [AN2] [AN6] agree with hit tests along its solution, in variants', { timeout: 600_000 }, async () => {
    const styles = DESKTOP_STYLES.map((style) => ({ style }))
    for (const variant of [{}, ...styles, ...(await drawVariants(name, VARIANTS, SEED))]) {
      const scenario = await loadScenario(name, { variant, seed: SEED })
      const session = memorySession(scenario)
      const found = [comparison(scenario, session.computer)]
      for await (const { number } of playSolution(session, scenario.solutions[0]))
        if (number % 3 === 0) found.push(comparison(scenario, session.computer))
      expect(found.flatMap(({ wrong }) => wrong)).toEqual([])
      for (const { hits, missing } of found) expect(missing).toBeLessThanOrEqual(hits * MAX_MISSING_SHARE)
    }
  })
})
