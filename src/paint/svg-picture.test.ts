import { describe, expect, it } from 'vitest'
import { desktop, element, monitor, rect, window } from '../desktop/model/builders.ts'
import { createPainter } from './painter.ts'
import { toPictureFile } from './picture-file.ts'

// Rules such as [PNT29] are stated in SPEC.md beside this file.

const painter = createPainter()
const svg = (content: string, head = 'viewBox="0 0 20 10"') =>
  Buffer.from(`<?xml version="1.0"?><!-- drawn -->\n<svg xmlns="http://www.w3.org/2000/svg" ${head}>${content}</svg>`)
/** The colour of a point of a picture that is shown 10 times as large. */
const colourAt = (content: string, x: number, y: number): readonly number[] => {
  const bounds = rect(0, 0, 200, 100)
  const image = element('Image', 'Map', { bounds, traits: { picture: toPictureFile(svg(content)) } })
  const on = desktop({ monitors: [monitor(bounds)] }, window('W', { bounds, frame: 'none' }, image))
  return [...painter.area(on, rect(x, y, 1, 1)).pixels()].slice(0, 3)
}
const RED = [255, 0, 0]
const BLUE = [0, 0, 255]

describe('an SVG picture', () => {
  it('[PNT29] has its own size, or that of its view', () => {
    const sizes = ['viewBox="0 0 20 10"', 'width="30px" height="15"', 'width="100%" viewBox="5,5 8 4"'].map((head) => {
      const { format, width, height } = toPictureFile(svg('<g/>', head))
      return [format, width, height]
    })
    expect(sizes).toEqual([
      ['svg', 20, 10],
      ['svg', 30, 15],
      ['svg', 8, 4],
    ])
  })

  it.each([
    ['<rect x="2" y="2" width="6" height="6" fill="red"/>', 50, 50, 150, 50],
    ['<circle cx="5" cy="5" r="3" fill="#f00"/>', 50, 50, 21, 21],
    ['<ellipse cx="5" cy="5" rx="4" ry="2" fill="rgb(255, 0, 0)"/>', 20, 50, 50, 20],
    ['<polygon points="0,0 10,0 0,10" style="fill: red"/>', 20, 20, 90, 90],
    ['<line x1="0" y1="5" x2="20" y2="5" stroke="red" stroke-width="2"/>', 100, 50, 100, 20],
    ['<path d="M0 0h10v10h-10z M2 2h6v6h-6z" fill="red" fill-rule="evenodd"/>', 10, 50, 50, 50],
    ['<g fill="red" transform="translate(10 0) scale(0.5)"><rect width="10" height="10"/></g>', 120, 20, 50, 20],
    ['<rect width="4" height="2" transform="rotate(90 2 2)" fill="red"/>', 30, 30, 10, 35],
    ['<title>A map</title><defs><g><image/></g></defs><rect width="5" height="5" fill="red"/>', 20, 20, 150, 50],
  ])('[PNT29] draws %s', (content, x, y, outX, outY) => {
    expect(colourAt(content, x, y)).toEqual(RED)
    expect(colourAt(content, outX, outY)).not.toEqual(RED)
  })

  it('[PNT29] paints later shapes above earlier ones, and a share of their opacity', () => {
    const both = '<rect width="20" height="10" fill="red"/><rect width="10" height="10" fill="blue"/>'
    expect([colourAt(both, 50, 50), colourAt(both, 150, 50)]).toEqual([BLUE, RED])
    const [red, green, blue] = colourAt(
      `${both}<g opacity="0.5"><rect width="20" height="10" fill="#000"/></g>`,
      150,
      50,
    )
    expect([green, blue]).toEqual([0, 0])
    expect(Math.abs(red! - 127)).toBeLessThanOrEqual(1)
  })

  it.each([
    ['<text>Hello</text>', 'has a <text>'],
    ['<image href="a.png"/>', 'has a <image>'],
    ['<style>* {fill: red}</style>', 'has a <style>'],
    ['<script>1</script>', 'has a <script>'],
    ['<use href="#a"/>', 'has a <use>'],
    ['<rect width="1" height="1" onclick="x()"/>', 'has onclick on <rect>'],
    ['<rect width="1" height="1" filter="url(#a)"/>', 'has filter on <rect>'],
    ['<rect width="1" height="1" style="mask: url(#a)"/>', 'has mask on <rect>'],
    ['<rect width="1" height="1" fill="url(#a)"/>', 'has the colour "url(#a)" on <rect>'],
    ['<rect width="5em" height="1"/>', 'has width="5em" on <rect>; expected a number of pixels'],
    ['<path d="M0 0 &amp;"/>', 'has a <path> whose data'],
    ['<g transform="spin(3)"/>', 'has the transform "spin(3)"'],
    ['<g>', 'closes <svg>, which is not open'],
    ['<g a=b/>', 'has a tag that cannot be read'],
    ['<![CDATA[x]]>', 'has a document type, an entity or CDATA'],
    ['<g>'.repeat(70) + '</g>'.repeat(70), 'has more than 64 levels'],
    ['<g/>'.repeat(2000), 'has more than 2000 elements'],
    [' '.repeat(500_001), 'at most 500000 are allowed'],
  ])('[PNT30] is refused: %.60s', (content, message) => {
    expect(() => toPictureFile(svg(content))).toThrow(message)
  })

  it('[PNT30] is refused with a document type, without a size, and if it is too large', () => {
    const typed = Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1"></svg>')
    expect(() => toPictureFile(typed)).toThrow('document type')
    expect(() => toPictureFile(svg('', ''))).toThrow('neither a viewBox nor a width and a height')
    expect(() => toPictureFile(svg('', 'viewBox="0 0 5000 1"'))).toThrow('5000 × 1 pixels')
  })

  it('[PNT30] is read in a time that does not explode', () => {
    const attack = `<rect ${'a="b" '.repeat(20_000)}${' '.repeat(100_000)}!`
    expect(() => toPictureFile(svg(attack))).toThrow('has a tag that cannot be read')
  })
})
