import { expect, it } from 'vitest'
import { generateRecording } from '../../../test/support/viewer/generated-recording.ts'
import { shownStep, smallRecording, storedElement } from '../../../test/support/viewer/small-recording.ts'
import { readRecording } from './read-recording.ts'

// Rules such as [VW4] are stated in README.md of the viewer.

const problem = (value: unknown): string => {
  try {
    readRecording(value)
  } catch (error) {
    return (error as Error).message
  }
  return 'none'
}

it('[VW4] accepts recordings', () => {
  const { recording } = generateRecording({ steps: 30 })
  expect(readRecording(JSON.parse(JSON.stringify(recording)))).toEqual(recording)
  expect(problem(smallRecording())).toBe('none')
})

it('[VW4] names the first wrong part of a damaged recording', () => {
  const good = smallRecording({ steps: [shownStep(1)] })
  const tables = good.tables
  const frame = { width: 100, height: 64, tiles: [0] }
  const cases: readonly (readonly [unknown, string])[] = [
    [null, 'the file must be an object'],
    [
      { ...good, format: 'x' },
      'format must be "backlot-recording-1"; was the file made by another version of Backlot?',
    ],
    [{ ...good, tables: { ...tables, values: undefined } }, 'tables.values must be a list'],
    [{ ...good, steps: [{ ...good.steps[0], args: 7 }] }, 'steps[0].args is 7, but tables.values has 1 rows'],
    [{ ...good, steps: [{ ...good.steps[0], number: 2 }] }, 'steps[0].number must be 1'],
    [{ ...good, steps: [{ ...good.steps[0], tool: {} }] }, 'steps[0].tool must be a text'],
    [{ ...good, steps: [] }, 'moments has 2 rows, but 0 steps need 1'],
    [{ ...good, moments: [{ atMs: 0 }, { atMs: 'x' }] }, 'moments[1].atMs must be a number'],
    [{ ...good, moments: [{ atMs: 0, frame: 0 }, { atMs: 0 }] }, 'moments[0].frame is 0, but tables.frames has 0 rows'],
    [
      { ...good, tables: { ...tables, tiles: ['a'], frames: [frame] } },
      'tables.frames[0].tiles has 1 tiles, but the picture needs 2',
    ],
    [
      { ...good, tables: { ...tables, elements: [storedElement('a', [0])] } },
      'tables.elements[0].children[0] must come before its parent',
    ],
    [{ ...good, tables: { ...tables, tileSize: 0 } }, 'tables.tileSize must be a whole number from 1 to 65535'],
  ]
  for (const [value, words] of cases) expect(problem(value)).toBe(words)
})
