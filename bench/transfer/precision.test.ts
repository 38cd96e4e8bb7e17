import { expect, it } from 'vitest'
import { averagePrecisionOf, judgeDetections, scoresOf } from './precision.ts'

const box = (x: number, width = 20) => ({ x, y: 0, width, height: 10 })
const button = (x: number, score: number, width = 20) => ({ is: 'button' as const, score, box: box(x, width) })
const labels = { boxes: [box(0), box(100)].map((each) => ({ is: 'button' as const, box: each })), ignored: [box(200)] }

it('judges the best detection of a box right, a second one wrong, and one of an ignored region not at all', () => {
  const { detections, wanted } = judgeDetections(
    [button(0, 0.5), button(1, 0.9), button(100, 0.4, 60), button(200, 0.8), button(300, 0.1)],
    labels,
    'button',
  )
  expect(wanted).toBe(2)
  expect(detections).toEqual([
    { score: 0.9, isRight: true },
    { score: 0.5, isRight: false },
    // 20 of 60 pixels are shared: less than half.
    { score: 0.4, isRight: false },
    { score: 0.1, isRight: false },
  ])
})

it('counts a box of another class as right only without classes', () => {
  const tab = { is: 'tab' as const, score: 1, box: box(0) }
  expect(judgeDetections([tab], labels, 'tab')).toEqual({ detections: [{ score: 1, isRight: false }], wanted: 0 })
  expect(judgeDetections([tab], labels)).toEqual({ detections: [{ score: 1, isRight: true }], wanted: 2 })
})

it('gives the area under the envelope of precision', () => {
  const judged = (rights: string) =>
    [...rights].map((each, index) => ({ score: 1 - index / 100, isRight: each === '+' }))
  const precision = (rights: string, wanted: number) =>
    averagePrecisionOf([{ program: 'a', detections: judged(rights), wanted }])(() => 1)
  expect(precision('++', 2)).toBe(1)
  expect(precision('++', 4)).toBe(0.5)
  expect(precision('', 4)).toBe(0)
  expect(precision('+', 0)).toBeUndefined()
  // Recall 1/3 at 1, 2/3 at 2/3, 1 at 3/5.
  expect(precision('+-+-+', 3)).toBeCloseTo((1 + 2 / 3 + 3 / 5) / 3, 12)
  // The envelope lifts what a wrong first detection has lowered.
  expect(precision('-+++', 3)).toBeCloseTo(0.75, 12)
})

it('weighs programs as if their pictures were repeated', () => {
  const pictures = [
    { program: 'a', detections: [{ score: 0.9, isRight: true }], wanted: 2 },
    { program: 'b', detections: [{ score: 0.8, isRight: false }], wanted: 1 },
  ]
  const twice = averagePrecisionOf([...pictures, pictures[0]!])(() => 1)
  expect(averagePrecisionOf(pictures)((program) => (program === 'a' ? 2 : 1))).toBeCloseTo(twice!, 12)
  expect(averagePrecisionOf(pictures)((program) => (program === 'b' ? 1 : 0))).toBe(0)
  expect(averagePrecisionOf(pictures)(() => 0)).toBeUndefined()
})

it('takes the mean over the classes that there are', () => {
  const tab = { is: 'tab' as const, box: box(50) }
  const picture = {
    program: 'a',
    boxes: [...labels.boxes, tab],
    ignored: [],
    detections: [button(0, 1), button(100, 1)],
  }
  const scores = scoresOf([picture])(() => 1)
  expect(scores).toEqual({ map: 0.5, agnostic: expect.closeTo(2 / 3, 12), classes: { button: 1, tab: 0 } })
})
