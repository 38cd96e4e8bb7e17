import type { FontFeature } from '../../desktop/model/unicode.ts'

/** The families that a font asks for. Each is a list of faces, searched in order for the glyphs of a character. */
export type Family = 'ui' | 'mono' | 'humanist'

/** Font files with one CSS name, which no installed font has. */
export interface Face {
  readonly name: string
  /** Module specifiers of the files, one per weight, or one for all. The first one has the characters of all. */
  readonly files: readonly string[]
  /** The value of the `wdth` axis, in percent of the normal width. */
  readonly stretch?: number
}

const UI: Face = {
  name: 'Backlot Sans',
  files: [
    '400Regular/Inter_400Regular',
    '500Medium/Inter_500Medium',
    '600SemiBold/Inter_600SemiBold',
    '700Bold/Inter_700Bold',
  ].map((file) => `@expo-google-fonts/inter/${file}.ttf`),
}

const MONO: Face = {
  name: 'Backlot Mono',
  files: ['@expo-google-fonts/jetbrains-mono/400Regular/JetBrainsMono_400Regular.ttf'],
}

/** The width of Noto Sans at which its lines are about as long as those of the interface font of Windows. */
const HUMANIST_STRETCH = 93

const humanist = (subset: string): Face => ({
  name: `Backlot Humanist ${subset}`,
  files: [`@fontsource-variable/noto-sans/files/noto-sans-${subset}-standard-normal.woff2`],
  stretch: HUMANIST_STRETCH,
})

const HUMANIST = ['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese'].map(humanist)

const ARABIC: Face = {
  name: 'Backlot Arabic',
  files: [400, 700].map(
    (weight) => `@fontsource/noto-sans-arabic/files/noto-sans-arabic-arabic-${weight}-normal.woff2`,
  ),
}

const HEBREW: Face = {
  name: 'Backlot Hebrew',
  files: [400, 700].map(
    (weight) => `@fontsource/noto-sans-hebrew/files/noto-sans-hebrew-hebrew-${weight}-normal.woff2`,
  ),
}

/** The faces of each family that every installation has. */
export const FACES: Readonly<Record<Family, readonly Face[]>> = {
  ui: [UI, MONO, ARABIC, HEBREW],
  mono: [MONO, UI, ARABIC, HEBREW],
  humanist: [...HUMANIST, UI, MONO, ARABIC, HEBREW],
}

/** The files that a build copies from development dependencies, as module specifiers. */
export const SHIPPED_FONTS: readonly string[] = [...HUMANIST, ARABIC, HEBREW].flatMap(({ files }) => files)

/** The faces that are registered with the first picture. Others are when a text needs them. */
export const FIRST_FACES: readonly Face[] = [UI, MONO]

/** An optional package with the letters of a script, in files of some hundred characters. */
export interface FontPackage {
  readonly feature: FontFeature
  readonly name: string
  /** The characters of each file, as CSS ranges, by its number in brackets. */
  readonly ranges: string
  readonly file: (number: string) => string
}

const eastAsian = (feature: FontFeature, code: string): FontPackage => ({
  feature,
  name: `Backlot ${code}`,
  ranges: `@fontsource-variable/noto-sans-${code}/unicode.json`,
  file: (number) => `@fontsource-variable/noto-sans-${code}/files/noto-sans-${code}-${number}-wght-normal.woff2`,
})

/** In the order in which they are searched for ideographs that several of them have. */
export const EAST_ASIAN: readonly FontPackage[] = [
  eastAsian('japanese', 'jp'),
  eastAsian('chinese', 'sc'),
  eastAsian('korean', 'kr'),
]

export const EMOJI: Face = {
  name: 'Backlot Emoji',
  files: ['@fontsource/noto-color-emoji/files/noto-color-emoji-emoji-400-normal.woff2'],
}
