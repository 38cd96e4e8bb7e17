import { describe, it } from 'vitest'
import { expectGolden } from '../test-support/paint/golden.ts'
import { statesDesktop, statesSheet } from '../test-support/paint/states.ts'
import { createPainter } from './painter.ts'

// Rules such as [P70] are stated in SPEC.md beside this file; fixtures/README.md explains how to regenerate the pictures.

describe.each(['windows', 'macos', 'gnome'] as const)('the states in the style %s', (style) => {
  describe.each(['light', 'dark', 'high-contrast'] as const)('%s', (theme) => {
    it('[P70] shows controls at rest, hovered, pressed and focused as before', { timeout: 60_000 }, async () => {
      await expectGolden(`styles/states-${style}-${theme}`, statesSheet(style, theme))
    })

    it.each(['controls', 'collections', 'popups'] as const)(
      '[P4] shows the %s as before',
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
})
