import { describe, expect, it } from 'vitest'
import { shareOf } from '../../../.ci/share.ts'
import { act, click, clickAt } from '../../../test/support/desktop/driver.ts'
import { statesDesktop } from '../../../test/support/paint/states.ts'
import { loadScenario } from '../../compose/preview.ts'
import { type Desktop, windowByUid } from '../../desktop/model/desktop.ts'
import { nodeById } from '../../desktop/model/element.ts'
import { centerOf } from '../../desktop/model/geometry.ts'
import { MENUS_ID } from '../../desktop/shell/menus.ts'
import { runShellCommand, toggleLauncher } from '../../desktop/shell/shell.ts'
import { MENU_BAR_UID } from '../../desktop/shell/shell-elements.ts'
import { SHELL_STYLES } from '../../desktop/style/style.ts'
import { startScenario } from '../../scenario/run/step.ts'
import { measureContrast } from '../lint/lint-window.ts'
import { createPainter } from '../painter.ts'
import { fromPixels } from '../picture.ts'

// Rules such as [PS3] are stated in README.md beside this file.

const MIN_CONTRAST = 7
/** So that the middle of each stroke has the colour of the text. */
const ENLARGED = { ratio: 2, scale: 2 } as const

/** The texts on a screen in high contrast whose pixels differ too little from those around them. */
function faintTexts(name: string, desktop: Desktop): readonly string[] {
  const {
    width,
    height,
    text: runs = [],
    ...painted
  } = createPainter({
    theme: 'high-contrast',
    projection: ENLARGED,
  }).screen(desktop)
  // A painted picture makes its pixels each time.
  const picture = fromPixels(width, height, painted.pixels())
  return runs.flatMap(({ text, bounds }) => {
    const measured = measureContrast(picture, bounds) ?? 1
    return text.trim() === '' || measured >= MIN_CONTRAST ? [] : [`${name}: ${text} ${measured.toFixed(1)}`]
  })
}

/** The desktop with each menu of its menu bar open. */
function menusOf(desktop: Desktop): readonly Desktop[] {
  const bar = windowByUid(desktop, MENU_BAR_UID)
  const menus = (bar && nodeById(bar.tree, MENUS_ID)?.children) ?? []
  return menus.map(({ bounds }) => act(desktop, clickAt(centerOf(bounds))))
}

const SCENES = ['controls', 'collections', 'popups'] as const

describe('painted text in high contrast', () => {
  it.each(shareOf(SHELL_STYLES))('[PS3] has a contrast of 7 in controls: %s', { timeout: 120_000 }, (style) => {
    const faint = SCENES.flatMap((scene) => faintTexts(scene, statesDesktop(style, scene)))
    expect(faint).toEqual([])
  })

  it.each(shareOf(SHELL_STYLES, 1))(
    '[PS3] has a contrast of 7 on the desktop: %s',
    { timeout: 120_000 },
    async (style) => {
      const scenario = await loadScenario('inbox', { variant: { style, contrast: 'high' } })
      const { desktop } = startScenario(scenario, { atMs: 0 })
      const shown = [desktop, act(desktop, click('open-preferences'))]
      const parts = ['quick-settings', 'calendar', 'input'] as const
      const open = [
        toggleLauncher,
        ...parts.map((flyout) => (on: Desktop) => runShellCommand(on, { does: 'flyout', flyout })),
      ]
      const all = [...shown, ...open.map((opened) => opened(desktop)), ...menusOf(shown[1]!)]
      expect(all.flatMap((each, at) => faintTexts(`${at}`, each))).toEqual([])
    },
  )
})
