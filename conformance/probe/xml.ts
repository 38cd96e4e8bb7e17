import { SaxesParser, type SaxesTagNS } from 'saxes'
import { fail } from './failure.ts'

/** An attribute of an XML element; `uri` is its namespace, empty without a prefix. */
export interface XmlAttribute {
  readonly local: string
  readonly uri: string
  readonly value: string
}

/** An element of an XML document. `text` is its own text, without that of its children. */
export interface XmlElement {
  readonly tag: string
  readonly attributes: readonly XmlAttribute[]
  readonly children: readonly XmlElement[]
  readonly text: string
}

interface OpenElement extends XmlElement {
  readonly children: OpenElement[]
  text: string
}

/** Parses a well-formed XML document with namespaces, or fails the check with the place of the mistake. */
export function parseXml(text: string, what: string): XmlElement {
  const open: OpenElement[] = []
  let root: OpenElement | undefined
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', ({ message }) => fail(`${what} is not well-formed XML: ${message}`))
  parser.on('opentag', (tag) => {
    const element: OpenElement = { tag: tag.name, attributes: attributesOf(tag), children: [], text: '' }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  const add = (more: string) => {
    const element = open.at(-1)
    if (element) element.text += more
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', () => void open.pop())
  parser.write(text).close()
  return root ?? fail(`${what} has no element`)
}

const attributesOf = ({ attributes }: SaxesTagNS): readonly XmlAttribute[] =>
  Object.values(attributes)
    .filter(({ prefix, local }) => prefix !== 'xmlns' && local !== 'xmlns')
    .map(({ local, uri, value }) => ({ local, uri, value }))

/** An element and its descendants, in the order of the document, with their depth below it. */
export function* walkXml(element: XmlElement, depth = 0): Generator<{ element: XmlElement; depth: number }> {
  yield { element, depth }
  for (const child of element.children) yield* walkXml(child, depth + 1)
}
