import { createPainter } from '../../src/paint/painter.ts'
import { fromPixels, type Picture } from '../../src/paint/picture.ts'
import { comparePictures } from '../../src/paint/picture-similarity.ts'
import { atLeast, atMost, measure, ms, type ReportLine } from '../harness/measure.ts'
import { canvasOf } from './canvas.ts'
import { benchScreen, relabel } from './screens.ts'

/** For work below a millisecond: JIT compilation also counts as processor time, for some thousand runs. */
const WARM_TIMES = 1500

/** Screenshots of 1280×800 as PNG: painted from scratch, after one widget changed, and unchanged. */
export async function benchPaint(): Promise<readonly ReportLine[]> {
  const first = benchScreen()
  const begun = process.cpuUsage()
  const painter = createPainter()
  const picture = painter.screen(first)
  await picture.png()
  const { user, system } = process.cpuUsage(begun)
  const canvas = await canvasOf(picture)
  let current = first
  let count = 0
  const [cold, changed, seen, unchanged, encoded] = await measure([
    {
      name: 'cold',
      times: 3,
      run: () =>
        createPainter()
          .screen(relabel(benchScreen(), `Login ${count++}`))
          .png(),
    },
    {
      name: 'one widget changed',
      times: WARM_TIMES,
      prepare: () => void painter.screen(current).png(),
      run: () => {
        current = relabel(first, `Login ${count++}`)
        return painter.screen(current).png()
      },
    },
    {
      name: 'one widget changed to a look seen before',
      times: WARM_TIMES,
      prepare: () => ['A', 'B'].forEach((name) => void painter.screen(relabel(first, name)).png()),
      run: () => painter.screen(relabel(first, count++ % 2 === 0 ? 'A' : 'B')).png(),
    },
    {
      name: 'unchanged',
      times: 1000,
      prepare: () => void painter.screen(current).png(),
      run: () => painter.screen(current).png(),
    },
    { name: "the canvas's own encoder", times: 3, run: () => canvas.encodeSync('png') },
  ])
  return [
    {
      what: 'the first screenshot of this process, loading the library included',
      measured: ms((user + system) / 1000),
    },
    atMost('screenshot of a desktop never shown, of widgets seen before', cold!.cpuMs, 60),
    atMost('screenshot, one widget changed to a look never seen', changed!.cpuMs, 5),
    atMost('screenshot, one widget changed to a look seen before', seen!.cpuMs, 5),
    atMost('screenshot, unchanged: remembered, not painted', unchanged!.cpuMs, 0.1),
    { what: "the canvas's own encoder on the same frame, without painting", measured: ms(encoded!.cpuMs) },
    atLeast('one widget changed to a look seen before, beside it', encoded!.cpuMs / seen!.cpuMs, 100),
    atLeast('one widget changed to a look never seen, beside it', encoded!.cpuMs / changed!.cpuMs, 100),
    atLeast('the whole frame painted and encoded beside it', encoded!.cpuMs / cold!.cpuMs, 6),
    ...(await benchSimilarity(picture)),
  ]
}

/** Compares two pictures that differ in the colour of a button, and two that differ everywhere. */
async function benchSimilarity({ width, height, pixels }: Picture): Promise<readonly ReportLine[]> {
  const plain = fromPixels(width, height, pixels())
  const noisy = pixels().map((byte, at) => (at % 4 === 3 ? byte : (byte + 9 * (1 + (at % 7))) & 255))
  const button = pixels().slice()
  for (let y = 300; y < 328; y++)
    for (let x = 420; x < 500; x++) button[(y * width + x) * 4] = 255 - button[(y * width + x) * 4]!
  const pairs = [fromPixels(width, height, button), fromPixels(width, height, noisy)]
  const [near, far] = await measure(
    pairs.map((other, index) => ({
      name: `${index}`,
      times: index === 0 ? WARM_TIMES : 2,
      run: () => comparePictures(plain, other),
    })),
  )
  return [
    { what: 'similarity, everything differs', measured: ms(far!.cpuMs) },
    atLeast('similarity, one button has another colour, beside it', far!.cpuMs / near!.cpuMs, 50),
  ]
}
