import { button, checkbox, desktop, edit, listItem, text, window } from '../../src/desktop/model/builders.ts'
import { changeWindow, type Desktop } from '../../src/desktop/model/desktop.ts'
import { changeAt, pathOf } from '../../src/desktop/model/element.ts'
import { DESKTOP_STYLES } from '../../src/desktop/style/style.ts'

const ITEMS = 40
/** A typical screen for agents: three windows with about seventy elements. */
export function benchScreen(style?: string): Desktop {
  const shown = desktop(
    window(
      'Login',
      { uid: 'bench:login', bounds: { x: 400, y: 200, width: 480, height: 360 } },
      text('Sign in to Acme'),
      edit('Username', { value: 'alice' }),
      edit('Password', { value: '••••••' }),
      checkbox('Remember me', { selected: true }),
      button('Login'),
      button('Cancel'),
    ),
    window(
      'Files',
      { uid: 'bench:files', bounds: { x: 40, y: 60, width: 520, height: 640 } },
      ...Array.from({ length: ITEMS }, (_, index) => listItem(`report-2024-${String(index).padStart(2, '0')}.ods`)),
    ),
    window(
      'Preferences',
      { uid: 'bench:preferences', bounds: { x: 620, y: 90, width: 600, height: 560 } },
      ...Array.from({ length: 20 }, (_, index) => checkbox(`Option ${index}`, { selected: index % 2 === 0 })),
    ),
  )
  const chosen = DESKTOP_STYLES.find((name) => name === style)
  return chosen === undefined ? shown : { ...shown, style: chosen }
}

/** The same screen with a new label on one button, which was never painted before. */
export function relabel(before: Desktop, name: string): Desktop {
  return changeWindow(before, 'bench:login', (found) => {
    const path = pathOf(found.tree, 'root.4')!
    return { ...found, tree: changeAt(found.tree, path, (element) => ({ ...element, name })) }
  })
}
