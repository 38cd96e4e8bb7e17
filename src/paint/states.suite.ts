import { describe, it } from 'vitest'
import { expectGolden } from '../../test/support/paint/golden.ts'
import { statesDesktop, statesSheet } from '../../test/support/paint/states.ts'
import { type DesktopStyle, SHELL_STYLES } from '../desktop/style/style.ts'
import { createPainter } from './painter.ts'
import type { ThemeName } from './theme/tokens.ts'

// Rules such as [PNT100] are stated in SPEC.md beside this file; fixtures/README.md explains how to regenerate the pictures.

/** Compares the pictures of controls in looks with the recorded ones. */
export function testStates(looks: readonly { readonly style: DesktopStyle; readonly theme: ThemeName }[]): void {
  describe.each(looks)('the states in the style $style, $theme', ({ style, theme }) => {
    it('[PNT100] shows controls at rest, hovered, pressed and focused as before', { timeout: 60_000 }, async () => {
      await expectGolden(`styles/states-${style}-${theme}`, statesSheet(style, theme))
    })

    it.each(['controls', 'collections', 'popups'] as const)(
      '[PNT4] shows the %s as before',
      async (scene) => {
        const shown = statesDesktop(style, scene)
        await expectGolden(
          `styles/${scene}-${style}-${theme}`,
          createPainter({ theme }).window(shown, shown.windows[0]!.uid),
        )
      },
      60_000,
    )
  })
}

const themesIn = (...themes: readonly ThemeName[]) =>
  themes.flatMap((theme) => SHELL_STYLES.map((style) => ({ style, theme })))

/** What `npm test` compares, and what the long suite does. */
export const LIGHT_THEMES = themesIn('light')
export const OTHER_THEMES = themesIn('dark', 'high-contrast')
