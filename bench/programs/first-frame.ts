import { createPainter } from '../../src/paint/painter.ts'
import { benchScreen } from '../desktop/screens.ts'
import type { FirstFrame } from '../harness/load.ts'

/** Paints a screen of the style that is its argument, and reports how long that takes in a new process. */
const begun = process.cpuUsage()
const startedMs = performance.now()
await createPainter().screen(benchScreen(process.argv[2])).png()
const { user, system } = process.cpuUsage(begun)
process.send?.({ cpuMs: (user + system) / 1000, wallMs: performance.now() - startedMs } satisfies FirstFrame)
process.disconnect?.()
