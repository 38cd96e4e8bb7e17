import { describe, expect, it } from 'vitest'
import { desktop, element, rect, window } from '../../desktop/model/builders.ts'
import { fromPixels } from '../picture.ts'
import { compareDensity, measureDensity, programKindOf, REAL_PROGRAMS } from './picture-density.ts'

// Rules such as [LI16] are stated in README.md beside this file.

/** A picture of 64 × 64 pixels. */
const pictureWith = (colourAt: (x: number, y: number) => readonly [number, number, number]) => {
  const pixels = new Uint8Array(64 * 64 * 4)
  for (let at = 0; at < 64 * 64; at++) pixels.set([...colourAt(at % 64, at >> 6), 255], at * 4)
  return fromPixels(64, 64, pixels)
}
const WHITE = [255, 255, 255] as const

describe('the density of a picture', () => {
  it('[LI16] is that of its blocks, edges, colours and saturation', () => {
    expect(measureDensity(pictureWith(() => WHITE))).toEqual({
      ...{ flat8: 100, flat32: 100, edges: 0, colours: 1, saturated: 0 },
    })
    // A red block of 8 × 8 in a corner: its right and lower neighbours differ from 15 of its pixels.
    const red = pictureWith((x, y) => (x < 8 && y < 8 ? [200, 0, 0] : WHITE))
    expect(measureDensity(red)).toEqual({ flat8: 100, flat32: 75, edges: 0.4, colours: 2, saturated: 1.6 })
    const faint = pictureWith((x) => (x === 20 ? [232, 232, 232] : WHITE))
    expect(measureDensity(faint)).toEqual({ flat8: 87.5, flat32: 50, edges: 0, colours: 2, saturated: 0 })
  })

  it('[LI16] has the texts of a painted screen and the elements of its open windows', () => {
    const run = (text: string, height: number) => ({ text, bounds: rect(0, 0, 40, height) })
    const picture = { ...pictureWith(() => WHITE), text: [run('Save as', 18), run('Open', 18), run('Mail', 26)] }
    const bounds = rect(0, 0, 60, 60)
    const on = desktop(window('W', { bounds }, element('Pane', '', { bounds }, element('Text', 'a', { bounds }))))
    const { textSizes, words, nodes } = measureDensity(picture, on)
    expect({ textSizes, words, nodes }).toEqual({ textSizes: 2, words: 4, nodes: 3 })
  })

  it('[LI17] is low or high more than a quarter beyond real programs', () => {
    const verdicts = (flat8: number, words: number) =>
      compareDensity({ flat8, flat32: 1, edges: 20, colours: 60, saturated: 3, words }, 'sheet')
        .filter(({ measure }) => measure === 'flat8' || measure === 'words')
        .map(({ real, verdict }) => [real, verdict])
    expect(verdicts(27, 350)).toEqual([
      [[37, 40], 'low'],
      [[280, 280], 'alike'],
    ])
    expect(verdicts(51, 351)).toEqual([
      [[37, 40], 'high'],
      [[280, 280], 'high'],
    ])
    const chat = { flat8: 80, flat32: 58, edges: 7, colours: 30, saturated: 2, words: 9 }
    expect(compareDensity(chat, 'chat').at(-1)).toEqual({
      ...{ measure: 'words', here: 9, real: undefined, verdict: 'unknown' },
    })
  })

  it('[LI17] of every real program is like that of its own kind', () => {
    for (const [kind, programs] of Object.entries(REAL_PROGRAMS))
      for (const { program: _, ...density } of programs) {
        const compared = compareDensity(density as never, kind as keyof typeof REAL_PROGRAMS)
        expect(compared.filter(({ verdict }) => verdict !== 'alike')).toEqual([])
      }
  })

  it('[LI18] has the kind that a name says', () => {
    expect(['inbox mail', 'Sheets', 'shop', 'Photos', 'main.ts - Code', 'xyz'].map(programKindOf)).toEqual([
      ...['mail', 'sheet', 'shop', 'photos', 'editor', undefined],
    ])
  })
})
