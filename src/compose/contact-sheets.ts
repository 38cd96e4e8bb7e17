import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contactSheet, type SheetCell } from '../paint/contact-sheet.ts'
import { fromPng } from '../paint/picture.ts'
import { galleryNames } from './gallery.ts'
import { PACKAGE } from './package.ts'
import { renderFilm } from './preview.ts'
import type { VariantChoices } from './variants.ts'

/** `npm run gallery`: writes contact sheets of every scenario in each style to docs/images/gallery. */

const FOLDER = join(PACKAGE, 'docs/images/gallery')
const STYLES = ['windows', 'macos', 'gnome'] as const
const SHADES = ['light', 'dark'] as const
const CELL_PX = 480
const COLUMNS = 4

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

async function write(name: string, cells: readonly SheetCell[], columns: number, cell = CELL_PX): Promise<void> {
  const sheet = contactSheet(cells, { columns, cell })
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${name}.png`), await sheet.png())
  process.stdout.write(
    `wrote docs/images/gallery/${name}.png: ${cells.length} pictures, ${sheet.width}x${sheet.height}\n`,
  )
}

for (const style of STYLES)
  for (const theme of SHADES) await write(`${style}-${theme}`, await sheetOf(style, theme), COLUMNS)
await write('scales', await comparison('mail', [{ scale: '1' }, { scale: '2' }]), STYLES.length)
await write(
  'scripts',
  await comparison('showcase', [{ locale: 'de' }, { locale: 'ar' }, { locale: 'ja' }]),
  STYLES.length,
)
