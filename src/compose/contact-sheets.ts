import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '../base/fault.ts'
import type { ShellMetrics } from '../desktop/style/metrics.ts'
import { type DesktopStyle, SHELL_STYLES, styleMetrics } from '../desktop/style/style.ts'
import { call } from '../observer/call.ts'
import { encodeLossy } from '../paint/canvas/skia.ts'
import { contactSheet, type SheetCell } from '../paint/contact-sheet.ts'
import { fromPng } from '../paint/picture.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { galleryNames } from './gallery.ts'
import { memorySession } from './memory-session.ts'
import { PACKAGE } from './package.ts'
import { loadScenario, parseServedScenario, render, renderFilm } from './preview.ts'
import type { VariantChoices } from './variants.ts'

/** A picture of a scenario of the gallery at full size, after some calls. */
export interface GalleryScene {
  readonly name: string
  readonly scenario: 'inbox' | 'workbook'
  readonly variant: VariantChoices
  readonly calls: readonly SceneCall[]
  /** Whether the mouse pointer is drawn. */
  readonly hasPointer: boolean
}

type SceneCall = readonly [tool: string, args: object]

const inMail = (id: string) => ({ element_id: id, window_uid: 'mail' })

/** A notification, the preferences, a context menu and a tooltip at the same time. */
const OPEN: readonly SceneCall[] = [
  ['wait', { duration_ms: 1500 }],
  ['click_element', inMail('open-preferences')],
  ['right_click_element', inMail('messages.row-5')],
  ['hover_element', inMail('menu-forward')],
  ['hover_element', { ...inMail('forward'), hover_ms: 1000 }],
]

/** Opens a program as a user does: by its name in the launcher. */
const launch = (name: string): readonly SceneCall[] => [
  ['press_key', { keys: 'meta' }],
  ['type_text', { text: name }],
  ['press_key', { keys: 'enter' }],
]

const WORK = ['Sheets', 'Files', 'Calendar', 'Terminal'].flatMap(launch)

/** A cell of the sheet is current. */
const SHEET: readonly SceneCall[] = [
  ['click_element', { selector: 'TabItem "Products"', window_uid: 'sheet' }],
  ['click_element', { element_id: 'products.row-4.c', window_uid: 'sheet' }],
]

const OPEN_LAUNCHER: SceneCall = ['press_key', { keys: 'meta' }]

/** Each kind of launcher with something in it, in one shade. */
const LAUNCHERS: Readonly<Record<ShellMetrics['launcher'], readonly [VariantChoices, readonly SceneCall[]]>> = {
  'start menu': [{ theme: 'dark' }, [OPEN_LAUNCHER]],
  overview: [{ theme: 'dark' }, [OPEN_LAUNCHER]],
  'search panel': [{ theme: 'light' }, [OPEN_LAUNCHER, ['type_text', { text: 'ca' }]]],
}

/** The pictures of a style: both shades, twice the pixels, two further scripts, the launcher and other programs. */
const scenesOf = (style: DesktopStyle): readonly GalleryScene[] => {
  const scene = (name: string, choices: VariantChoices, calls = OPEN): GalleryScene => ({
    name: `${style}-${name}`,
    scenario: 'inbox',
    variant: { style, ...choices },
    calls,
    hasPointer: calls === OPEN,
  })
  return [
    scene('light', { theme: 'light' }),
    scene('dark', { theme: 'dark' }),
    scene('light-2x', { theme: 'light', scale: '2' }),
    scene('light-arabic', { theme: 'light', locale: 'ar' }),
    scene('dark-japanese', { theme: 'dark', locale: 'ja' }),
    scene('launcher', ...LAUNCHERS[styleMetrics(style).shell!.launcher]),
    scene('programs', { theme: 'light' }, WORK),
    ...SHADES.map((theme) => ({ ...scene(`workbook-${theme}`, { theme }, SHEET), scenario: 'workbook' as const })),
  ]
}

/** Plays a scene and returns its screen as a WebP file. Throws the `Fault` of a call that fails. */
const paintScene = async ({ scenario, variant, calls, hasPointer }: GalleryScene, quality: number): Promise<Buffer> =>
  paintAfter(await loadScenario(scenario, { variant }), calls, { hasPointer, quality })

/** The screen of a scenario after some calls, as a WebP file. */
async function paintAfter(
  scenario: Scenario,
  calls: readonly SceneCall[],
  { hasPointer, quality }: { readonly hasPointer: boolean; readonly quality: number },
): Promise<Buffer> {
  const { session } = memorySession(scenario)
  const made = async (tool: string, args: object): Promise<unknown> => {
    const { fault, body } = await call(session, tool, args)
    if (fault) throw new Fault(fault.code, `${tool} ${JSON.stringify(args)}: ${fault.message}`)
    return body
  }
  for (const [tool, args] of calls) await made(tool, args)
  const shot = (await made('capture_screen', { pointer: hasPointer, format: 'webp', quality })) as { data: string }
  return Buffer.from(shot.data, 'base64')
}

/**
 * `npm run gallery`: writes pictures of each style to docs/images/gallery. With words after `--`, only those pictures are
 * written whose names contain one of them, such as `npm run gallery -- macos-light`.
 */

const FOLDER = join(PACKAGE, 'docs/images/gallery')
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
    for (const style of SHELL_STYLES)
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
  ...SHELL_STYLES.map((style) => [`${style}-marks`, () => marked(style)] as const),
  ['text', () => paintAfter(parseServedScenario(SCRIPTS), [], { hasPointer: false, quality: QUALITY })],
  ...SHELL_STYLES.flatMap(scenesOf).map((scene) => [scene.name, () => paintScene(scene, QUALITY)] as const),
  ...SHELL_STYLES.flatMap((style) =>
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
        SHELL_STYLES.length,
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
        SHELL_STYLES.length,
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
