import { expect, it } from 'vitest'
import { button, desktop, element, monitor, rect, window } from '../desktop/model/builders.ts'
import { DESKTOP_STYLES, type DesktopStyle } from '../desktop/style/style.ts'
import { createPainter } from './painter.ts'

// Rules such as [PNT99] are stated in SPEC.md beside this file.

const bounds = rect(0, 0, 600, 300)
const bar = element(
  'ToolBar',
  'Tools',
  { bounds: rect(0, 0, 600, 52), place: {}, traits: { titleAt: 0 } },
  button('Go', { bounds: rect(500, 13, 60, 26) }),
)

const painter = createPainter()

/** The painted texts of a window with tools in its band. */
function runsIn(style: DesktopStyle, subtitle?: string) {
  const made = window('Inbox', { bounds }, bar)
  const tree = { ...made.tree, ...(subtitle !== undefined && { traits: { subtitle } }) }
  return painter.screen(desktop({ monitors: [monitor(bounds)], style }, { ...made, tree })).text!
}

it('[PNT99] shows the line below the title of a band in macos alone, and its changes', () => {
  const [title] = runsIn('macos')
  const [first, second] = runsIn('macos', '9 messages')
  expect([title!.text, first!.text, second!.text]).toEqual(['Inbox', 'Inbox', '9 messages'])
  expect([first!.bounds.x, second!.bounds.x]).toEqual([title!.bounds.x, title!.bounds.x])
  expect(first!.bounds.y).toBeLessThan(title!.bounds.y)
  expect(second!.bounds.y).toBeGreaterThan(first!.bounds.y)
  expect(second!.bounds.height).toBeLessThan(first!.bounds.height)
  expect(runsIn('macos', '8 messages')[1]!.text).toBe('8 messages')
  for (const style of DESKTOP_STYLES)
    expect(runsIn(style, '9 messages').some(({ text }) => text === '9 messages')).toBe(style === 'macos')
})
