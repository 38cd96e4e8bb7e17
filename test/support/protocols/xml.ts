import { SaxesParser } from 'saxes'

/** An element of a parsed document. Names have the prefixes of the document. */
export interface ParsedXml {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly ParsedXml[]
  text: string
}

/** Parses a document with namespaces. Throws if it is not well-formed. */
export function parseXml(document: string): ParsedXml {
  const parser = new SaxesParser({ xmlns: true })
  const above: ParsedXml[] = []
  let root: ParsedXml | undefined
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const parsed: ParsedXml = {
      tag: name,
      attributes: Object.fromEntries(Object.values(attributes).map((attribute) => [attribute.name, attribute.value])),
      children: [],
      text: '',
    }
    ;(above.at(-1)?.children as ParsedXml[] | undefined)?.push(parsed)
    root ??= parsed
    above.push(parsed)
  })
  parser.on('text', (text) => {
    const parsed = above.at(-1)
    if (parsed) parsed.text += text
  })
  parser.on('closetag', () => {
    above.pop()
  })
  parser.write(document).close()
  if (!root) throw new Error('the document has no root')
  return root
}

/** All elements of a document, parents before their children. */
export function* walkXml(element: ParsedXml): Generator<ParsedXml> {
  yield element
  for (const child of element.children) yield* walkXml(child)
}
