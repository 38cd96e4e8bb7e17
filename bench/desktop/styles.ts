import { galleryNames } from '../../src/compose/gallery.ts'
import { memorySession } from '../../src/compose/memory-session.ts'
import { loadScenario } from '../../src/compose/preview.ts'
import { SHELL_STYLES } from '../../src/desktop/style/style.ts'
import { cachedSpritePixels } from '../../src/paint/frame/sprite.ts'
import { createPainter } from '../../src/paint/painter.ts'
import { type FirstFrame, firstFrame } from '../harness/load.ts'
import { atLeast, atMost, measure, median, type ReportLine } from '../harness/measure.ts'
import { canvasOf } from './canvas.ts'
import { benchScreen, relabel } from './screens.ts'

/** JIT compilation also counts as processor time, for some thousand runs. */
const WARM_TIMES = 1500
const FIRST_FRAMES = 3
const MAX_SPRITES_MB = 48

/** Screenshots of 1280×800 in each style beside the canvas's own encoder on the same frame, and the first one of a process. */
export async function benchStyles(): Promise<readonly ReportLine[]> {
  const lines: ReportLine[] = []
  for (const style of SHELL_STYLES) lines.push(...(await benchStyle(style)))
  return lines
}

async function benchStyle(style: string): Promise<readonly ReportLine[]> {
  const first = benchScreen(style)
  const painter = createPainter()
  const canvas = await canvasOf(painter.screen(first))
  let count = 0
  const [whole, seen, changed, encoded] = await measure([
    {
      name: 'whole',
      times: 3,
      run: () =>
        createPainter()
          .screen(relabel(benchScreen(style), `Login ${count++}`))
          .png(),
    },
    {
      name: 'seen',
      times: WARM_TIMES,
      prepare: () => ['A', 'B'].forEach((name) => void painter.screen(relabel(first, name)).png()),
      run: () => painter.screen(relabel(first, count++ % 2 === 0 ? 'A' : 'B')).png(),
    },
    {
      name: 'changed',
      times: WARM_TIMES,
      prepare: () => void painter.screen(relabel(first, 'A')).png(),
      run: () => painter.screen(relabel(first, `Login ${count++}`)).png(),
    },
    { name: 'encoder', times: 3, run: () => canvas.encodeSync('png') },
  ])
  for (const name of galleryNames()) {
    const { desktop } = memorySession(await loadScenario(name, { variant: { style } })).computer.run
    createPainter().screen(desktop).pixels()
  }
  const megabytes = (cachedSpritePixels() * 4) / 1e6
  const firsts: FirstFrame[] = []
  for (let round = 0; round < FIRST_FRAMES; round++) firsts.push(await firstFrame(style))
  const of = (field: keyof FirstFrame) => median(firsts.map((each) => each[field]))
  return [
    atLeast(`${style}: one widget changed to a look seen before`, encoded!.cpuMs / seen!.cpuMs, 100),
    atLeast(`${style}: one widget changed to a look never seen`, encoded!.cpuMs / changed!.cpuMs, 100),
    atLeast(`${style}: the whole frame painted and encoded`, encoded!.cpuMs / whole!.cpuMs, 10),
    {
      what: `${style}: sprites held after every scenario`,
      measured: `${megabytes.toFixed(1)} MB`,
      target: `< ${MAX_SPRITES_MB} MB`,
      met: megabytes < MAX_SPRITES_MB,
    },
    atMost(`${style}: the first screenshot of a process, without loading modules`, of('cpuMs'), 400),
    atMost(`${style}: the same, wall time`, of('wallMs'), 400),
  ]
}
