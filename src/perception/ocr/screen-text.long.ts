import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { yieldingWork } from '../../base/yielding.ts'
import { galleryNames } from '../../compose/gallery.ts'
import { memorySession } from '../../compose/memory-session.ts'
import { loadScenario } from '../../compose/preview.ts'
import type { Desktop } from '../../desktop/model/desktop.ts'
import type { Rect } from '../../desktop/model/geometry.ts'
import type { ScreenProjection } from '../../desktop/projection/projection.ts'
import { createPainter } from '../../paint/painter.ts'
import { fromPixels, type Picture } from '../../paint/picture.ts'
import { textPage } from '../../test-support/desktop/text-page.ts'
import { encodePgm, toPrintContrast } from './prepare.ts'

// Rules such as [R25] are stated in ../SPEC.md. Needs the program `tesseract`, in a version with its language data.

const LANGUAGES = ['eng', 'jpn', 'ara', 'heb']
const listed = spawnSync('tesseract', ['--list-langs'], { encoding: 'utf8' }).stdout?.split('\n') ?? []
const isReady = LANGUAGES.every((language) => listed.includes(language))

const TWICE: ScreenProjection = { ratio: 2, scale: 2 }

async function recognised(picture: Picture, enlargement: number, language: string, mode: number): Promise<string> {
  const print = await toPrintContrast(picture, enlargement, yieldingWork().pause)
  const options = ['-', '-', '-l', language, '--psm', String(mode), '--dpi', '192']
  const env = { ...process.env, OMP_THREAD_LIMIT: '1' }
  const { status, stdout } = spawnSync('tesseract', options, { input: encodePgm(print), encoding: 'utf8', env })
  expect(status).toBe(0)
  return stdout
}

const wordsIn = (text: string): readonly string[] => text.match(/[A-Za-z]{2,}/g) ?? []

const SPARSE = 11
const BLOCK = 6
const LINE = 7

const SCRIPTS = {
  jpn: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ara: /(?=\p{Script=Arabic})\p{L}/u,
  heb: /(?=\p{Script=Hebrew})\p{L}/u,
} as const
type Language = keyof typeof SCRIPTS

/** The letters of a script, without marks. */
const lettersOf = (text: string, language: Language): readonly string[] =>
  Array.from(text.normalize('NFKC').replace(/\p{M}/gu, '')).filter((letter) => SCRIPTS[language].test(letter))

/** The length of the longest common subsequence. */
function inCommon(one: readonly string[], other: readonly string[]): number {
  let row = other.map(() => 0)
  for (const letter of one) {
    const next: number[] = []
    other.forEach((each, at) => {
      const [above, before, corner] = [row[at]!, next[at - 1] ?? 0, row[at - 1] ?? 0]
      next.push(letter === each ? corner + 1 : Math.max(above, before))
    })
    row = next
  }
  return row.at(-1) ?? 0
}

const MARGIN = 12

function around(picture: Picture, { x, y, width, height }: Rect): Picture {
  const left = Math.max(0, x - MARGIN)
  const top = Math.max(0, Math.round(y) - MARGIN)
  const wide = Math.min(picture.width, x + width + MARGIN) - left
  const high = Math.min(picture.height, Math.round(y) + height + MARGIN) - top
  const pixels = new Uint8Array(wide * high * 4)
  const all = picture.pixels()
  for (let row = 0; row < high; row++) {
    const from = ((top + row) * picture.width + left) * 4
    pixels.set(all.subarray(from, from + wide * 4), row * wide * 4)
  }
  return fromPixels(wide, high, pixels)
}

/** Reads a line in several ways, as people would look again, and returns the letters of the best one. */
async function readLine(line: Picture, text: string, language: Language): Promise<number> {
  const wanted = lettersOf(text, language)
  let most = 0
  for (const [mode, languages] of [
    [LINE, language],
    [BLOCK, language],
    [LINE, `${language}+eng`],
  ] as const) {
    if (most === wanted.length) break
    most = Math.max(most, inCommon(wanted, lettersOf(await recognised(line, 2, languages, mode), language)))
  }
  return most
}

describe.skipIf(!isReady)('text on the screen, at twice the size', () => {
  it('[R25] is read by OCR in the whole gallery: 97 of 100 Latin words', { timeout: 900_000 }, async () => {
    const missed: string[] = []
    let count = 0
    for (const name of galleryNames()) {
      const { desktop } = memorySession(await loadScenario(name, { variant: {} })).computer.run
      const picture = createPainter({ projection: TWICE }).screen(desktop)
      const found = new Set(wordsIn(await recognised(picture, 1, 'eng', SPARSE)).map((word) => word.toLowerCase()))
      const wanted = (picture.text ?? []).flatMap(({ text }) => wordsIn(text))
      count += wanted.length
      missed.push(...wanted.filter((word) => !found.has(word.toLowerCase())))
    }
    expect(count).toBeGreaterThan(500)
    expect(missed.length / count, missed.join(' ')).toBeLessThanOrEqual(0.03)
  })

  it('[R25] is read by OCR in other scripts: 90 of 100 letters', { timeout: 600_000 }, async () => {
    const screens: { desktop: Desktop; projection: ScreenProjection | undefined }[] = [
      { desktop: textPage('selection'), projection: TWICE },
    ]
    for (const locale of ['ar', 'ja']) {
      const scenario = await loadScenario('showcase', { variant: { locale, scale: '2' } })
      screens.push({ desktop: memorySession(scenario).computer.run.desktop, projection: scenario.projection })
    }
    const totals = { jpn: { read: 0, all: 0 }, ara: { read: 0, all: 0 }, heb: { read: 0, all: 0 } }
    for (const { desktop, projection } of screens) {
      const picture = createPainter({ projection }).screen(desktop)
      for (const { text, bounds } of picture.text ?? [])
        for (const language of Object.keys(SCRIPTS) as Language[]) {
          const { length } = lettersOf(text, language)
          if (length === 0) continue
          totals[language].all += length
          totals[language].read += await readLine(around(picture, bounds), text, language)
        }
    }
    for (const [language, { read, all }] of Object.entries(totals)) {
      expect(all).toBeGreaterThan(30)
      expect(read / all, `${language}: ${read} of ${all} letters`).toBeGreaterThanOrEqual(0.9)
    }
  })
})
