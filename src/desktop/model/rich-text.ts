/** A text whose parts are bold, italic, coloured, links or headings, without its mark-up. */
export interface RichText {
  readonly text: string
  /** In the order of the text, without overlaps. Parts between them are plain. */
  readonly spans: readonly TextSpan[]
  /** Set on a mirrored screen, where the parts of a line from left to right are placed the other way. */
  readonly isMirrored?: true
}

/** A part of a text, as a range of UTF-16 offsets. */
export interface TextSpan {
  readonly from: number
  readonly to: number
  readonly bold?: true
  readonly italic?: true
  /** Part of a line that is a heading. */
  readonly heading?: true
  readonly colour?: TextColour
  /** The id of the link that the part is. */
  readonly link?: string
}

/** The colours of the theme that a part of a text may have. */
export const TEXT_COLOURS = ['accent', 'danger', 'muted'] as const
export type TextColour = (typeof TEXT_COLOURS)[number]

type Style = Omit<TextSpan, 'from' | 'to'>

/** What a line of a list begins with. */
export const BULLET = '• '

/**
 * Reads mark-up: `**bold**`, `[text](italic)`, `[text](danger)` in a colour of the theme, `[text](#id)` as a link with an id.
 * A line after `# ` is a heading, one after `- ` an item of a list. A backslash before `*`, `[`, `]` or another backslash, and
 * before `#` or `-` at the start of a line, makes it literal. Returns the problem of wrong mark-up as a message.
 */
export function parseMarkup(source: string): RichText | string {
  let text = ''
  const spans: TextSpan[] = []
  let isBold = false
  let isHeading = false
  let target: Style | undefined
  const add = (part: string): void => {
    const style: Style = { ...(isBold && { bold: true }), ...(isHeading && { heading: true }), ...target }
    const last = spans.at(-1)
    const from = text.length
    text += part
    if (Object.keys(style).length === 0) return
    if (last && last.to === from && isSameStyle(last, style)) spans[spans.length - 1] = { ...last, to: text.length }
    else spans.push({ from, to: text.length, ...style })
  }
  for (let at = 0; at < source.length; ) {
    const rest = source[at]!
    const isFirst = !target && (at === 0 || source[at - 1] === '\n')
    if (rest === '\n') isHeading = false
    if (isFirst && source.startsWith('# ', at)) {
      isHeading = true
      at += 2
    } else if (isFirst && source.startsWith('- ', at)) {
      add(BULLET)
      at += 2
    } else if (isFirst && /^\\[#-] /.test(source.slice(at, at + 3))) {
      add(source[at + 1]!)
      at += 2
    } else if (rest === '\\' && '*[]\\'.includes(source[at + 1] ?? ' ')) {
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

const isSameStyle = (a: Style, b: Style): boolean =>
  a.bold === b.bold && a.italic === b.italic && a.heading === b.heading && a.colour === b.colour && a.link === b.link

/** What the brackets around a part stand for, from what is in parentheses after them. */
function targetOf(source: string, from: number): Style | string {
  let end = from
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1
  const close = source.indexOf(')', end)
  if (source[end] !== ']' || source[end + 1] !== '(' || close < 0)
    return 'has a "[" without "](…)"; write [text](#id) for a link, [text](danger) for a colour, [text](italic), \\[ for the character'
  if (end === from) return 'has brackets without a text'
  const target = source.slice(end + 2, close)
  if (/^#[^\s#]+$/.test(target)) return { link: target.slice(1) }
  if (target === 'italic') return { italic: true }
  const colour = TEXT_COLOURS.find((each) => each === target)
  if (colour) return { colour }
  return `has the unknown colour ${JSON.stringify(target)}; expected ${TEXT_COLOURS.join(', ')}, italic, or # and the id of a link`
}

/** The mark-up of a text. */
export function formatMarkup({ text, spans }: RichText): string {
  let at = 0
  let source = ''
  const isFirst = (place: number): boolean => place === 0 || text[place - 1] === '\n'
  const write = (from: number, to: number): string => escapeMarkup(text.slice(from, to), isFirst(from))
  for (const { from, to, bold, italic, heading, colour, link } of spans) {
    const target = link === undefined ? (italic ? 'italic' : colour) : `#${link}`
    const sign = heading && isFirst(from) ? '# ' : ''
    const part =
      sign === '' && target === undefined && !bold ? write(from, to) : escapeMarkup(text.slice(from, to), false)
    const inside = bold ? `**${part}**` : part
    source += write(at, from) + sign + (target === undefined ? inside : `[${inside}](${target})`)
    at = to
  }
  return source + write(at, text.length)
}

/** A part with its characters literal; those of lines only at their start. */
function escapeMarkup(text: string, isFirst: boolean): string {
  const literal = text.replace(/[\\*[\]]/g, '\\$&')
  const lines = literal.replace(/\n(?=[#-] )/g, '\n\\').replaceAll(`\n${BULLET}`, '\n- ')
  if (!isFirst) return lines
  return lines.startsWith(BULLET) ? `- ${lines.slice(BULLET.length)}` : lines.replace(/^(?=[#-] )/, '\\')
}

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
