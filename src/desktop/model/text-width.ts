import type { TextFamily } from '../style/metrics.ts'

/**
 * Advance widths of the shipped fonts at weight 400, in thousandths of the font size. A test compares them with the files.
 */

/** The widths of consecutive characters from a code point on. */
interface WidthRow {
  readonly first: number
  readonly widths: readonly number[]
}

/** Inter. Its other Latin letters count as `OTHER`. */
const INTER: readonly WidthRow[] = [
  {
    first: 0x20,
    widths: [
      281, 288, 466, 633, 642, 982, 644, 300, 365, 365, 501, 662, 288, 460, 288, 360, 631, 407, 610, 618, 646, 593, 620,
      566, 619, 620, 288, 302, 662, 662, 662, 511, 966, 690, 654, 730, 722, 601, 590, 746, 743, 269, 571, 672, 565, 903,
      753, 765, 639, 765, 644, 642, 646, 744, 690, 985, 682, 679, 629, 365, 360, 365, 471, 456, 323, 562, 612, 571, 612,
      583, 370, 613, 591, 242, 242, 549, 242, 876, 591, 600, 612, 612, 376, 528, 327, 591, 562, 818, 546, 562, 552, 426,
      333, 426, 662,
    ],
  },
  {
    first: 0x386,
    widths: [
      690, 288, 738, 880, 406, 656, 862, 656, 878, 871, 275, 690, 654, 579, 681, 601, 629, 743, 765, 269, 672, 690, 903,
      753, 656, 765, 743, 639, 656, 689, 646, 679, 880, 682, 880, 770, 269, 679, 664, 537, 591, 275, 591, 664, 596, 562,
      584, 537, 509, 591, 621, 275, 525, 642, 586, 587, 559, 600, 605, 612, 569, 624, 466, 591, 721, 569, 778, 805, 275,
      591, 600, 591, 805,
    ],
  },
  {
    first: 0x400,
    widths: [
      601, 601, 841, 579, 730, 642, 269, 269, 571, 1113, 1125, 884, 672, 753, 628, 722, 690, 646, 654, 579, 819, 601,
      960, 618, 753, 753, 672, 748, 903, 743, 765, 743, 639, 730, 646, 628, 828, 682, 721, 700, 958, 972, 816, 883, 649,
      730, 1015, 644, 562, 594, 565, 436, 613, 583, 810, 494, 591, 591, 542, 575, 770, 588, 600, 588, 612, 571, 466,
      562, 687, 546, 597, 578, 822, 837, 644, 736, 559, 571, 843, 554, 583, 583, 591, 436, 571, 528, 242, 242, 242, 924,
      896, 591, 542, 591, 562, 588,
    ],
  },
]

/** Noto Sans at 93 percent of its width. */
const NOTO_SANS: readonly WidthRow[] = [
  {
    first: 0x20,
    widths: [
      245, 262, 402, 608, 543, 797, 680, 222, 298, 298, 519, 543, 259, 312, 259, 372, 543, 543, 543, 543, 543, 543, 543,
      543, 543, 543, 260, 260, 543, 543, 543, 410, 848, 600, 614, 594, 686, 524, 490, 690, 698, 328, 263, 584, 493, 868,
      721, 734, 572, 734, 589, 521, 520, 688, 567, 887, 548, 530, 529, 326, 372, 326, 545, 443, 278, 531, 584, 453, 584,
      534, 325, 584, 585, 248, 248, 506, 248, 883, 585, 572, 584, 584, 391, 450, 340, 585, 480, 749, 497, 481, 436, 376,
      521, 376, 543,
    ],
  },
  {
    first: 0xa0,
    widths: [
      245, 262, 543, 543, 568, 543, 521, 484, 569, 832, 346, 499, 543, 0, 832, 487, 415, 543, 343, 343, 278, 589, 620,
      259, 220, 343, 363, 499, 739, 765, 770, 410, 600, 600, 600, 600, 600, 600, 827, 594, 524, 524, 524, 524, 328, 328,
      328, 328, 686, 721, 734, 734, 734, 734, 734, 543, 734, 688, 688, 688, 688, 530, 570, 595, 531, 531, 531, 531, 531,
      531, 820, 453, 534, 534, 534, 534, 248, 248, 248, 248, 573, 585, 572, 572, 572, 572, 572, 543, 572, 585, 585, 585,
      585, 481, 584, 481,
    ],
  },
  {
    first: 0x100,
    widths: [
      600, 531, 600, 531, 600, 531, 594, 453, 594, 453, 594, 453, 594, 453, 686, 584, 686, 585, 524, 534, 524, 534, 524,
      534, 524, 534, 524, 534, 690, 584, 690, 584, 690, 584, 690, 584, 698, 585, 698, 585, 328, 248, 328, 248, 328, 248,
      328, 248, 328, 278, 587, 497, 263, 248, 584, 506, 506, 493, 248, 493, 248, 493, 248, 493, 268, 494, 252, 721, 585,
      721, 585, 721, 585, 654, 721, 585, 734, 572, 734, 572, 734, 572, 889, 722, 589, 391, 589, 391, 589, 391, 521, 450,
      521, 450, 521, 450, 521, 450, 520, 340, 520, 340, 520, 340, 688, 585, 688, 585, 688, 585, 688, 585, 688, 585, 688,
      585, 887, 749, 530, 481, 530, 529, 436, 529, 436, 529, 436, 306,
    ],
  },
  {
    first: 0x386,
    widths: [
      668, 259, 687, 861, 510, 599, 846, 599, 743, 794, 313, 600, 614, 473, 602, 524, 529, 698, 734, 328, 584, 576, 868,
      721, 588, 734, 690, 572, 599, 529, 520, 530, 806, 548, 776, 671, 328, 530, 593, 442, 575, 313, 564, 593, 582, 490,
      557, 442, 431, 575, 564, 313, 506, 494, 595, 490, 463, 572, 619, 569, 458, 583, 458, 564, 690, 562, 708, 752, 313,
      564, 572, 564, 752,
    ],
  },
  {
    first: 0x400,
    widths: [
      524, 524, 677, 483, 601, 521, 273, 274, 263, 951, 964, 680, 588, 714, 571, 688, 599, 582, 615, 481, 693, 524, 848,
      544, 714, 714, 588, 659, 866, 700, 716, 690, 572, 602, 520, 571, 777, 549, 697, 639, 974, 966, 648, 812, 575, 608,
      938, 602, 526, 565, 534, 414, 578, 522, 715, 461, 588, 588, 503, 555, 732, 581, 562, 572, 578, 465, 434, 481, 703,
      483, 579, 558, 845, 845, 589, 726, 516, 468, 755, 544, 522, 522, 586, 414, 465, 442, 249, 248, 248, 808, 836, 587,
      503, 588, 481, 576,
    ],
  },
]

/** Noto Sans Hebrew. */
const HEBREW: WidthRow = {
  first: 0x5d0,
  widths: [
    632, 572, 374, 542, 627, 301, 330, 662, 634, 295, 545, 515, 522, 684, 660, 329, 379, 643, 593, 620, 601, 529, 556,
    627, 523, 730, 685,
  ],
}

/** Noto Sans Arabic: letters that join both neighbours, with the widths alone, at the end, at the start and in the middle. */
const ARABIC_DUAL: Readonly<Record<string, readonly [number, number, number, number]>> = {
  ئ: [760, 736, 269, 343],
  ب: [993, 1093, 269, 343],
  ت: [993, 1093, 299, 373],
  ث: [993, 1093, 299, 373],
  ج: [639, 649, 589, 637],
  ح: [639, 649, 589, 637],
  خ: [639, 649, 589, 637],
  س: [1209, 1269, 784, 850],
  ش: [1209, 1269, 784, 850],
  ص: [1306, 1352, 903, 949],
  ض: [1306, 1352, 903, 949],
  ط: [788, 831, 677, 710],
  ظ: [788, 831, 677, 710],
  ع: [507, 531, 503, 521],
  غ: [507, 531, 503, 521],
  ف: [983, 1098, 447, 495],
  ق: [774, 808, 447, 495],
  ك: [882, 922, 412, 508],
  ل: [695, 730, 260, 300],
  م: [484, 562, 525, 578],
  ن: [685, 730, 269, 343],
  ه: [672, 486, 574, 507],
  ي: [760, 736, 299, 373],
  پ: [993, 1093, 299, 373],
  چ: [659, 719, 589, 637],
  ڤ: [983, 1098, 447, 495],
  ک: [877, 975, 412, 508],
  گ: [877, 975, 412, 508],
  ھ: [672, 614, 574, 507],
  ہ: [405, 479, 269, 438],
  ۂ: [405, 479, 269, 438],
  ی: [760, 736, 299, 373],
}

/** Noto Sans Arabic: letters that join the one before only, with the widths alone and at the end. */
const ARABIC_RIGHT: Readonly<Record<string, readonly [number, number]>> = {
  ء: [411, 411],
  آ: [235, 289],
  أ: [235, 289],
  ؤ: [447, 472],
  إ: [235, 289],
  ا: [238, 291],
  ة: [405, 486],
  د: [477, 532],
  ذ: [477, 532],
  ر: [367, 396],
  ز: [367, 396],
  و: [447, 472],
  ى: [760, 736],
  ٱ: [235, 289],
  ژ: [367, 396],
  ں: [685, 730],
  ۃ: [405, 479],
  ے: [942, 549],
}

/** Inter: signs of keys, which Noto Sans lacks. */
const KEY_SIGNS: Readonly<Record<string, number>> = {
  '⌃': 782,
  '⌥': 1023,
  '⇧': 1031,
  '⌘': 1001,
  '↩': 1145,
  '⌦': 1216,
  '⌫': 1216,
  '⎋': 955,
  '⇥': 1015,
  '⇪': 1031,
  '⇞': 608,
  '⇟': 608,
}

const ROWS: Readonly<Record<TextFamily, readonly WidthRow[]>> = {
  ui: [...INTER, HEBREW],
  humanist: [...NOTO_SANS, HEBREW],
}

/** For all other characters: wide enough for most letters, and for the box of a missing one. */
const OTHER = 660
const WIDE = 1000
const EMOJI = 1245
const FIRST = 32
const FIRST_WIDE = 0x2e80
const LAST_ASCII = 126

/** Characters from here on may combine, join or be wide; those before have a width of their own. */
const FIRST_COMBINED = 0x300

/** The width of a line of text in whole pixels, rounded up. */
export function textWidth(text: string, fontSize: number, family: TextFamily = 'ui'): number {
  const rows = ROWS[family]
  const [ascii] = rows
  let thousandths = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // A tab has no glyph and counts as a space.
    if (code <= LAST_ASCII) thousandths += ascii!.widths[Math.max(0, code - FIRST)]!
    else if (code < FIRST_COMBINED) thousandths += widthIn(rows, code) ?? OTHER
    else {
      const whole = text.codePointAt(at)!
      thousandths += combinedWidth(text, at, whole, family)
      if (whole > 0xffff) at++
    }
  }
  return Math.ceil((thousandths * fontSize) / 1000)
}

/** A family, and how much wider its bold letters are than plain ones, those of right-to-left scripts too. */
interface BoldMetrics {
  readonly family: TextFamily
  readonly bold: number
  readonly boldRtl?: number
}

const IS_RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** The width of a line of bold text in whole pixels, rounded up. */
export function boldTextWidth(text: string, fontSize: number, { family, bold, boldRtl = bold }: BoldMetrics): number {
  return Math.ceil(textWidth(text, fontSize, family) * (boldRtl !== bold && IS_RTL.test(text) ? boldRtl : bold))
}

function widthIn(rows: readonly WidthRow[], code: number): number | undefined {
  for (const { first, widths } of rows) {
    const index = code - first
    if (index >= 0 && index < widths.length) return widths[index]
  }
  return undefined
}

/** Marks, joiners, selectors and skin tones have no width: they belong to the character before. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\u200b-\u200f]|[\u{1f3fb}-\u{1f3ff}]/u
const JOINER = '\u200d'
const FIRST_FLAG = 0x1f1e6
const LAST_FLAG = 0x1f1ff
const IS_EMOJI = /\p{Emoji_Presentation}/u

/** Widths that the characters beside it decide. */
const UNREAD = 0
const OF_DUAL = -1
const OF_RIGHT = -2
const OF_PICTURE = -3
const OF_OTHER = -4

/** Widths of characters of the first two planes, plus one, or what decides them: long texts repeat the same ones. */
const known: Readonly<Record<TextFamily, Int16Array>> = {
  ui: new Int16Array(0x20000),
  humanist: new Int16Array(0x20000),
}

function combinedWidth(text: string, at: number, code: number, family: TextFamily): number {
  const width = ownWidth(code, family)
  if (width >= 0) return width
  if (width === OF_DUAL || width === OF_RIGHT) return arabicWidth(text, at, width === OF_RIGHT)
  // The pictures of a family, and the two letters of a flag, are one picture.
  if (code >= FIRST_WIDE && text[at - 1] === JOINER) return 0
  if (width === OF_PICTURE) return code >= FIRST_FLAG && code <= LAST_FLAG ? EMOJI / 2 : EMOJI
  if (text.charCodeAt(at + (code > 0xffff ? 2 : 1)) === 0xfe0f) return EMOJI
  return code < FIRST_WIDE ? (KEY_SIGNS[String.fromCodePoint(code)] ?? OTHER) : WIDE
}

/** The width of a character, or what decides it. */
function ownWidth(code: number, family: TextFamily): number {
  const kept = known[family]
  const before = kept[code]
  if (before) return before > UNREAD ? before - 1 : before
  const width = readWidth(String.fromCodePoint(code), code, ROWS[family])
  if (code < kept.length) kept[code] = width < 0 ? width : width + 1
  return width
}

function readWidth(character: string, code: number, rows: readonly WidthRow[]): number {
  if (WITHOUT_WIDTH.test(character)) return 0
  const width = widthIn(rows, code)
  if (width !== undefined) return width
  if (ARABIC_DUAL[character]) return OF_DUAL
  if (ARABIC_RIGHT[character]) return OF_RIGHT
  return (code >= FIRST_FLAG && code <= LAST_FLAG) || IS_EMOJI.test(character) ? OF_PICTURE : OF_OTHER
}

const LAM = 0x644
const ALEFS = 'اأإآٱ'
/** Lam and alef are one glyph, wider than their forms beside other letters. */
const ALEF_AFTER_LAM = 322

/** The width of an Arabic letter in the form that its neighbours give it. Some join only the letter at their right. */
function arabicWidth(text: string, at: number, isRight: boolean): number {
  const letter = text[at]!
  const before = neighbour(text, at, -1)
  const isJoined = ownWidth(before, 'ui') === OF_DUAL
  if (isRight)
    return before === LAM && ALEFS.includes(letter) ? ALEF_AFTER_LAM : ARABIC_RIGHT[letter]![isJoined ? 1 : 0]
  const after = ownWidth(neighbour(text, at, 1), 'ui')
  return ARABIC_DUAL[letter]![(isJoined ? 1 : 0) + (after === OF_DUAL || after === OF_RIGHT ? 2 : 0)]!
}

const MAX_MARKS = 4
const NON_JOINER = 0x200c

/** The code of the letter before or after, past marks, but not past the one that says that letters do not join. 0 at an end. */
function neighbour(text: string, at: number, step: 1 | -1): number {
  for (let count = 0, place = at + step; ; count++, place += step) {
    if (place < 0 || place >= text.length) return 0
    const code = text.charCodeAt(place)
    if (count === MAX_MARKS || code < FIRST_COMBINED || code === NON_JOINER || ownWidth(code, 'ui') !== 0) return code
  }
}
