import { describe, expect, it } from 'vitest'
import { desktop, document, element, monitor, rect, window } from '../../desktop/model/builders.ts'
import { terminalTextOf } from '../../desktop/model/terminal-text.ts'
import { DESKTOP_STYLES, type DesktopStyle } from '../../desktop/style/style.ts'
import { channelsOf } from '../colour.ts'
import { contrastRatio } from '../lint/lint-window.ts'
import { createPainter } from '../painter.ts'
import { themeOf } from '../styles/styles.ts'
import { TERMINAL_PALETTE } from './fields.ts'

// Rules such as [PNT69] are stated in SPEC.md of the folder above.

const painter = createPainter()
const bounds = rect(0, 0, 400, 200)
const shell = (source: string) => {
  const terminal = terminalTextOf('Terminal', source)!
  const shown = element('Terminal', '', { bounds, value: terminal.text, traits: { terminal } })
  return desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, shown))
}
const coloursIn = (source: string, area: ReturnType<typeof rect>): ReadonlySet<string> => {
  const pixels = painter.area(shell(source), area).pixels()
  const found = new Set<string>()
  for (let at = 0; at < pixels.length; at += 4) found.add([...pixels.subarray(at, at + 4)].join())
  return found
}
const asPixel = (colour: string) => [...channelsOf(colour)].join()
const ratio = (one: string, other: string) => {
  const [a, b] = [one, other].map((colour) => {
    const [red, green, blue] = channelsOf(colour)
    return red! | (green! << 8) | (blue! << 16)
  })
  return contrastRatio(a!, b!)
}

describe('a terminal', () => {
  it('[PNT69] shows the parts of a line in their columns and colours', () => {
    const runs = painter.screen(shell('a\u001b[31mbc\u001b[0m d')).text!
    expect(runs.map(({ text }) => text)).toEqual(['a', 'bc', 'd'])
    const columns = runs.map(({ bounds: at }) => Math.round((at.x - 12) / 7.8))
    expect(columns).toEqual([0, 1, 4])
  })

  it('[PNT69] fills the background of inverse and coloured parts, and underlines', () => {
    const { onTerminal } = themeOf()
    expect(coloursIn('\u001b[7mab', rect(12, 12, 14, 14))).toContain(asPixel(onTerminal))
    expect(coloursIn('\u001b[44mab', rect(12, 12, 14, 14))).toContain(asPixel(TERMINAL_PALETTE[4]!))
    const line = rect(12, 26, 14, 4)
    expect(coloursIn('\u001b[4maa', line)).toContain(asPixel(onTerminal))
    expect(coloursIn('\u001b[1maa', line)).not.toContain(asPixel(onTerminal))
  })

  it('[PNT71] has bright letters if they are bold, and readable colours in each style', () => {
    const area = rect(12, 10, 40, 20)
    const full = '\u001b[1;32m████'
    expect(coloursIn(full, area)).toContain(asPixel(TERMINAL_PALETTE[10]!))
    const styles: readonly DesktopStyle[] = DESKTOP_STYLES
    for (const style of styles)
      for (const shade of ['light', 'dark', 'high-contrast'] as const)
        for (const colour of TERMINAL_PALETTE.slice(1))
          expect(ratio(colour, themeOf(style, shade).terminal)).toBeGreaterThanOrEqual(4.5)
  })

  it('[PNT70] paints text that was typed after its value as plain text', () => {
    const terminal = terminalTextOf('Terminal', '\u001b[31mab')!
    const typed = document('', { bounds, value: 'ab cd', traits: { terminal } })
    const on = desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, typed))
    expect(painter.screen(on).text!.map(({ text }) => text)).toEqual(['ab', 'cd'])
  })
})
