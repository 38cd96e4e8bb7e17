/** Advance widths of Inter's printable ASCII glyphs, starting at the space, in thousandths of the font size. */
const INTER = [
  281, 288, 466, 633, 642, 982, 644, 300, 365, 365, 501, 662, 288, 460, 288, 360, 631, 407, 610, 618, 646, 593, 620,
  566, 619, 620, 288, 302, 662, 662, 662, 511, 966, 690, 654, 730, 722, 601, 590, 746, 743, 269, 571, 672, 565, 903,
  753, 765, 639, 765, 644, 642, 646, 744, 690, 985, 682, 679, 629, 365, 360, 365, 471, 456, 323, 562, 612, 571, 612,
  583, 370, 613, 591, 242, 242, 549, 242, 876, 591, 600, 612, 612, 376, 528, 327, 591, 562, 818, 546, 562, 552, 426,
  333, 426, 662,
] as const

/** For all other characters: wide enough for most letters, and for the box of a missing one. */
const OTHER = 660
const WIDE = 1000
const FIRST = 32
const FIRST_WIDE = 0x2e80

/** Whether a unit is a surrogate. Characters beyond the first 65,536 are all wide. */
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** The width of a line of text in whole pixels, rounded up. */
export function textWidth(text: string, fontSize: number): number {
  let thousandths = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isHigh(code) && isLow(text.charCodeAt(at + 1))) at++
    // A tab has no glyph and counts as a space.
    if (code < FIRST + INTER.length) thousandths += INTER[Math.max(0, code - FIRST)]!
    else thousandths += code < FIRST_WIDE ? OTHER : WIDE
  }
  return Math.ceil((thousandths * fontSize) / 1000)
}
