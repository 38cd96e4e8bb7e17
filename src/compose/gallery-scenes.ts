import { Fault } from '../base/fault.ts'
import { call } from '../observer/call.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { memorySession } from './memory-session.ts'
import { loadScenario } from './preview.ts'
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
const SHEET: readonly SceneCall[] = [['click_element', { element_id: 'visits.row-4.c', window_uid: 'sheet' }]]

const SHADES = ['light', 'dark'] as const

const LAUNCHER: Readonly<Record<string, readonly SceneCall[]>> = {
  windows: [['press_key', { keys: 'meta' }]],
  gnome: [['press_key', { keys: 'meta' }]],
  macos: [
    ['press_key', { keys: 'meta' }],
    ['type_text', { text: 'ca' }],
  ],
}

/** The pictures of a style: both shades, twice the pixels, two further scripts, the launcher and other programs. */
export const scenesOf = (style: string): readonly GalleryScene[] => {
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
    scene('launcher', { theme: style === 'macos' ? 'light' : 'dark' }, LAUNCHER[style]),
    scene('programs', { theme: 'light' }, WORK),
    ...SHADES.map((theme) => ({ ...scene(`workbook-${theme}`, { theme }, SHEET), scenario: 'workbook' as const })),
  ]
}

/** Plays a scene and returns its screen as a WebP file. Throws the `Fault` of a call that fails. */
export const paintScene = async (
  { scenario, variant, calls, hasPointer }: GalleryScene,
  quality: number,
): Promise<Buffer> => paintAfter(await loadScenario(scenario, { variant }), calls, { hasPointer, quality })

/** The screen of a scenario after some calls, as a WebP file. */
export async function paintAfter(
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
