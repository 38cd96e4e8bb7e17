import { button, checkbox, desktop, edit, listItem, text, window } from '../desktop/builders.ts'
import { changeWindow, type Desktop } from '../desktop/desktop.ts'
import { changeAt, pathOf } from '../desktop/element.ts'
import { createPainter } from '../paint/painter.ts'
import { atMost, type Line, measure } from './measure.ts'

const ITEMS = 40

/** A screen as agents meet it: three windows, some seventy elements. */
const screen = (): Desktop =>
  desktop(
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

/** The same screen with another label on one button: a look that was never seen before. */
function relabel(before: Desktop, name: string): Desktop {
  return changeWindow(before, 'bench:login', (found) => {
    const path = pathOf(found.tree, 'root.4')!
    return { ...found, tree: changeAt(found.tree, path, (element) => ({ ...element, name })) }
  })
}

/** Screenshots of 1280×800 as PNG: painted from nothing, after one widget changed, and unchanged. */
export async function benchPaint(): Promise<readonly Line[]> {
  const first = screen()
  const painter = createPainter()
  let current = first
  let count = 0
  const [cold, changed, unchanged] = await measure([
    {
      name: 'cold',
      times: 3,
      run: () =>
        createPainter()
          .screen(relabel(screen(), `Login ${count++}`))
          .png(),
    },
    {
      name: 'one widget changed',
      times: 40,
      prepare: () => void painter.screen(current).png(),
      run: () => {
        current = relabel(first, `Login ${count++}`)
        return painter.screen(current).png()
      },
    },
    {
      name: 'unchanged',
      times: 1000,
      prepare: () => void painter.screen(current).png(),
      run: () => painter.screen(current).png(),
    },
  ])
  return [
    atMost('screenshot, cold', cold!.cpuMs, 60),
    atMost('screenshot, one widget changed to a look never seen', changed!.cpuMs, 5),
    atMost('screenshot, unchanged', unchanged!.cpuMs, 0.1),
  ]
}
