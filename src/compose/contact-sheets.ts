import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contactSheet, type SheetCell } from '../paint/contact-sheet.ts'
import { encodeLossy } from '../paint/frame/skia.ts'
import { fromPng } from '../paint/picture.ts'
import { galleryNames } from './gallery.ts'
import { paintAfter, paintScene, scenesOf } from './gallery-scenes.ts'
import { PACKAGE } from './package.ts'
import { parseServedScenario, render, renderFilm } from './preview.ts'
import type { VariantChoices } from './variants.ts'

/**
 * `npm run gallery`: writes pictures of each style to docs/images/gallery. With words after `--`, only those pictures are
 * written whose names contain one of them, such as `npm run gallery -- macos-light`.
 */

const FOLDER = join(PACKAGE, 'docs/images/gallery')
const STYLES = ['windows', 'macos', 'gnome'] as const
const SHADES = ['light', 'dark'] as const
const CELL_PX = 400
const COLUMNS = 4
const QUALITY = 80

/** The screen in the middle of the first solution, where most scenarios show the most. */
async function middleOf(scenario: string, variant: VariantChoices, caption = scenario): Promise<SheetCell> {
  const frames: Buffer[] = []
  for await (const { png } of renderFilm(scenario, { variant })) frames.push(png)
  return { picture: fromPng(frames[Math.floor(frames.length / 2)]!), caption }
}

/** Every scenario in one style and shade. */
async function sheetOf(style: string, theme: string): Promise<readonly SheetCell[]> {
  const cells: SheetCell[] = []
  for (const scenario of galleryNames()) cells.push(await middleOf(scenario, { style, theme }))
  return cells
}

/** One scenario in all styles, once per choice of a further axis. */
async function comparison(scenario: string, choices: readonly VariantChoices[]): Promise<readonly SheetCell[]> {
  const cells: SheetCell[] = []
  for (const choice of choices)
    for (const style of STYLES)
      cells.push(await middleOf(scenario, { style, ...choice }, [style, ...Object.values(choice)].join(', ')))
  return cells
}

const asSheet = async (cells: readonly SheetCell[], columns: number): Promise<Buffer> => {
  const sheet = contactSheet(cells, { columns, cell: CELL_PX })
  return encodeLossy(sheet, sheet.pixels(), 'webp', QUALITY)
}

/** The start of a scenario in a style, with a numbered frame around each clickable element. */
async function marked(style: string): Promise<Buffer> {
  const { png } = await (await render('inbox', { after: 6, variant: { style } })).png({ marks: true })
  const picture = fromPng(png)
  return encodeLossy(picture, picture.pixels(), 'webp', QUALITY)
}

/** Lines of mixed scripts and directions. */
const LINES = [
  'Mail البريد (3) דואר v2.0 end',
  'البريد (3) Mail 12:30',
  'שלום! "Backlot 2.0" ב-2024',
  'لا إله محمد بِسْمِ — 50% الرسائل',
  'Отчёт за квартал, Ελληνικά, Tiếng Việt, naïve façade',
  '直す 骨 日本語の文章は、文字の間で改行します。',
  '😀 👍🏽 👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 ❤️ ✈️ 1️⃣ 👩🏽‍💻',
  'abc 123 ☺️ ❤️ ✔ © 0 # 🫨 🩷 🐦‍🔥',
]

const SCRIPTS = `
name: scripts
monitors: [{bounds: {x: 0, y: 0, width: 720, height: 480}}]
style: windows
panel: false
states:
  all:
    windows:
      - uid: scripts
        title: Scripts
        bounds: {x: 40, y: 24, width: 640, height: 384}
        tree: {role: Window, name: Scripts, children: ${JSON.stringify(LINES.map((name) => ({ role: 'Text', name })))}}
`

/** The pictures by name, made when they are written. */
const PICTURES: ReadonlyMap<string, () => Promise<Buffer>> = new Map([
  ...STYLES.map((style) => [`${style}-marks`, () => marked(style)] as const),
  ['text', () => paintAfter(parseServedScenario(SCRIPTS), [], { hasPointer: false, quality: QUALITY })],
  ...STYLES.flatMap(scenesOf).map((scene) => [scene.name, () => paintScene(scene, QUALITY)] as const),
  ...STYLES.flatMap((style) =>
    SHADES.map(
      (theme) => [`all-${style}-${theme}`, async () => asSheet(await sheetOf(style, theme), COLUMNS)] as const,
    ),
  ),
  [
    'scales',
    async () =>
      asSheet(
        await comparison(
          'mail',
          ['1', '1.5', '2'].map((scale) => ({ scale })),
        ),
        STYLES.length,
      ),
  ],
  [
    'scripts',
    async () =>
      asSheet(
        await comparison(
          'inbox',
          ['de', 'ar', 'ja'].map((locale) => ({ locale })),
        ),
        STYLES.length,
      ),
  ],
])

const wanted = process.argv.slice(2)
mkdirSync(FOLDER, { recursive: true })
for (const [name, paint] of PICTURES) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue
  const file = await paint()
  writeFileSync(join(FOLDER, `${name}.webp`), file)
  process.stdout.write(`wrote docs/images/gallery/${name}.webp: ${Math.ceil(file.length / 1000)} kB\n`)
}
