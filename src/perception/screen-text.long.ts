import { describe, expect, it } from 'vitest'
import { shareOf } from '../../.ci/share.ts'
import { type PartsOf, type Reader, readLines, tesseractLanguages } from '../../test/support/perception/read-lines.ts'
import { openTesseractJs } from '../../test/support/perception/tesseract-js.ts'
import { memorySession } from '../compose/memory-session.ts'
import { loadScenario } from '../compose/preview.ts'
import { desktop, monitor, rect, text, window } from '../desktop/model/builders.ts'
import type { DesktopStyle } from '../desktop/style/style.ts'
import { createPainter } from '../paint/painter.ts'
import type { Picture } from '../paint/picture.ts'
import type { ThemeName } from '../paint/theme/tokens.ts'

// Rules such as [PC3] are stated in SPEC.md beside this file. Some need the program `tesseract` with its language data.
// A word counts as read if tesseract finds it at the size of the picture or enlarged, among the other lines or alone.

const LANGUAGES = ['eng', 'ara', 'heb', 'jpn', 'chi_sim']
const listed = tesseractLanguages()
const missing = LANGUAGES.filter((language) => !listed.includes(language))
const unread = missing.length > 0 ? ` (not installed: tesseract with ${missing.join(', ')})` : ''

const TWICE = { ratio: 2, scale: 2 } as const

/** What is read in each style and shade: scenarios of the gallery with many words. */
const THEMES = [
  { style: 'windows', theme: 'light', names: ['office', 'settings'] },
  { style: 'windows', theme: 'dark', names: ['expense-reports', 'calendar'] },
  { style: 'macos', theme: 'light', names: ['inbox'] },
  { style: 'macos', theme: 'dark', names: ['desktop'] },
  { style: 'gnome', theme: 'light', names: ['back-office', 'shop'] },
  { style: 'gnome', theme: 'dark', names: ['inbox'] },
] as const

async function painted(
  name: string,
  variant: { readonly style: DesktopStyle; readonly theme: ThemeName; readonly locale?: string },
): Promise<Picture> {
  const scenario = await loadScenario(name, { variant })
  const { desktop: shown } = memorySession(scenario).computer.run
  return createPainter({ projection: TWICE, theme: variant.theme }).screen(shown)
}

/** Words of two and more Latin letters without accents, in small letters. */
const latinWords: PartsOf = (line) =>
  (line.match(/\p{L}{2,}/gu) ?? []).filter((word) => /^[a-z]+$/i.test(word)).map((word) => word.toLowerCase())

/** The words of a script with two and more letters, without marks. */
const wordsOf =
  (script: RegExp): PartsOf =>
  (line) =>
    (
      line
        .normalize('NFKC')
        .replace(/[\p{M}\u0640]/gu, '')
        .match(/\p{L}{2,}/gu) ?? []
    ).filter((word) => script.test(word))

/** The letters of a script. Japanese and Chinese have no blanks between words. */
const lettersOf =
  (script: RegExp): PartsOf =>
  (line) =>
    Array.from(line.normalize('NFKC')).filter((letter) => script.test(letter))

const HAN = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

/** A window with lines of text in a style. */
function page(style: DesktopStyle, theme: ThemeName, lines: readonly string[]): Picture {
  const bounds = rect(0, 0, 420, 60 + lines.length * 28)
  const words = lines.map((line, at) => text(line, { bounds: rect(20, 46 + at * 28, 380, 24) }))
  const shown = desktop({ monitors: [monitor(bounds)], style }, window('', { bounds }, ...words))
  return createPainter({ projection: TWICE, theme }).screen(shown)
}

const HEBREW = [
  'הקובץ נשמר בתיקייה של הפרויקט',
  'האם לשמור את השינויים לפני הסגירה',
  'הגדרות התצוגה והשפה של המערכת',
  'אין הודעות חדשות בתיבת הדואר',
  'הפגישה מתחילה ביום רביעי בבוקר',
]
/** In characters that the Japanese font has too: a checkout has no font for the others. */
const CHINESE = [
  '文件已保存到目的地',
  '是否保存更改的内容',
  '收件箱里没有新消息',
  '星期三上午在公司集合',
  '明天下午三点以前完成工作',
]

/** Reads the words of a look. At most 3 of 100 may be missed. */
async function expectRead({ style, theme, names }: (typeof THEMES)[number], reader?: Reader): Promise<void> {
  const missed: string[] = []
  let all = 0
  for (const name of names) {
    const picture = await painted(name, { style, theme })
    const read = await readLines(picture, picture.text ?? [], 'eng', latinWords, reader)
    all += read.all
    missed.push(...read.missed.map((word) => `${name}: ${word}`))
  }
  expect(all).toBeGreaterThan(100)
  expect(missed.length / all, `${missed.length} of ${all}: ${missed.join(', ')}`).toBeLessThanOrEqual(0.03)
}

/** One look of each style: tesseract.js is slow. */
const THEMES_OF_TESSERACT_JS = THEMES.filter(({ style, theme }) =>
  ['windows light', 'macos light', 'gnome dark'].includes(`${style} ${theme}`),
)

it.each(shareOf(THEMES_OF_TESSERACT_JS))(
  '[PC3] text on the screen, at twice the size, is read by tesseract.js: 97 of 100 words, $style $theme',
  async (look) => {
    const { read, close } = await openTesseractJs()
    await expectRead(look, read).finally(close)
  },
  300_000,
)

const SCRIPTS = [
  {
    language: 'ara',
    partsOf: wordsOf(/\p{Script=Arabic}/u),
    least: 60,
    shown: () => painted('inbox', { style: 'gnome', theme: 'dark', locale: 'ar' }),
  },
  {
    language: 'jpn',
    partsOf: lettersOf(HAN),
    least: 200,
    shown: () => painted('inbox', { style: 'windows', theme: 'light', locale: 'ja' }),
  },
  { language: 'heb', partsOf: wordsOf(/\p{Script=Hebrew}/u), least: 20, shown: () => page('macos', 'dark', HEBREW) },
  { language: 'chi_sim', partsOf: lettersOf(HAN), least: 40, shown: () => page('windows', 'dark', CHINESE) },
]

describe.skipIf(missing.length > 0)(`text on the screen, at twice the size, for the program${unread}`, () => {
  it.each(shareOf(THEMES))('[PC3] is read by OCR: 97 of 100 words, $style $theme', { timeout: 300_000 }, (look) =>
    expectRead(look),
  )

  it.each(shareOf(SCRIPTS))(
    '[PC4] is read by OCR in other scripts: 90 of 100 words, $language',
    { timeout: 300_000 },
    async (row) => {
      const picture = await row.shown()
      const { all, missed } = await readLines(picture, picture.text ?? [], row.language, row.partsOf)
      expect(all).toBeGreaterThan(row.least)
      expect(missed.length / all, `${missed.length} of ${all}: ${missed.join(', ')}`).toBeLessThanOrEqual(0.1)
    },
  )
})
