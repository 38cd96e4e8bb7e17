/** A text whose parts are bold, coloured or links, without its mark-up. */
export interface RichText {
  readonly text: string
  /** In the order of the text, without overlaps. Parts between them are plain. */
  readonly spans: readonly TextSpan[]
}

/** A part of a text, as a range of UTF-16 offsets. */
export interface TextSpan {
  readonly from: number
  readonly to: number
  readonly bold?: true
  readonly colour?: TextColour
  /** The id of the link that the part is. */
  readonly link?: string
}

/** The colours of the theme that a part of a text may have. */
export const TEXT_COLOURS = ['accent', 'danger', 'muted'] as const
export type TextColour = (typeof TEXT_COLOURS)[number]

type Style = Pick<TextSpan, 'bold' | 'colour' | 'link'>

/**
 * Reads mark-up: `**bold**`, `[text](danger)` in a colour of the theme, `[text](#id)` as a link with an id. A backslash
 * before `*`, `[`, `]` or another backslash makes it literal. Returns the problem of wrong mark-up as a message.
 */
export function parseMarkup(source: string): RichText | string {
  let text = ''
  const spans: TextSpan[] = []
  let isBold = false
  let target: Style | undefined
  const add = (part: string): void => {
    const style: Style = { ...(isBold && { bold: true }), ...target }
    const last = spans.at(-1)
    const from = text.length
    text += part
    if (Object.keys(style).length === 0) return
    if (last && last.to === from && isSameStyle(last, style)) spans[spans.length - 1] = { ...last, to: text.length }
    else spans.push({ from, to: text.length, ...style })
  }
  for (let at = 0; at < source.length; ) {
    const rest = source[at]!
    if (rest === '\\' && '*[]\\'.includes(source[at + 1] ?? ' ')) {
      add(source[at + 1]!)
      at += 2
    } else if (source.startsWith('**', at)) {
      isBold = !isBold
      at += 2
    } else if (rest === '[') {
      if (target) return 'has a "[" inside of brackets; write \\[ for the character'
      const found = targetOf(source, at + 1)
      if (typeof found === 'string') return found
      target = found
      at++
    } else if (rest === ']' && target) {
      target = undefined
      at = source.indexOf(')', at) + 1
    } else {
      add(rest)
      at++
    }
  }
  return isBold ? 'has a "**" that is not closed; write \\*\\* for the characters' : { text, spans }
}

const isSameStyle = (a: Style, b: Style): boolean => a.bold === b.bold && a.colour === b.colour && a.link === b.link

/** What the brackets around a part stand for, from what is in parentheses after them. */
function targetOf(source: string, from: number): Style | string {
  let end = from
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1
  const close = source.indexOf(')', end)
  if (source[end] !== ']' || source[end + 1] !== '(' || close < 0)
    return 'has a "[" without "](…)"; write [text](#id) for a link, [text](danger) for a colour, \\[ for the character'
  if (end === from) return 'has brackets without a text'
  const target = source.slice(end + 2, close)
  if (/^#[^\s#]+$/.test(target)) return { link: target.slice(1) }
  const colour = TEXT_COLOURS.find((each) => each === target)
  if (colour) return { colour }
  return `has the unknown colour ${JSON.stringify(target)}; expected ${TEXT_COLOURS.join(', ')}, or # and the id of a link`
}

/** The mark-up of a text. */
export function formatMarkup({ text, spans }: RichText): string {
  let at = 0
  let source = ''
  for (const { from, to, bold, colour, link } of spans) {
    const target = link === undefined ? colour : `#${link}`
    const part = escapeMarkup(text.slice(from, to))
    const inside = bold ? `**${part}**` : part
    source += escapeMarkup(text.slice(at, from)) + (target === undefined ? inside : `[${inside}](${target})`)
    at = to
  }
  return source + escapeMarkup(text.slice(at))
}

const escapeMarkup = (text: string): string => text.replace(/[\\*[\]]/g, '\\$&')

/** Mark-up with templates in its texts filled. What they are filled with is never mark-up. */
export function fillMarkup(source: string, fill: (template: string) => string): string {
  const rich = parseMarkup(source)
  if (typeof rich === 'string') return source
  let text = ''
  let at = 0
  const spans = rich.spans.map((span) => {
    text += fill(rich.text.slice(at, span.from))
    const from = text.length
    text += fill(rich.text.slice(span.from, span.to))
    at = span.to
    return { ...span, from, to: text.length }
  })
  return formatMarkup({ text: text + fill(rich.text.slice(at)), spans })
}
