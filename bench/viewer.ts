import { type CDPSession, chromium, type Page } from 'playwright-core'
import { generateRecording } from '../test/support/viewer/generated-recording.ts'
import { serveRecordingFiles } from '../test/support/viewer/recording-server.ts'
import { atMost, ms, type ReportLine } from './harness/measure.ts'

const STEPS = 2000
const SCRUBBED = 300
/** 30 frames a second. */
const MAX_FRAME_MS = 1000 / 30
const MAX_OPEN_MS = 2000

/** Waits until the page shows the first picture of a generated recording: its upper left corner is blue. */
const SHOWN = `(async () => {
  for (;;) {
    const canvas = document.querySelector('.screen canvas')
    if (canvas && canvas.getContext('2d').getImageData(3, 3, 1, 1).data[2] === 140) return
    await new Promise(requestAnimationFrame)
  }
})()`

/** Moves the scrubber by a few steps in each frame. Returns the mean time of a frame in milliseconds. */
const SCRUB = `(async () => {
  const input = document.querySelector('.track input')
  const started = performance.now()
  for (let frame = 1; frame <= ${SCRUBBED}; frame++) {
    input.value = String(frame * ${Math.floor(STEPS / SCRUBBED)})
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    await new Promise(requestAnimationFrame)
  }
  return (performance.now() - started) / ${SCRUBBED}
})()`

/** The processor time of the page's main thread until now, in milliseconds. */
async function mainThreadMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
}

/** Measures the page of a recorded run of 2,000 steps in Chromium. */
export async function viewerLines(): Promise<readonly ReportLine[]> {
  const app = await serveRecordingFiles(generateRecording({ steps: STEPS }))
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  try {
    const url = await app.listen({ port: 0 })
    // Builds the page of a checkout.
    await (await browser.newPage()).goto(url)
    const page: Page = await browser.newPage({ viewport: { width: 1400, height: 900 } })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    const started = performance.now()
    await page.goto(url)
    await page.evaluate(SHOWN)
    const openMs = performance.now() - started
    const before = await mainThreadMs(devtools)
    const frameMs = Number(await page.evaluate(SCRUB))
    const busyMs = ((await mainThreadMs(devtools)) - before) / SCRUBBED
    return [
      atMost(`open ${STEPS} steps until the first picture`, openMs, MAX_OPEN_MS),
      atMost('frame while scrubbing', frameMs, MAX_FRAME_MS),
      { what: 'main thread busy per frame', measured: ms(busyMs) },
    ]
  } finally {
    await browser.close()
    await app.close()
  }
}
