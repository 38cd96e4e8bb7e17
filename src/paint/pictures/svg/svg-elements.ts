import { Fault } from '../../../base/fault.ts'

/** An element of an SVG file with its attributes. */
export interface SvgElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly SvgElement[]
}

const MAX_ELEMENTS = 2000
const MAX_DEPTH = 64

/** Elements without a look, whose content is skipped. */
const SKIPPED: ReadonlySet<string> = new Set(['title', 'desc', 'metadata', 'defs'])
const TAG = /<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

export const badSvg = (message: string): Fault => new Fault('BadRequest', `the SVG ${message}`)

/** Whether the bytes of a file look like SVG. */
export const isSvg = (file: Uint8Array): boolean =>
  /^\uFEFF?\s*(?:<\?xml[^>]*>|<!--[\s\S]*?-->|\s)*<(?:svg[\s>]|!DOCTYPE)/.test(
    Buffer.from(file.subarray(0, 2000)).toString('utf8'),
  )

/** Reads the elements of an SVG file. Throws `BadRequest` for one that is not well-formed, too large, or has entities. */
export function parseSvg(source: string): SvgElement {
  if (/<!(?:DOCTYPE|ENTITY|\[CDATA)/i.test(source))
    throw badSvg('has a document type, an entity or CDATA, which are not read; remove it')
  const roots: SvgElement[] = []
  const open: { readonly name: string; readonly element: SvgElement & { readonly children: SvgElement[] } }[] = []
  let count = 0
  let skipping = 0
  let at = source.indexOf('<')
  while (at >= 0) {
    const skipped = skipMarkup(source, at)
    if (skipped > at) {
      at = source.indexOf('<', skipped)
      continue
    }
    TAG.lastIndex = at
    const tag = TAG.exec(source)
    if (!tag) throw badSvg(`has a tag that cannot be read: ${JSON.stringify(source.slice(at, at + 40))}`)
    const [, closing, name = '', attributes = '', single] = tag
    if (!closing && ++count > MAX_ELEMENTS) throw badSvg(`has more than ${MAX_ELEMENTS} elements`)
    if (closing) {
      if (open.pop()?.name !== name) throw badSvg(`closes <${name}>, which is not open`)
      if (SKIPPED.has(name)) skipping--
    } else {
      const element = { name, attributes: attributesOf(attributes), children: [] }
      const isSkipped = skipping > 0 || SKIPPED.has(name)
      if (!isSkipped) (open.at(-1)?.element.children ?? roots).push(element)
      if (!single) {
        if (open.length >= MAX_DEPTH) throw badSvg(`has more than ${MAX_DEPTH} levels`)
        open.push({ name, element })
        if (SKIPPED.has(name)) skipping++
      }
    }
    at = source.indexOf('<', TAG.lastIndex)
  }
  const [root] = roots
  if (open.length > 0) throw badSvg(`does not close <${open.at(-1)!.name}>`)
  if (roots.length !== 1 || root?.name !== 'svg') throw badSvg('does not have one <svg> around its content')
  return root
}

/** The end of a comment or processing instruction that starts here; otherwise the same place. */
function skipMarkup(source: string, at: number): number {
  const end = source.startsWith('<!--', at) ? '-->' : source.startsWith('<?', at) ? '?>' : undefined
  if (end === undefined) return at
  const found = source.indexOf(end, at)
  if (found < 0) throw badSvg('has a comment that does not end')
  return found + end.length
}

const attributesOf = (source: string): ReadonlyMap<string, string> =>
  new Map([...source.matchAll(ATTRIBUTE)].map(([, name = '', one, other]) => [name, one ?? other ?? '']))
